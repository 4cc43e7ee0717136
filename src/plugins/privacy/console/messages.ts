import type { LocalizedText } from '#shared/text';

/** Texts of the page of personal data. */
export const privacyMessages = {
  by: ['查找方式', 'Find by'],
  account: ['账号', 'Account'],
  phone: ['手机号', 'Phone'],
  email: ['邮箱', 'E-mail address'],
  find: ['查找', 'Find'],
  hint: [
    '查找一个人在所有功能中的数据，按本人要求导出或删除。',
    'Find what is stored about a person in all features, and export or erase it at their request.',
  ],
  found: ['{name} 的个人数据', 'Personal data of {name}'],
  nothing: ['没有存储该人员的数据', 'Nothing is stored about this person'],
  export: ['导出', 'Export'],
  erase: ['删除个人数据', 'Erase personal data'],
  exported: ['已导出', 'Exported'],
  erased: ['个人数据已删除', 'Personal data erased'],
  eraseTitle: ['删除 {name} 的个人数据', 'Erase the personal data of {name}'],
  eraseHint: [
    '删除后无法恢复。该人员的登录立即结束，法律与账务要求保存的数据保留。',
    'This cannot be undone. Sessions end immediately. Data that must be kept for legal or accounting reasons stays.',
  ],
  confirm: ['输入“{name}”确认', 'Enter “{name}” to confirm'],
  cancel: ['取消', 'Cancel'],
  data: ['数据', 'Data'],
  toErase: ['将删除', 'To erase'],
  kept: ['保留', 'Kept'],
  reason: ['保留原因', 'Reason'],
  until: ['保留至', 'Until'],
  erasedRows: ['已删除', 'Erased'],
  cleared: ['{count}（清除个人信息）', '{count} (cleared)'],
  files: ['文件', 'Files'],
  filesReason: ['保留的数据引用了这些文件', 'Records that are kept refer to them'],
} as const satisfies Record<string, LocalizedText>;
