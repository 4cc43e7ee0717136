import type { LocalizedText } from '#shared/text';

/** Texts only the console uses. */
export const bankFileMessages = {
  noFiles: ['暂无银行付款文件', 'No bank files yet'],
  noFilesHint: [
    '批次中由付款银行账户支付的部分会生成文件，在这里下载后交给银行。',
    'Payments from a paying bank account become a file per run, which is downloaded here for the bank.',
  ],
  noLines: ['暂无银行付款明细', 'No bank file lines yet'],
  noLinesHint: [
    '银行付款文件中的每笔付款显示在这里，按银行回单标记结果。',
    'Each payment of a bank file appears here, to be marked with the result the bank reports.',
  ],
  account: ['银行账户', 'bank account'],
  download: ['下载', 'Download'],
  downloaded: ['已下载，文件不再加入新付款', 'Downloaded. No more payouts are added to this file.'],
  import: ['导入结果', 'Import results'],
  imported: ['已登记结果', 'Results recorded'],
  lines: ['查看明细', 'Show lines'],
  markPaid: ['标记已付', 'Mark as paid'],
  markFailed: ['标记失败', 'Mark as failed'],
  marked: ['已登记', 'Recorded'],
} as const satisfies Record<string, LocalizedText>;
