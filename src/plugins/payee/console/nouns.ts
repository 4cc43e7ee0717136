import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  payee: ['收款人', 'payee'],
  reportFormat: ['报送格式', 'report format'],
  rule: ['代扣规则', 'withholding rule'],
} as const satisfies Record<string, LocalizedText>;
