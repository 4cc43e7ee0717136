import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Advertiser } from '#plugins/base-data/contract';
import { crud, entity, get, NoContent, NoInput, post, type RowOf } from '#shared/contract';
import { problem } from '#shared/errors';
import { DateOnly, DateTime, Id, Integer, Money, Nullable, Select, Text } from '#shared/fields';
import { accountOptions, kindOptions, LedgerMismatches } from './ledger-terms-contract.ts';
import { closingMenu } from './menus.ts';

const path = '/api/things-task/ledger/month';
const Int = Type.Unsafe<number>({ type: 'integer' });
const text = Type.Unsafe<string>({ type: 'string' });
const monthPattern = '^\\d{4}-(0[1-9]|1[0-2])$';
const closeAccess = { code: 'ledger_close' };
const count = (title: readonly [string, string]) => Integer({ title, minimum: 0, form: false });
const name = (title: readonly [string, string]) => Text({ title, maxLength: 64, form: false });

/** A month without a row has never been closed. */
export const monthStates = { closed: 1, reopened: 2 } as const;

/** Month of the ledger that has been closed at least once, with the open differences and the days not compared at its closing. */
export const LedgerMonth = entity('ledger_month', {
  id: Id(),
  month: Text({ title: ['月份', 'Month'], maxLength: 7, form: false, search: true, sort: true }),
  state: Select({
    title: ['状态', 'Status'],
    form: false,
    search: true,
    options: [
      [monthStates.closed, ['已结账', 'Closed']],
      [monthStates.reopened, ['已重开', 'Reopened']],
    ],
    tones: { 1: 'good', 2: 'warning' },
  }),
  closerName: name(['结账人', 'Closed by']),
  closedTime: DateTime({ title: ['结账时间', 'Closed at'], form: false }),
  openDifferences: count(['未处理差异', 'Open differences']),
  uncomparedDays: count(['未对账天数', 'Days not compared']),
  reopenerName: Nullable(name(['重开人', 'Reopened by'])),
  reopenedTime: Nullable(DateTime({ title: ['重开时间', 'Reopened at'], form: false })),
  reason: Nullable(Text({ title: ['重开原因', 'Reason for reopening'] })),
});
export type LedgerMonthRow = RowOf<typeof LedgerMonth>;

const BalanceAmounts = { opening: Int, debit: Int, credit: Int, closing: Int };
const AccountBalance = Type.Object({ account: Int, code: text, name: text, ...BalanceAmounts });
/** Opening balance, debits, credits and closing balance of an account, from the first day of a month to a given day. In 分; a credit balance is positive. */
export type AccountBalance = Static<typeof AccountBalance>;
const AdvertiserBalance = Type.Object({ advertiserId: Id(), name: text, ...BalanceAmounts });
/** The part of an account that belongs to one advertiser. */
export type AdvertiserBalance = Static<typeof AdvertiserBalance>;

/** Largest number of advertisers in one reply. */
export const maxAdvertiserBalances = 1000;

/** Returns the trial balance from the first day of the month of `day` to the end of `day`, and the advertisers of one account, by name. */
export const trialBalance = get('/api/things-task/ledger/trial-balance', {
  title: ['试算平衡', 'Trial balance'],
  access: { code: closingMenu.code },
  input: Type.Object({
    day: DateOnly({ title: ['截至', 'Until'] }),
    account: Type.Unsafe<number>({ type: 'integer', minimum: 1, maximum: accountOptions.length, default: 1 }),
  }),
  reply: Type.Object({
    from: text,
    accounts: Type.Array(AccountBalance),
    advertisers: Type.Array(AdvertiserBalance),
    /** True if there are more advertisers than the reply contains. */
    isCut: Type.Boolean(),
    /** Stored balances at the end of `day` that do not match their postings. */
    mismatches: LedgerMismatches,
  }),
});

const MonthChecks = Type.Object({
  month: text,
  /** The month can be closed now, is closed, comes after a month that is not closed, or is not over. */
  status: Type.Unsafe<'due' | 'closed' | 'later' | 'running'>({ type: 'string' }),
  /** Oldest month that is not closed, null without postings. */
  next: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  /** Last closed month, which can be reopened. */
  lastClosed: Type.Unsafe<{ id: string; month: string } | null>({
    type: ['object', 'null'],
    properties: { id: { type: 'string' }, month: text },
    required: ['id', 'month'],
  }),
  lastDay: text,
  /** Sum of all balances, which is 0 in a sound ledger. */
  difference: Int,
  mismatches: LedgerMismatches,
  openDifferences: Int,
  /** Number of days with open differences. */
  openDays: Int,
  /** Days up to the end of the month that have payments and have not been compared with a statement. */
  uncomparedDays: Type.Array(text),
});
/** Result of the checks before a month is closed. */
export type MonthChecks = Static<typeof MonthChecks>;

const { list, detail, export: exported, history, historyExport } = crud(path, LedgerMonth, { menu: closingMenu.code });

