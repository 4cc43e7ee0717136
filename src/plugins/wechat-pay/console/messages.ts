import type { LocalizedText } from '#shared/text';

/** Texts only the console uses. */
export const wechatPayMessages = {
  noun: ['支付配置', 'payment provider'],
  enable: ['启用', 'Enable'],
  disable: ['停用', 'Disable'],
  saved: ['设置成功', 'Saved'],
} as const satisfies Record<string, LocalizedText>;
