import { before, within } from '#shared/contract';

/** Rules between the fields of a task. */
export const taskRules = [
  before('startTime', 'endTime'),
  within('unitPrice', { reference: 'gradeId', entity: 'task_grade', minimum: 'min_price', maximum: 'max_price', unlimited: 0 }),
];
