import type { PluginSamples } from '../../kit/samples.ts';

const past = '2026-01-02 03:04:05';
const submission = { taskId: '$task', userId: '$admin', payStatus: 0, payNo: null };

export default {
  rows: [
    {
      entity: 'task',
      values: {
        status: 2,
        advertiserId: '$advertiser',
        platformId: '$platform',
        categoryId: '$category',
        gradeId: '$task_grade',
        quantity: 9,
        claimed: 0,
        submitted: 0,
        passed: 0,
        startTime: past,
        endTime: '2999-01-01 00:00:00',
      },
    },
    { entity: 'task_submission', as: 'approved_submission', values: { ...submission, auditStatus: 1, auditTime: past, auditUser: '$admin' } },
    { entity: 'task_submission', values: { ...submission, auditStatus: 0, auditTime: null, auditUser: null } },
  ],
  statements: [
    "insert into task_day (tenant_id, day, task_id, auditor_id, submitted, approved, rejected) values ('000000', current_date - 20, $task, 0, 3, 0, 0)",
  ],
  // Published tasks cannot be edited.
  beforeEdits: ["update task set status = 0, city_ids = '[]', resource_ids = '[]' where id = $task"],
  reads: {
    together: {
      'task.audit.figures from': { to: '2026-01-02' },
      'task.audit.figures to': { from: '2026-01-01' },
    },
    unaffected: { 'task.audit.peek size': 'one seeded submission waits' },
  },
} satisfies PluginSamples;
