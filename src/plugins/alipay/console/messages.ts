import type { LocalizedText } from '#shared/text';

/** Texts only the console uses. */
export const alipayMessages = {
  noun: ['支付宝配置', 'Alipay merchant'],
  enable: ['启用', 'Enable'],
  disable: ['停用', 'Disable'],
  saved: ['设置成功', 'Saved'],
} as const satisfies Record<string, LocalizedText>;
