import type { TaskRow } from '../contract.ts';

/** Fields of a task on its screens, in this order. */
export const taskFields: readonly (keyof TaskRow)[] = [
  'title',
  'status',
  'claimed',
  'submitted',
  'passed',
  'advertiserId',
  'categoryId',
  'requirement',
  'steps',
  'cover',
  'content',
  'resourceIds',
  'platformId',
  'cityIds',
  'startTime',
  'endTime',
  'gradeId',
  'unitPrice',
  'quantity',
  'perUserLimit',
  'budget',
  'remark',
  'draft',
  'createTime',
];
