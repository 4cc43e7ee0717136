import * as Type from 'typebox';
import { Advertiser } from '#plugins/base-data/contract';
import { crud, entity, get, NoContent, NoInput, post } from '#shared/contract';
import { DateTime, Id, Money, Nullable, Select, Text } from '#shared/fields';
import { accountOptions, kindOptions } from './ledger-terms-contract.ts';
import { closingMenu } from './menus.ts';

const path = '/api/things-task/ledger/journal';
const text = (title: readonly [string, string], maxLength: number) => Text({ title, maxLength, form: false });
const sum = (title: readonly [string, string]) => Money({ title, minimum: 0, form: false });

/** Line of a journal entry: a posting with the code of its account, as a debit or a credit. Lines of one entry share `entryId`. Amounts in 分. */
const JournalLine = entity(
  'ledger_journal',
  {
    id: Id(),
    entryId: Id({ title: ['凭证号', 'Entry no.'], search: true, list: true }),
    createTime: DateTime({ title: ['日期', 'Date'], form: false, search: true, sort: true }),
    accountCode: Text({ title: ['科目编码', 'Account code'], maxLength: 32, form: false, search: true, width: 110 }),
    accountName: text(['科目名称', 'Account name'], 64),
    debit: sum(['借方', 'Debit']),
    credit: sum(['贷方', 'Credit']),
    advertiserId: Id({ title: ['广告主编号', 'Advertiser ID'], search: true, list: true }),
    advertiserName: text(['广告主', 'Advertiser'], 128),
    payNo: Nullable(Text({ title: ['付款单号', 'Payment no.'], maxLength: 32, form: false, search: true, copyable: true, width: 248 })),
    remark: Nullable(text(['摘要', 'Remark'], 255)),
    kind: Select({ title: ['来源', 'Source'], form: false, search: true, options: kindOptions }),
  },
  {
    versioned: false,
    order: ['createTime'],
    belongsTo: { advertiserId: { entity: Advertiser } },
    ownership: { user: 'advertiserId.createUser', department: 'advertiserId.createDept' },
  },
);

const { list, export: exported } = crud(path, JournalLine, { menu: closingMenu.code });

/** Postings as journal entries, for accounting. */
export const journal = { entity: JournalLine, menu: closingMenu.code, list, export: exported };

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
