import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  payee: ['收款人', 'payee'],
} as const satisfies Record<string, LocalizedText>;
