import { Advertiser, AdvertiserId } from '#plugins/base-data/contract';
import { crud, entity, get, NoInput, type RowOf } from '#shared/contract';
import { DateTime, Id, Money, Nullable, Select, Text } from '#shared/fields';
import { accountOptions, kindOptions, LedgerMismatches, ledgerAccounts } from './ledger-terms-contract.ts';
import { ledgerMenu } from './menus.ts';
import { Payout } from './payout-contract.ts';
import { voucherField } from './voucher-contract.ts';

const moneyPath = '/api/things-task/ledger';
const maxAmount = 1_000_000_000_000;

/** One side of a ledger entry, immutable once written. Both sides share an `entryId`, and their amounts sum to 0. In 分. */
export const LedgerPosting = entity(
  'ledger_posting',
  {
    id: Id(),
    entryId: Id({ title: ['分录编号', 'Entry ID'], search: true }),
    kind: Select({
      title: ['业务', 'Type'],
      form: false,
      search: true,
      options: kindOptions,
      tones: { 1: 'good', 2: 'warning', 3: 'brand', 4: 'neutral', 5: 'warning', 6: 'neutral', 7: 'danger' },
    }),
    account: Select({
      title: ['账户', 'Account'],
      form: false,
      search: true,
      options: accountOptions,
    }),
    advertiserId: AdvertiserId({ title: ['广告主', 'Advertiser'], search: true }),
    // The two sides of an entry sum to 0, and so do all.
    amount: Money({
      title: ['金额', 'Amount'],
      minimum: -maxAmount,
      search: true,
      total: false,
      help: ['正数为收款，负数为退款', 'Positive for money received, negative for refunds'],
    }),
    /** Balance of the account after this posting. */
    balanceAfter: Money({ title: ['余额', 'Balance'], minimum: -maxAmount, form: false, total: false }),
    payNo: Nullable(Text({ title: ['付款单号', 'Payment no.'], maxLength: 32, form: false, search: true, copyable: true, width: 248 })),
    remark: Nullable(Text({ title: ['备注', 'Remark'] })),
    voucher: Nullable(voucherField),
    /** Entry that this one reverses. */
    reverses: Nullable(Id({ title: ['被冲销分录', 'Reversed entry'], search: true })),
    createTime: DateTime({ title: ['时间', 'Time'], form: false, search: true, sort: true }),
  },
  {
    belongsTo: { payNo: { entity: Payout, field: 'payNo' }, advertiserId: { entity: Advertiser } },
    ownership: { user: 'advertiserId.createUser', department: 'advertiserId.createDept' },
    // The record of an advertiser lists the postings on the advertiser's own account.
    relatedFilter: { account: ledgerAccounts.advertiser },
  },
);
export type LedgerRow = RowOf<typeof LedgerPosting>;

const { list: postings, export: exported } = crud(moneyPath, LedgerPosting, { menu: ledgerMenu.code });

/** Ledger of a tenant's advertisers. */
export const ledger = {
  entity: LedgerPosting,
  menu: ledgerMenu.code,
  list: postings,
  export: exported,
  /** Recomputes all sums; returns only those that do not match. */
  check: get(`${moneyPath}/check`, { title: ['核对账目', 'Check the ledger'], access: { code: ledgerMenu.code }, input: NoInput, reply: LedgerMismatches }),
};
