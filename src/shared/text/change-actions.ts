import type { LocalizedText } from './text.ts';

/** Names of the kinds of changes of a record. */
export const changeActionTitles = {
  created: ['新增', 'Added'],
  updated: ['修改', 'Updated'],
  deleted: ['删除', 'Deleted'],
  restored: ['撤销删除', 'Undeleted'],
  archived: ['归档', 'Archived'],
  imported: ['导入', 'Imported'],
} as const satisfies Record<string, LocalizedText>;

export type ChangeAction = keyof typeof changeActionTitles;
