import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  sms: ['短信配置', 'text message configuration'],
  template: ['短信模板', 'message template'],
} as const satisfies Record<string, LocalizedText>;

/** Texts of the pages of text messages. */
export const smsMessages = {
  noDeliveries: ['暂无发送记录', 'No messages sent yet'],
  noDeliveriesHint: ['每条发出的短信及其结果显示在这里。', 'Each message that was sent appears here with its result.'],
  enable: ['启用', 'Enable'],
  disable: ['停用', 'Disable'],
  sendTest: ['调试', 'Send test'],
  statusUpdated: ['状态已更新', 'Status updated'],
  phones: ['手机号（多个以逗号分隔）', 'Phone numbers, separated by commas'],
  send: ['发送', 'Send'],
  sent: ['发送成功!', 'Sent'],
} as const satisfies Record<string, LocalizedText>;
