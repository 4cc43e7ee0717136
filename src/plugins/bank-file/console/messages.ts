import type { LocalizedText } from '#shared/text';

/** Texts only the console uses. */
export const bankFileMessages = {
  account: ['银行账户', 'bank account'],
  enable: ['启用', 'Enable'],
  disable: ['停用', 'Disable'],
  enabled: ['已启用', 'Enabled'],
  disabled: ['已停用', 'Disabled'],
  download: ['下载', 'Download'],
  downloaded: ['已下载，文件不再加入新付款', 'Downloaded. No more payouts are added to this file.'],
  import: ['导入结果', 'Import results'],
  imported: ['已登记结果', 'Results recorded'],
  lines: ['查看明细', 'Show lines'],
  markPaid: ['标记已付', 'Mark as paid'],
  markFailed: ['标记失败', 'Mark as failed'],
  marked: ['已登记', 'Recorded'],
} as const satisfies Record<string, LocalizedText>;
