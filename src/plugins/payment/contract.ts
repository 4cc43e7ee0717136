import { Array as List, Object as Shape, type Static, Unsafe } from 'typebox';
import { AdvertiserId } from '#plugins/base-data/contract';
import { crud, entity, get, Nothing, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { Choice, DateTime, Id, Money, Optional, Text } from '#shared/fields';
import { ledgerMenu } from './menus.ts';

const moneyPath = '/api/things-task/ledger';
const most = 1_000_000_000_000;
const tally = Unsafe<number>({ type: 'integer' });

/** Why money was moved. */
export const moves = { received: 1, refunded: 2, reserved: 3, paid: 4, returned: 5, opened: 6 } as const;
/** Where money stands: with us for an advertiser, brought by advertisers (as much below nothing), on its way to people, with people. */
export const accounts = { advertiser: 1, received: 2, underWay: 3, paid: 4 } as const;

/** One side of a movement of money, never changed once it is written; both sides of a movement bear one `entryId`, and their amounts add up to nothing. In 分. */
export const LedgerPosting = entity('ledger_posting', {
  id: Id(),
  entryId: Id({ title: ['分录编号', 'Entry'], search: true }),
  kind: Choice({
    title: ['业务', 'What for'],
    form: false,
    search: true,
    options: [
      [moves.received, ['收款', 'Received']],
      [moves.refunded, ['退款', 'Refunded']],
      [moves.reserved, ['付款冻结', 'Set aside']],
      [moves.paid, ['付款成功', 'Paid out']],
      [moves.returned, ['付款退回', 'Returned']],
      [moves.opened, ['期初', 'Opening']],
    ],
    tones: { 1: 'good', 2: 'warning', 3: 'brand', 4: 'neutral', 5: 'warning', 6: 'neutral' },
  }),
  account: Choice({
    title: ['账户', 'Account'],
    form: false,
    search: true,
    options: [
      [accounts.advertiser, ['广告主', 'Advertiser']],
      [accounts.received, ['收款账户', 'Received']],
      [accounts.underWay, ['付款在途', 'Under way']],
      [accounts.paid, ['已付款', 'Paid out']],
    ],
  }),
  advertiserId: AdvertiserId({ title: ['广告主', 'Advertiser'], search: true }),
  amount: Money({
    title: ['金额', 'Amount'],
    minimum: -most,
    search: true,
    help: ['正数为收款，负数为退款', 'Above zero it is received, below it is refunded'],
  }),
  payNo: Optional(Text({ title: ['付款单号', 'Bill'], maxLength: 32, form: false, search: true, copyable: true })),
  remark: Optional(Text({ title: ['备注', 'Remark'], list: false })),
  createTime: DateTime({ title: ['时间', 'Time'], form: false, search: true, sort: true }),
});
export type LedgerRow = RowOf<typeof LedgerPosting>;

const { advertiserId, amount, remark } = LedgerPosting.fields;
const { list: postings, export: exported } = crud(moneyPath, LedgerPosting, { menu: ledgerMenu.code });

const Fault = Shape({ what: Unsafe<'entry' | 'account' | 'balance' | 'payouts'>({ type: 'string' }), id: Id(), kept: tally, added: tally });
/** Where what is kept and what adds up differ: an entry by its id, an account by its number, a balance by its advertiser. */
export type LedgerFault = Static<typeof Fault>;

/** The money of a tenant's advertisers. */
export const ledger = {
  entity: LedgerPosting,
  menu: ledgerMenu.code,
  list: postings,
  export: exported,
  /** Notes money an advertiser has brought, or was given back where the amount is below nothing. */
  submit: post(`${moneyPath}/submit`, {
    title: ['登记收退款', 'Note money received or refunded'],
    who: { code: 'ledger_add' },
    input: Shape({ advertiserId, amount, remark }, { additionalProperties: false }),
    reply: LedgerPosting.row,
  }),
  /** Adds everything up again; nothing is answered where it is as it is kept. */
  check: get(`${moneyPath}/check`, { title: ['核对账目', 'Check the ledger'], who: { code: ledgerMenu.code }, input: Nothing, reply: List(Fault) }),
};

export const paymentProblems = {
  noAdvertiser: problem(400, ['广告主不存在', 'There is no such advertiser.']),
  nothingMoved: problem(400, ['金额不能为零', 'The amount cannot be zero.']),
  refundTooLarge: problem(409, ['退款不能超过账户余额 {balance} 元', 'A refund cannot be more than the balance of {balance} yuan.']),
};
