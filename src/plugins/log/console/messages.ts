import type { LocalizedText } from '#shared/text';

/** Texts of logs without entries. */
export const logMessages = {
  noCalls: ['暂无接口日志', 'No calls logged'],
  noCallsHint: ['保留期内的接口调用显示在这里。', 'Calls from the retention period appear here.'],
  noErrors: ['没有错误', 'No errors'],
  noErrorsHint: ['服务端和界面的错误及其对应的调用显示在这里。', 'Server and console errors appear here, with the call that caused them.'],
  noSignIns: ['暂无登录记录', 'No sign-ins'],
  noSignInsHint: ['成功和失败的登录显示在这里。', 'Successful and failed sign-ins appear here.'],
  noReadings: ['暂无记录', 'Nothing recorded yet'],
  noReadingsHint: ['查看、导出或删除个人信息的操作显示在这里。', 'Each time personal data is shown, exported or erased appears here.'],
  noEvents: ['暂无系统事件', 'No system events'],
  noEventsHint: ['启动、设置变更等系统事件显示在这里。', 'Events such as server starts and changed settings appear here.'],
} satisfies Record<string, LocalizedText>;

/** Texts about a sink that receives the entries of a log. */
export const destinationMessages = {
  both: ['日志同时发送到 {host}。', 'Entries are also sent to {host}.'],
  elsewhere: [
    '日志发送到 {host}，不再存储在此处，请到该系统中查看。下方只有此前存储的日志。',
    'Entries are sent to {host} and no longer stored here. View them there. The list below only shows earlier entries.',
  ],
} satisfies Record<string, LocalizedText>;

/** Texts of the table of changed rows. */
export const changeMessages = {
  added: ['新增', 'Added'],
  changed: ['修改', 'Changed'],
  removed: ['删除', 'Deleted'],
  field: ['字段', 'Field'],
  before: ['变更前', 'Before'],
  after: ['变更后', 'After'],
  unchanged: ['其余 {count} 个字段未变', 'Unchanged fields: {count}'],
} as const satisfies Record<string, LocalizedText>;

/** Names of sign-in methods by grant type; an unknown grant is shown as the client sent it. */
export const grantMessages: Readonly<Record<string, LocalizedText>> = {
  captcha: ['密码与验证码', 'Password and captcha'],
  password: ['密码', 'Password'],
  totp: ['二次验证', 'Two-step verification'],
  passkey: ['通行密钥', 'Passkey'],
  sms_code: ['短信验证码', 'Text message code'],
  social: ['第三方登录', 'Sign-in provider'],
  authorization_code: ['授权码', 'Authorization code'],
  register: ['注册', 'Registration'],
};

/** Names of the events of the server and of the plugins in this tree; any other is shown by its code. */
export const eventMessages: Readonly<Record<string, LocalizedText>> = {
  'server:started': ['服务器启动', 'Server started'],
  'server:stray-rejection': ['未处理的异常', 'Unhandled error'],
  'server:stray-exception': ['未处理的异常', 'Unhandled error'],
  'storage:bucket-unavailable': ['文件存储桶不可用', 'Bucket for files unavailable'],
  'backup:made': ['自动备份完成', 'Backup made'],
  'backup:failed': ['自动备份失败', 'Backup failed'],
  'backup:old-not-deleted': ['旧备份未能删除', 'Old backups not deleted'],
  'log:lines-dropped': ['日志写入过载，部分丢弃', 'Log entries dropped'],
  'notice:released': ['公告已发布', 'Notice published'],
  'transfers:failed': ['导入导出失败', 'Import or export failed'],
  'transfers:poll-failed': ['导入导出扫描失败', 'Polling for imports and exports failed'],
  'transfers:result-not-stored': ['导入导出结果未保存', 'Result of an import or export not stored'],
  'transfers:lease-not-renewed': ['导入导出占用未续期', 'Import or export lost its lease'],
  'log:months-dropped': ['清理过期日志', 'Old logs deleted'],
  'plugins:retried': ['重试插件', 'Plugin retried'],
  'dashboard:figures-failed': ['首页指标计算失败', 'Dashboard metrics failed'],
  'job:look-failed': ['作业扫描失败', 'Job polling failed'],
  'job:late-result-refused': ['作业结果过期未采用', 'Late job result refused'],
  'job:report-failed': ['作业结果上报失败', 'Reporting a job failed'],
  'job:powerjob-unheard': ['PowerJob 服务无响应', 'PowerJob is not responding'],
  'job:alert-not-sent': ['作业告警未送达', 'Job alert not sent'],
  'email:given-up': ['邮件放弃发送', 'E-mail not delivered'],
  'email:sending-failed': ['邮件发送失败', 'Sending e-mail failed'],
  'email:view-failed': ['定时视图邮件失败', 'Scheduled view not sent'],
  'email:reminder-failed': ['提醒邮件失败', 'Reminder failed'],
};