/** Calls on the months of the ledger. */
export const ledgerMonth = {
  entity: LedgerMonth,
  menu: closingMenu.code,
  list,
  detail,
  export: exported,
  ...(history && { history }),
  ...(historyExport && { historyExport }),
  /** Returns the checks of a month, by default of the oldest that is not closed. */
  checks: get(`${path}/checks`, {
    title: ['结账检查', 'Checks before closing'],
    access: { code: closingMenu.code },
    input: Type.Object({ month: Type.Optional(Type.String({ pattern: monthPattern })) }),
    reply: MonthChecks,
  }),
  /** Closes the oldest open month, so that nothing can be booked into it. If differences are open or days not compared, `confirmed` has to contain their current numbers. */
  close: post(`${path}/close`, {
    title: ['结账', 'Close month'],
    access: closeAccess,
    input: Type.Object({
      month: Type.String({ pattern: monthPattern }),
      confirmed: Type.Optional(Type.Object({ openDifferences: Int, uncomparedDays: Int })),
    }),
    reply: LedgerMonth.row,
  }),
  /** Opens the last closed month again. */
  reopen: post(`${path}/reopen`, {
    title: ['重开', 'Reopen month'],
    access: closeAccess,
    input: Type.Object({ id: Id(), reason: Text({ title: ['重开原因', 'Reason for reopening'] }) }),
    reply: NoContent,
  }),
};

export const closingProblems = {
  monthClosed: problem(409, [
    '这个时间所在的月份已结账，请重试，将记入当前月份',
    'The month of this entry has been closed. Try again to book it in the current month.',
  ]),
  notFinished: problem(409, ['{month} 尚未结束，不能结账', '{month} is not over and cannot be closed.']),
  notNext: problem(409, ['请按顺序结账：先结 {next}', 'Months are closed in order. Close {next} first.']),
  alreadyClosed: problem(409, ['{month} 已结账', '{month} has already been closed.']),
  nothingToClose: problem(409, ['还没有资金流水，无需结账', 'The ledger has no entries to close.']),
  mismatches: problem(409, ['账目有 {count} 处不平，不能结账', 'The month cannot be closed. Imbalances in the ledger: {count}.']),
  unconfirmed: problem(409, [
    '{month} 有 {openDifferences} 笔差异未处理、{uncomparedDays} 天未对账，请确认后结账',
    '{month} has open differences ({openDifferences}) and days that were not compared ({uncomparedDays}). Confirm them to close the month.',
  ]),
  notLast: problem(409, ['只能重开最近结账的月份', 'Only the last closed month can be reopened.']),
  partialView: problem(403, ['只有能查看全部广告主及金额的用户可以使用', 'This requires access to all advertisers and their amounts.']),
};

const journalText = (title: readonly [string, string], maxLength: number) => Text({ title, maxLength, form: false });
const sum = (title: readonly [string, string]) => Money({ title, minimum: 0, form: false });

/** Line of a journal entry: a posting with the code of its account, as a debit or a credit. Lines of one entry share `entryId`. Amounts in 分. */
const JournalLine = entity(
  'ledger_journal',
  {
    id: Id(),
    entryId: Id({ title: ['凭证号', 'Entry no.'], search: true, list: true }),
    createTime: DateTime({ title: ['日期', 'Date'], form: false, search: true, sort: true }),
    accountCode: Text({ title: ['科目编码', 'Account code'], maxLength: 32, form: false, search: true, width: 110 }),
    accountName: journalText(['科目名称', 'Account name'], 64),
    debit: sum(['借方', 'Debit']),
    credit: sum(['贷方', 'Credit']),
    advertiserId: Id({ title: ['广告主编号', 'Advertiser ID'], search: true, list: true }),
    advertiserName: journalText(['广告主', 'Advertiser'], 128),
    payNo: Nullable(Text({ title: ['付款单号', 'Payment no.'], maxLength: 32, form: false, search: true, copyable: true, width: 248 })),
    remark: Nullable(journalText(['摘要', 'Remark'], 255)),
    kind: Select({ title: ['来源', 'Source'], form: false, search: true, options: kindOptions }),
  },
  {
    versioned: false,
    order: ['createTime'],
    belongsTo: { advertiserId: { entity: Advertiser } },
    ownership: { user: 'advertiserId.createUser', department: 'advertiserId.createDept' },
  },
);

const journalCalls = crud('/api/things-task/ledger/journal', JournalLine, { menu: closingMenu.code });

/** Postings as journal entries, for accounting. */
export const journal = { entity: JournalLine, menu: closingMenu.code, list: journalCalls.list, export: journalCalls.export };

const AccountTitles = Type.Object({
  titles: Type.Array(
    Type.Object({
      account: Type.Unsafe<number>({ type: 'integer', minimum: 1, maximum: accountOptions.length }),
      code: Type.String({ pattern: '^[0-9A-Za-z.-]{1,32}$' }),
      name: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    { minItems: accountOptions.length, maxItems: accountOptions.length },
  ),
});

/** Codes and names of the accounts in the books of the tenant. */
export const accountTitles = {
  detail: get('/api/things-task/ledger/account-titles', {
    title: ['会计科目', 'Account codes'],
    access: { code: closingMenu.code },
    input: NoInput,
    reply: AccountTitles,
  }),
  save: post('/api/things-task/ledger/account-titles/save', {
    title: ['设置会计科目', 'Set account codes'],
    access: { code: 'ledger_close' },
    effect: 'updated',
    input: AccountTitles,
    reply: NoContent,
  }),
};
