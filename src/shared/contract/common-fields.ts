import { BooleanInt, DateTime, Integer, Nullable } from './fields.ts';

/** Creation and update time under the names that BladeX-compatible clients use in the advertising plugins. The server sets them and ignores values of a form. */
export const timestamps = {
  created_at: DateTime({ title: ['创建时间', 'Created'], form: false, list: false }),
  updated_at: Nullable(DateTime({ title: ['更新时间', 'Updated'], form: false, list: false })),
};

/** Position of a row among its siblings, in ascending order. */
export const sort = Integer({ title: ['排序', 'Sort order'], minimum: 0, default: 1, sort: true });

/** 1 for enabled, 0 for disabled. A disabled row is no longer offered, and existing references to it stay. */
export const enabledFlag = BooleanInt({
  title: ['状态', 'Status'],
  labels: [
    ['停用', 'Disabled'],
    ['启用', 'Enabled'],
  ],
  tones: { 0: 'neutral', 1: 'good' },
  default: 1,
  search: true,
});
