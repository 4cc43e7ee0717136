import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  payee: ['收款人', 'payee'],
  rule: ['代扣规则', 'withholding rule'],
} as const satisfies Record<string, LocalizedText>;
