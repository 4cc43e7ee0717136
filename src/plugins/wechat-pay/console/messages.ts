import type { LocalizedText } from '#shared/text';

/** Texts only the console uses. */
export const wechatPayMessages = {
  noun: ['支付配置', 'payment provider'],
  enable: ['启用', 'Enable'],
  disable: ['停用', 'Disable'],
  enabled: ['已启用', 'Enabled'],
  disabled: ['已停用', 'Disabled'],
} as const satisfies Record<string, LocalizedText>;
