import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  sms: ['短信配置', 'text message configuration'],
  template: ['短信模板', 'message template'],
} as const satisfies Record<string, LocalizedText>;
