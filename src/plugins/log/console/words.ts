import type { Words } from '#shared/text';

/** What the console says of the rows a write has touched. */
export const changeWords = {
  added: ['新增', 'Added'],
  changed: ['修改', 'Changed'],
  removed: ['删除', 'Deleted'],
  field: ['字段', 'Field'],
  before: ['变更前', 'Before'],
  after: ['变更后', 'After'],
  untouched: ['其余 {count} 个字段未变', '{count} other fields did not change'],
} as const satisfies Record<string, Words>;
