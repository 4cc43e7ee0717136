import type { LocalizedText } from '#shared/text';

/** Texts of an opened record. */
export const recordMessages = {
  parts: ['记录内容', 'Record'],
  details: ['详情', 'Details'],
  actions: ['更多操作', 'More actions'],
  back: ['返回列表', 'Back to list'],
  openPage: ['在单独页面打开', 'Open as a page'],
  openBeside: ['在列表旁打开', 'Open beside the list'],
  close: ['关闭', 'Close'],
  keys: ['按 J、K 切换记录', 'Press J or K to switch records'],
  loading: ['正在加载', 'Loading'],
  missingTitle: ['找不到这条记录', 'Record not found'],
  missingHint: ['它可能已被删除，或您没有权限查看。', 'It may have been deleted, or you may not have permission to view it.'],
  failedTitle: ['加载失败', 'Could not load the record'],
  retry: ['重试', 'Retry'],
  unavailable: ['这个列表暂不可用，它所属的功能可能已停用。', 'This list is unavailable. Its feature may be disabled.'],
} as const satisfies Record<string, LocalizedText>;
