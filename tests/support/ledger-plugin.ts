import { sql } from 'drizzle-orm';
import * as Type from 'typebox';
import { listener, route } from '#server';
import { queryRows } from '../../src/server/data/database/rows.ts';
import { defineServerPlugin, type InstalledPlugin } from '../../src/server/host/plugin-host/plugin.ts';
import { codes, entity, event, get, list, menu, NoContent, post } from '../../src/shared/contract/contract.ts';
import { ApiError, problems } from '../../src/shared/contract/errors.ts';
import { DateTime, Id, Integer, Nullable, Select, Text } from '../../src/shared/contract/fields.ts';

/** Entity of a small plugin for kernel tests: ledger entries with handwritten routes. */
export const Entry = entity('ledger_entry', {
  id: Id(),
  title: Text({ title: ['标题', 'Title'], maxLength: 8, search: true }),
  amount: Integer({ title: ['金额', 'Amount'], minimum: 0, maximum: 100 }),
  kind: Nullable(
    Select({
      title: ['类别', 'Kind'],
      options: [
        [1, ['收入', 'Income']],
        [2, ['支出', 'Expense']],
      ],
    }),
  ),
  due: Nullable(DateTime({ title: ['到期', 'Due'] })),
  note: Nullable(Text({ title: ['备注', 'Note'] })),
});

const may = codes('ledger');
const Text1 = Type.Object({ text: Text({ title: ['文本', 'Text'] }) });
const anything = { type: 'object', additionalProperties: true } as never;

export const ledger = {
  list: list('/api/test/ledger/list', Entry, { code: may.page }, ['列表', 'List']),
  submit: post('/api/test/ledger/submit', { title: ['提交', 'Submit'], access: { add: may.add, edit: may.edit }, input: Entry.form, reply: anything }),
  remove: post('/api/test/ledger/remove', {
    title: ['删除', 'Remove'],
    access: { code: may.delete },
    input: Type.Object({ ids: Type.Array(Id(), { minItems: 1 }) }),
    reply: anything,
  }),
  add: post('/api/test/ledger/add', {
    title: ['记账', 'Add'],
    access: 'signedIn',
    input: Text1,
    reply: Type.Object({ count: Integer({ title: ['数', 'Count'] }) }),
  }),
  all: get('/api/test/ledger/all', {
    title: ['全部', 'All'],
    access: 'signedIn',
    input: Type.Object({}),
    reply: Type.Array(Type.Object({ title: Text({ title: ['标题', 'Title'] }) })),
  }),
  fail: post('/api/test/ledger/fail', { title: ['失败', 'Fail'], access: 'signedIn', input: Text1, reply: NoContent }),
  broken: get('/api/test/ledger/broken', { title: ['出错', 'Broken'], access: 'open', input: Type.Object({}), reply: NoContent }),
  empty: get('/api/test/ledger/empty', { title: ['空', 'Empty'], access: 'open', input: Type.Object({}), reply: anything }),
};

export const EntryAdded = event<{ title: string }>('ledger:entry-added');

export const ledgerMenu = menu({
  code: 'ledger',
  title: ['账本', 'Ledger'],
  path: '/desk/ledger',
  under: 'desk',
  buttons: ['add', 'edit', 'delete', { code: 'ledger_audit', title: ['审核', 'Audit'] }],
});

/** Events that listeners of `EntryAdded` have received, in order. */
export const heard: string[] = [];

export const ledgerPlugin: InstalledPlugin = {
  migrations: {
    '0001-ledger.sql': `create table ledger_entry (like base_row including all, title varchar(255) not null); call own_by_tenant('ledger_entry');`,
  },
  plugin: defineServerPlugin({
    id: 'ledger',
    title: ['账本', 'Ledger'],
    menus: [ledgerMenu],
    setup({ db, emit }) {
      return {
        routes: [
          route(ledger.list, () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 })),
          route(ledger.submit, ({ input }) => ({ ...input }) as never),
          route(ledger.remove, ({ input }) => input as never),
          route(ledger.add, async ({ input }) => {
            await queryRows(db, sql`insert into ledger_entry (title) values (${input.text})`);
            emit(EntryAdded, { title: input.text });
            const [row] = await queryRows<{ count: string }>(db, sql`select count(*) as count from ledger_entry`);
            return { count: Number(row?.count), secret: 'not in the schema' };
          }),
          route(ledger.all, () => queryRows<{ title: string }>(db, sql`select * from ledger_entry`)),
          route(ledger.fail, async ({ input }) => {
            await queryRows(db, sql`insert into ledger_entry (title) values (${input.text})`);
            emit(EntryAdded, { title: input.text });
            throw new ApiError(problems.conflict);
          }),
          route(ledger.broken, () => {
            throw new Error('password=hunter2 at /srv/secret.ts');
          }),
          route(ledger.empty, () => null as never),
        ],
        listeners: [
          listener(EntryAdded, () => {
            throw new Error('this listener always fails');
          }),
          listener(EntryAdded, ({ title }) => void heard.push(title)),
        ],
      };
    },
  }),
};
