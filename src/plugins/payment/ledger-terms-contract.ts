import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id } from '#shared/fields';
import type { LocalizedText } from '#shared/text';

/** Kinds of ledger entries. */
export const entryKinds = { received: 1, refunded: 2, started: 3, paid: 4, returned: 5, opening: 6, reversed: 7 } as const;
/** Accounts of the ledger: balance of an advertiser, money received from advertisers (as a negative balance), payouts in progress, payouts completed, tax withheld from them. */
export const ledgerAccounts = { advertiser: 1, received: 2, inTransit: 3, paid: 4, withheldTax: 5 } as const;

export const kindOptions = [
  [entryKinds.received, ['收款', 'Received']],
  [entryKinds.refunded, ['退款', 'Refunded']],
  [entryKinds.started, ['付款', 'Payout']],
  [entryKinds.paid, ['付款成功', 'Payout settled']],
  [entryKinds.returned, ['付款退回', 'Payout returned']],
  [entryKinds.opening, ['期初', 'Opening']],
  [entryKinds.reversed, ['冲销', 'Reversal']],
] as const;

export const accountOptions = [
  [ledgerAccounts.advertiser, ['广告主', 'Advertiser']],
  [ledgerAccounts.received, ['收款账户', 'Received']],
  [ledgerAccounts.inTransit, ['付款在途', 'Payouts in transit']],
  [ledgerAccounts.paid, ['已付款', 'Settled payouts']],
  [ledgerAccounts.withheldTax, ['代扣税款', 'Withheld tax']],
] as const;

/** Names of the accounts in the standard chart, which apply until a tenant enters its own. */
const standardAccountNames: readonly LocalizedText[] = [
  ['预收账款', 'Advances from advertisers'],
  ['银行存款', 'Bank'],
  ['其他应付款', 'Other payables'],
  ['其他货币资金', 'Payment providers'],
  ['应交税费', 'Taxes payable'],
];

/** Returns the name of an account in both languages: a standard one, or the tenant's own. */
export const accountNameOf = (name: string): LocalizedText => standardAccountNames.find(([zh]) => zh === name) ?? [name, name];

const Int = Type.Unsafe<number>({ type: 'integer' });
const Mismatch = Type.Object({
  /** An entry, an account, the balance of an advertiser, the accounts of payouts, or the balance of an account after the last posting of a period. */
  what: Type.Unsafe<'entry' | 'account' | 'balance' | 'payouts' | 'running'>({ type: 'string' }),
  id: Id(),
  /** Stored sum. */
  kept: Int,
  /** Sum of the postings or payouts. */
  added: Int,
});
/** Stored sum that does not match its postings: an entry by its id, an account by its number, a balance by its advertiser. */
export type LedgerMismatch = Static<typeof Mismatch>;
export const LedgerMismatches = Type.Array(Mismatch);
