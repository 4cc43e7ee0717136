import type { LocalizedText } from '#shared/text';

/** Texts of review records. */
export const recordMessages = {
  emptyTitle: ['暂无审核记录', 'No review records yet'],
  emptyHint: ['提交的凭证和审核结果会显示在这里。', 'Submitted proof and its reviews appear here.'],
} as const satisfies Record<string, LocalizedText>;
