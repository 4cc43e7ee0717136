import type { ChangeAction } from '#shared/history-schemas';
import type { LocalizedText } from '#shared/text';

/** Texts of the history of a record. */
export const historyMessages = {
  part: ['显示内容', 'Content'],
  fields: ['详情', 'Details'],
  entries: ['变更历史', 'History'],
  loading: ['正在加载变更历史', 'Loading history'],
  empty: ['暂无变更记录', 'No changes yet'],
  emptyHint: ['此记录的新增与修改会显示在这里', 'Changes to this record will appear here'],
  failed: ['变更历史加载失败', 'Could not load the history'],
  retry: ['重试', 'Retry'],
  more: ['加载更早的变更', 'Load earlier changes'],
  system: ['系统', 'System'],
  from: ['原值', 'From'],
  to: ['新值', 'To'],
  nothing: ['空', 'Empty'],
  expand: ['展开', 'Show more'],
  collapse: ['收起', 'Show less'],
  restoreValue: ['恢复原值', 'Restore previous value'],
  restoreValueOf: ['恢复“{title}”的原值', 'Restore the previous value of {title}'],
  restoreVersion: ['恢复到此版本', 'Restore this version'],
  restoreTitle: ['恢复旧值', 'Restore earlier values'],
  restoreHint: ['保存后，以下字段将恢复为 {time} 的值', 'The following fields will be set to their values of {time}'],
  current: ['当前值', 'Current value'],
  restored: ['恢复为', 'Restored value'],
  field: ['字段', 'Field'],
  confirm: ['恢复', 'Restore'],
  cancel: ['取消', 'Cancel'],
  done: ['已恢复', 'Restored'],
  reload: ['查看最新值', 'Show current values'],
} as const satisfies Record<string, LocalizedText>;

/** Words for each kind of change. */
export const actionMessages: Readonly<Record<ChangeAction, LocalizedText>> = {
  created: ['新增', 'Added'],
  updated: ['修改', 'Updated'],
  deleted: ['删除', 'Deleted'],
  restored: ['撤销删除', 'Undeleted'],
  archived: ['归档', 'Archived'],
  imported: ['导入', 'Imported'],
};
