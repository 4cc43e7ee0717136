import { afterAll, beforeAll, describe, test } from '@rstest/core';
import type pg from 'pg';
import { Submission, Task } from '#plugins/task/contract';
import { payableSubmissions } from '../../src/plugins/payment/server/payment-routes.ts';
import { AuditQueue } from '../../src/plugins/task/server/queue.ts';
import { repositoryOf } from '../../src/server/data/index.ts';
import type { Principal } from '../../src/server/platform/principal/principal.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { type ComparedList, type ComparedTable, compareList } from './compared-lists.ts';
import { plainClient } from './million-params.ts';
import { median, milliseconds, report, timed } from './report.ts';

const rowCount = Number(process.env.BENCH_SUBMISSION_ROWS ?? 5_000_000);
const taskCount = Math.max(100, Math.floor(rowCount / 250));
const pending = Math.floor(rowCount / 100);
const scope = { tenantId: '000000' };
const section = 'Tasks and submissions on PostgreSQL';
const oldest = { order: 'submit_time, id' };
const latest = { order: 'audit_time desc, id desc', where: 'and audit_time is not null' };
const waiting = { auditStatus_equal: '0', ascs: 'submit_time' };
const decided = { auditTime_notnull: '1', descs: 'audit_time' };

/** The lists as the server queries them, with the filters that a reader adds. */
const lists: readonly ComparedList[] = [
  { what: 'pending submissions, oldest first', input: waiting, ...oldest, where: 'and audit_status = $1', values: ['0'] },
  {
    what: 'pending submissions of one task',
    input: { ...waiting, taskId_equal: '1000007' },
    ...oldest,
    where: 'and audit_status = $1 and task_id = $2',
    values: ['0', '1000007'],
  },
  { what: 'audit records, the latest first', input: decided, ...latest },
  { what: 'audit records, page 3', input: { ...decided, current: 3 }, ...latest, offset: 20 },
  { what: 'audit records of one auditor', input: { ...decided, auditUser_equal: '7' }, ...latest, where: `${latest.where} and audit_user = $1`, values: ['7'] },
  {
    what: 'audit records that were rejected, one in six',
    input: { ...decided, auditStatus_equal: '2' },
    ...latest,
    where: `${latest.where} and audit_status = $1`,
    values: ['2'],
  },
  { what: 'audit records that are paid', input: { ...decided, payStatus_equal: '2' }, ...latest, where: `${latest.where} and pay_status = $1`, values: ['2'] },
  { what: 'audit records of one claimer', input: { ...decided, userId_equal: '77' }, ...latest, where: `${latest.where} and user_id = $1`, values: ['77'] },
  {
    what: 'audit records of tasks called “探店”, one in ten',
    input: { ...decided, taskTitle: '探店' },
    ...latest,
    where: `${latest.where} and task_title like $1`,
    values: ['%探店%'],
  },
];

const owedWhere = 'and audit_status = 1 and pay_status in (0, 3) and audit_time <= now() - make_interval(secs => 60)';
const owedLists: readonly ComparedList[] = [
  { what: 'unpaid work, oldest approval first', input: {}, order: 'audit_time, id', where: owedWhere },
  {
    what: 'unpaid work, page 20 of 200 each',
    input: { current: 20, size: 200 },
    order: 'audit_time, id',
    where: owedWhere,
    offset: 3800,
    size: 200,
    runs: 100,
  },
  {
    what: 'unpaid work of one task',
    input: { taskId_equal: String(1_000_000 + taskCount - 7) },
    order: 'audit_time, id',
    where: `${owedWhere} and task_id = $1`,
    values: [String(1_000_000 + taskCount - 7)],
  },
];

const taskLists: readonly ComparedList[] = [
  { what: 'tasks, first page', input: {} },
  { what: 'tasks that are published', input: { status_equal: '2' }, where: 'and status = $1', values: ['2'] },
  { what: 'tasks of one advertiser', input: { advertiserId_equal: '42' }, where: 'and advertiser_id = $1', values: ['42'] },
  { what: 'tasks called “探店”, one in ten', input: { title: '探店' }, where: 'and title like $1', values: ['%探店%'] },
];

