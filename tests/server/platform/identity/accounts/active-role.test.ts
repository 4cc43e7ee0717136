import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { ledgerPlugin } from '../../../../support/ledger-plugin.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

let server: TestServer;
let ids: { auditor: string; cashier: string; north: string; south: string; foreign: string };

beforeAll(async () => {
  server = await openTestServer({ plugins: [ledgerPlugin] });
  const { userId, roleId } = await server.createUser({ account: 'both', codes: ['ledger', 'ledger_add'], roleAlias: 'cashier' });
  const { roleId: foreign } = await server.createUser({ account: 'other', codes: [] });
  const [made] = await server.sql(`select next_id()::text as auditor, next_id()::text as north, next_id()::text as south`);
  ids = { cashier: roleId, foreign, ...(made as { auditor: string; north: string; south: string }) };
  await server.sql(`update role set role_name = '出纳', sort = 1 where id = ${roleId}`);
  await server.sql(`insert into role (id, tenant_id, role_name, role_alias, sort) values (${ids.auditor}, '000000', '审核员', 'auditor', 2)`);
  await server.sql(`insert into user_role (tenant_id, user_id, role_id) values ('000000', ${userId}, ${ids.auditor})`);
  await server.sql(
    `insert into role_menu (tenant_id, role_id, menu_id) select '000000', ${ids.auditor}, id from menu where code in ('ledger', 'ledger_audit')`,
  );
  await server.sql(
    `insert into dept (id, tenant_id, dept_name, full_name) values (${ids.north}, '000000', '北区', '北区'), (${ids.south}, '000000', '南区', '南区')`,
  );
  await server.sql(
    `insert into user_dept (tenant_id, user_id, dept_id, sort) values ('000000', ${userId}, ${ids.north}, 1), ('000000', ${userId}, ${ids.south}, 2)`,
  );
});
afterAll(() => server.stop());

type Tokens = Record<string, string>;
const ask = async (body: object, headers: Record<string, string> = {}): Promise<Tokens> =>
  (await server.post('/api/things-auth/oauth/token', body, { headers: { ...clientHeaders, ...headers } })).body;
const signIn = (headers = {}) => ask({ grant_type: 'password', tenantId: '000000', username: 'both', password }, headers);
const refresh = ({ refresh_token }: Tokens, headers = {}) => ask({ grant_type: 'refresh_token', refresh_token, tenantId: '000000' }, headers);
const as = ({ access_token }: Tokens) => ({ headers: { 'things-auth': `bearer ${access_token}` } });
const buttons = async (tokens: Tokens): Promise<string[]> =>
  ((await server.get('/api/blade-system/menu/buttons', as(tokens))).data[0]?.children ?? []).map(({ code }: { code: string }) => code);
const facts = ({ role_name, roleName, role_id, dept_id, depart_id }: Tokens) => ({ role_name, roleName, role_id, dept_id, depart_id });

test('a user with several roles and departments acts in all of them, under the names of the roles', async () => {
  const tokens = await signIn();
  expect(facts(tokens)).toEqual({
    role_name: 'cashier,auditor',
    roleName: '出纳,审核员',
    role_id: `${ids.cashier},${ids.auditor}`,
    dept_id: `${ids.north},${ids.south}`,
    depart_id: ids.north,
  });
  expect(await buttons(tokens)).toEqual(['ledger_add', 'ledger_audit']);
});

test('a refresh may select one of each, which then applies after further refreshes too', async () => {
  const before = await signIn();
  const chosen = await refresh(before, { 'Dept-Id': ids.south, 'Role-Id': ids.auditor });
  const auditor = { role_name: 'auditor', roleName: '审核员', role_id: ids.auditor, dept_id: ids.south, depart_id: ids.south };
  expect(facts(chosen)).toEqual(auditor);
  expect(await buttons(chosen)).toEqual(['ledger_audit']);
  expect(await buttons(before)).toEqual(['ledger_audit']);
  const later = await refresh(chosen);
  expect(facts(later)).toEqual(auditor);
  const info = (await server.get('/api/blade-auth/oauth/user-info', as(later))).data;
  expect(info).toMatchObject({ roles: ['auditor'], dept_id: ids.south });
  expect(info.choices).toEqual({
    depts: [
      { id: ids.north, name: '北区' },
      { id: ids.south, name: '南区' },
    ],
    roles: [
      { id: ids.cashier, name: '出纳' },
      { id: ids.auditor, name: '审核员' },
    ],
  });
  expect(await buttons(await refresh(later, { 'Role-Id': ids.cashier }))).toEqual(['ledger_add']);
});

test('roles and departments of others cannot be selected', async () => {
  for (const wrong of [ids.foreign, '0', 'administrator', "1' or '1'='1", `${ids.auditor},${ids.foreign}`]) {
    const tokens = await refresh(await signIn(), { 'Dept-Id': wrong, 'Role-Id': wrong });
    expect({ wrong, ...facts(tokens) }).toMatchObject({ wrong, role_name: 'cashier,auditor', dept_id: `${ids.north},${ids.south}` });
  }
});

test('another session of the same user is left as it is, and one may choose while signing in', async () => {
  const other = await signIn();
  const chosen = await signIn({ 'Role-Id': ids.auditor });
  expect(chosen.role_name).toBe('auditor');
  expect(await buttons(other)).toEqual(['ledger_add', 'ledger_audit']);
});

test('a role taken away is not acted as any more, even where it was chosen', async () => {
  const chosen = await refresh(await signIn(), { 'Role-Id': ids.auditor });
  await server.sql(`delete from user_role where role_id = ${ids.auditor}`);
  const after = await refresh(chosen);
  expect(after.role_name).toBe('cashier');
  expect(await buttons(after)).toEqual(['ledger_add']);
});
