import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  socialApp: ['第三方登录', 'sign-in provider'],
} as const satisfies Record<string, LocalizedText>;
