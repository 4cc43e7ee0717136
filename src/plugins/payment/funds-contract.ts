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
