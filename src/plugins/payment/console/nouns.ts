import type { LocalizedText } from '#shared/text';

/** Kinds of record in the titles of forms. */
export const nouns = {
  ledger: ['资金流水', 'ledger entry'],
  receipt: ['收退款', 'receipt'],
  run: ['付款批次', 'payment run'],
} as const satisfies Record<string, LocalizedText>;
