import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTaskOffice, type TaskOffice } from '../../../support/task-office.ts';
import { password } from '../../../support/test-server.ts';

const path = '/api/things-task/payee';
const codes = [
  'payee',
  'payee_add',
  'payee_edit',
  'payee_view',
  'payee_verify',
  'payee_reveal',
  'payee_export',
  'payee_income',
  'platform_report',
  'platform_report_add',
];
/** Types of data scopes: all rows, those of the user, of the own department. */
const [all, own, dept] = [1, 2, 3];
type Headers = Record<string, string>;

let office: TaskOffice;
let scopes = 800;
/** Payees whose rows the system, a clerk without a scope, and one with the scope of own rows have added. */
let paid: string;
let byManager: string;
let byClerk: string;
let manager: Headers;
let clerk: Headers;

async function operator(account: string, scope: number, department: number): Promise<Headers> {
  const { userId } = await office.server.createUser({ account, codes, roleAlias: account });
  await office.server.sql(`insert into user_dept (tenant_id, user_id, dept_id) values ('000000', ${userId}, ${department})`);
  for (const page of ['payee', 'payee_income', 'platform_report']) {
    scopes += 1;
    await office.server.sql(`insert into data_scope (id, menu_id, scope_name, resource_code, scope_field, scope_class, scope_column, scope_type)
      select ${scopes}, id, '${account}', '${account}-${page}', '*', 'payee', '${scope === dept ? 'create_dept' : 'create_user'}', ${scope} from menu where code = '${page}'`);
    await office.server.sql(
      `insert into role_scope (tenant_id, role_id, scope_category, scope_id) select '000000', id, 1, ${scopes} from role where role_alias = '${account}'`,
    );
  }
  return office.server.signIn(account);
}

const add = async (by: Headers, userId: string) =>
  (await office.post(`${path}/submit`, { userId, name: '安妮', documentKind: 2, documentNo: 'P1234567', alipayAccount: '13800000002' }, by)).data.id as string;
const seen = async (by: Headers): Promise<string[]> =>
  (await office.get(`${path}/list`, { size: '50' }, by)).data.records.map(({ id }: { id: string }) => id).sort();

beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['payment', 'payee'] });
  await office.server.sql(`insert into dept (id, tenant_id, parent_id, ancestors, dept_name, full_name) values
    (210, '000000', 0, '0', '华东', '华东'), (220, '000000', 0, '0', '华南', '华南')`);
  manager = await operator('manager', all as number, 210);
  clerk = await operator('clerk', own as number, 210);
  paid = (await office.createMember('paid')).userId;
  await office.server.sql(`insert into payee (tenant_id, user_id, nick_name) values ('000000', ${paid}, '小王')`);
  byManager = await add(manager, (await office.createMember('ann')).userId);
  byClerk = await add(clerk, (await office.createMember('ben')).userId);
});
afterAll(() => office.server.stop());

test('a payee belongs to the user who added it; one that the system added belongs to no user and needs full access', async () => {
  const mate = await operator('mate', dept as number, 210);
  const south = await operator('south', dept as number, 220);
  const stranger = await operator('stranger', own as number, 210);
  expect(await seen(manager)).toEqual([paid, byManager, byClerk].sort());
  expect(await seen(clerk)).toEqual([byClerk]);
  expect(await seen(mate)).toEqual([byManager, byClerk].sort());
  expect(await seen(south)).toEqual([]);
  expect(await seen(stranger)).toEqual([]);
});

test('a payee outside of the scope does not exist for any call, and adding it again names no one', async () => {
  const version = (await office.get(`${path}/detail`, { id: paid }, manager)).data.version;
  for (const id of [paid, byManager]) {
    expect((await office.get(`${path}/detail`, { id }, clerk)).code).toBe(404);
    expect((await office.get(`${path}/history`, { id }, clerk)).code).toBe(404);
    expect((await office.post(`${path}/submit`, { id, name: '别人' }, clerk)).code).toBe(404);
    expect((await office.post(`${path}/verify`, { id, version }, clerk)).code).toBe(404);
    expect((await office.post(`${path}/reject`, { id, version, reason: '不清' }, clerk)).code).toBe(404);
    expect((await office.post(`${path}/reveal`, { id, password }, clerk)).code).toBe(404);
    const again = await office.post(`${path}/submit`, { userId: id, name: '别人' }, clerk);
    expect(again.code).toBe(409);
    expect(JSON.stringify(again.body)).not.toMatch(/安妮|小王/);
  }
  // An edit by a user with full access gives the payee to no user.
  expect((await office.post(`${path}/submit`, { id: paid, consentVersion: 'v1' }, manager)).code).toBe(200);
  expect(await seen(clerk)).toEqual([byClerk]);
  const { data: file } = await office.post(`${path}/export`, { format: 'csv' }, clerk);
  expect(JSON.stringify(file)).not.toContain('小王');
});

test('income and reports contain all payees, so users who see a part of them get none', async () => {
  await office.server.sql(
    `insert into payee_income (tenant_id, user_id, kind, period, payouts, gross, withheld) values ('000000', ${byClerk}, 1, '2026-01', 1, 100, 0)`,
  );
  const incomes = async (by: Headers) => (await office.get(`${path}-income/list`, {}, by)).data.records.length;
  expect([await incomes(manager), await incomes(clerk)]).toEqual([1, 0]);
  const compile = (by: Headers) => office.post('/api/things-task/platform-report/compile', { quarter: '2026-Q1' }, by);
  expect((await compile(clerk)).msg).toBe('您只能看到部分收款人或付款，不能查看收款人收入');
  expect((await compile(manager)).code).toBe(200);
  const reports = async (by: Headers) => (await office.get('/api/things-task/platform-report/list', {}, by)).data.records.length;
  expect([await reports(manager), await reports(clerk)]).toEqual([1, 0]);
});