describe.skipIf(serverUrl === undefined)('lists of five million submissions', () => {
  let server: TestServer;
  let driver: pg.Client;
  let submissions: ComparedTable;
  let tasks: ComparedTable;
  let owed: ComparedTable;
  let close = async () => {};

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    const { db, url, drop } = await openTestDatabase();
    server = await openTestServer({ plugins: ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task'], db });
    driver = await plainClient(url as string);
    await driver.query(`
      insert into task (id, tenant_id, title, platform_id, category_id, grade_id, unit_price, quantity, advertiser_id, requirement, status, create_time)
      select 1000000 + n, '000000', case n % 10 when 0 then '探店' else '短视频' end || n, 1, 1, 1, 500, 1000, n % 500, '要', case when n % 3 = 0 then 2 else 4 end,
        timestamptz '2025-01-01 00:00:00+08' + make_interval(mins => n)
      from generate_series(1, ${taskCount}) n`);
    // The latest submissions are waiting, one in a hundred is in progress, one in six of the others was rejected, and all that were approved a week ago are
    // paid.
    await driver.query(`
      insert into task_submission (tenant_id, task_id, task_title, user_id, nick_name, deadline, amount, link, submit_time, create_time, audit_status, audit_user, auditor_name, audit_time, pay_status)
      select '000000', 1000001 + n % ${taskCount}, case (n % ${taskCount} + 1) % 10 when 0 then '探店' else '短视频' end || (n % ${taskCount} + 1), n % 100000, 'n' || n % 100000,
        at + interval '1 day', 500, 'https://video.example/' || n, case when not open then at end, at, case when open then 3 when waits then 0 when n % 6 = 0 then 2 else 1 end,
        case when not open and not waits then n % 40 end, case when not open and not waits then '审核员' || n % 40 end,
        case when not open and not waits then at + make_interval(hours => n % 20) end, case when not open and not waits and n % 6 > 0 and n < ${rowCount * 0.98} then 2 else 0 end
      from (select n, n % 100 = 99 as open, n > ${rowCount - pending} as waits, timestamptz '2025-01-01 00:00:00+08' + make_interval(secs => n * 10.0) as at from generate_series(1, ${rowCount}) n) made`);
    await driver.query('vacuum analyze');
    const size = `${rowCount.toLocaleString('en')} submissions of ${taskCount.toLocaleString('en')} tasks`;
    const rows = repositoryOf(db, Submission);
    const taskRows = repositoryOf(db, Task);
    submissions = { section, entity: Submission, driver, size, page: (input) => db.read(scope, () => rows.page(input)) };
    owed = { ...submissions, page: (input) => db.read(scope, () => payableSubmissions(db)(input)) };
    tasks = { section, entity: Task, driver, size, page: (input) => db.read(scope, () => taskRows.page(input)) };
    close = async () => {
      await server.stop();
      await driver.end();
      await drop();
    };
  });
  afterAll(() => close());

  for (const list of lists) test(list.what, () => compareList(submissions, list));
  for (const list of owedLists) test(list.what, () => compareList(owed, list));
  for (const list of taskLists) test(list.what, () => compareList(tasks, list));

  test('an auditor takes twenty from the queue', async () => {
    const { db } = server;
    const queue = new AuditQueue({
      db,
      parameters: { text: async ({ preset }) => preset, integer: async ({ preset }) => preset, flag: async ({ preset }) => preset },
    });
    const times: number[] = [];
    for (let auditor = 1; auditor <= 50; auditor += 1) {
      const userId = String(5_000_000 + auditor);
      times.push(await timed(() => db.write(scope, () => queue.lease({ userId } as Principal, { size: 20 }))));
    }
    report({
      section,
      what: 'an auditor takes twenty from the queue',
      figure: milliseconds(median(times)),
      at: `${pending.toLocaleString('en')} of ${rowCount.toLocaleString('en')} wait, up to 50 other auditors hold twenty each`,
    });
  });
});
