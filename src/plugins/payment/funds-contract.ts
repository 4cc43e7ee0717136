import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get } from '#shared/contract';
import { Id } from '#shared/fields';
import { ledgerMenu } from './menus.ts';

const path = '/api/things-task/ledger';
const Int = Type.Unsafe<number>({ type: 'integer' });
const text = Type.Unsafe<string>({ type: 'string' });

const Funds = Type.Object({
  advertiserId: Id(),
  name: text,
  /** Money received and neither refunded nor set aside for a payout. */
  balance: Int,
  credit: Int,
  /** Price of the free places of published tasks and of claimed work that is not decided yet. */
  reserved: Int,
  /** Price of approved work for which no payout is open. */
  owed: Int,
  /** Payouts that are sent or wait for approval. */
  inTransit: Int,
  paid: Int,
  /** Balance + credit − reserved − owed: the price for which further tasks can be published. */
  available: Int,
  /** True if the available money is negative, or below the threshold of the deployment. */
  isLow: Type.Boolean(),
});
/** Money of an advertiser in 分. */
export type Funds = Static<typeof Funds>;

/** Returns the money of an advertiser. */
export const advertiserFunds = get(`${path}/funds`, {
  title: ['广告主资金', 'Advertiser’s money'],
  access: { code: ledgerMenu.code },
  input: Type.Object({ advertiserId: Id() }),
  reply: Funds,
});

const optionalText = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** Business of one day: a receipt, a refund or an opening balance, or all payouts for a task. Amounts in 分. */
const Line = Type.Object({
  day: text,
  /** Kind of the entries, as in the ledger. */
  kind: Int,
  /** Title of the task of payouts. */
  task: optionalText,
  remark: optionalText,
  /** Number of entries. */
  count: Int,
  amount: Int,
  /** Balance after the line. */
  balance: Int,
});

const Statement = Type.Object({ advertiserId: Id(), name: text, opening: Int, received: Int, refunded: Int, paid: Int, closing: Int, lines: Type.Array(Line) });
/** Account of an advertiser in one month: opening + received − refunded − paid = closing. `paid` counts payouts when they start, less those that were returned. */
export type Statement = Static<typeof Statement>;

/** Largest number of lines in one reply. */
export const maxStatementLines = 5000;

/** Returns the statements of a month, `YYYY-MM`, of one advertiser or of all with a balance or business, by name. */
export const statements = get('/api/things-task/ledger/statements', {
  title: ['月度对账单', 'Monthly statements'],
  access: { code: ledgerMenu.code },
  input: Type.Object({ month: Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' }), advertiserId: Type.Optional(Id()) }),
  reply: Type.Array(Statement),
});
