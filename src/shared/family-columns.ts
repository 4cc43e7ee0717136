import { DateTime, Optional, Whole, ZeroOne } from './fields.ts';

/** When a row was added and changed, as the family calls it in the advertising business; the server's own, whatever a form says. */
export const writtenAt = {
  created_at: DateTime({ title: ['创建时间', 'Created'], form: false, list: false }),
  updated_at: Optional(DateTime({ title: ['更新时间', 'Updated'], form: false, list: false })),
};

/** Where a row stands among its neighbours, the smallest first. */
export const sort = Whole({ title: ['排序', 'Order'], minimum: 0, default: 1, sort: true });

/** 1 in use, 0 not: offered no longer, and kept where it was chosen. */
export const inUse = ZeroOne({
  title: ['状态', 'Status'],
  words: [
    ['停用', 'Off'],
    ['启用', 'In use'],
  ],
  tones: { 0: 'neutral', 1: 'good' },
  default: 1,
  search: true,
});
