import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { decodeJwt } from 'jose';
import { role } from '#plugins/access/contract';
import { permissionExplanation } from '#plugins/access/explain-contract';
import { scopeRule } from '#plugins/access/scope-contract';
import { audienceRoles } from '#plugins/notice/contract';
import { user } from '#plugins/organization/contract';
import { registrationChoices } from '#plugins/registration/contract';
import { oauth } from '#shared/auth';
import { archivedNames, searchRecords } from '#shared/record-uses';
import { rolePreview } from '#shared/role-preview';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../support/test-server.ts';
import { sheetOf } from '../../../support/workbook.ts';

type Headers = Record<string, string>;

let server: TestServer;
let chinese: Headers;
let english: Headers;
/** A role with names in both languages, and one with a Chinese name only. */
let cashier: { id: string; userId: string };
let clerk: { id: string; userId: string };

beforeAll(async () => {
  server = await openTestServer({ plugins: ['access', 'dictionary', 'organization', 'notice', 'registration', 'settings', 'tenant', 'transfers'] });
  chinese = await server.signIn();
  english = inEnglish(chinese);
  const createUserWithRole = async (account: string, names: string) => {
    const { roleId, userId } = await server.createUser({ account, codes: ['post'] });
    await server.sql(`update role set (role_name, role_name_en) = (${names}) where id = ${roleId}`);
    return { id: roleId, userId };
  };
  cashier = await createUserWithRole('cashier', "'出纳', 'Cashier'");
  clerk = await createUserWithRole('clerk', "'文员', null");
});
afterAll(() => server.stop());

const inEnglish = (headers: Headers) => ({ ...headers, 'accept-language': 'en' });
const get = async (path: string, headers: Headers, query: Headers = {}) => (await server.get(path, { headers, query })).data;
const post = (path: string, input: object, headers = chinese) => server.post(path, input, { headers });
const save = async (form: object) => {
  const reply = await post(role.submit.path, { roleAlias: 'user', sort: 1, ...form });
  expect(reply.code, reply.msg).toBe(200);
  return reply.data;
};

interface NamedRow {
  readonly name?: string;
  readonly title?: string;
}
/** Names of an answer, in alphabetical order. */
const namesIn = (rows: readonly NamedRow[]) => rows.map(({ name, title }) => name ?? title).sort();

test('the first administrator’s role and that of a new tenant have names in both languages', async () => {
  const administrators = (await get(role.select.path, chinese)).filter(({ roleAlias }: { roleAlias: string }) => roleAlias === 'administrator');
  expect(administrators).toMatchObject([{ roleName: '超级管理员', roleNameEn: 'Administrator' }]);
  const made = await post('/api/blade-system/tenant/submit', { tenantName: '星光', linkman: '王', contactNumber: '13800000001' });
  expect(made.code, made.msg).toBe(200);
  const ofTenant = await server.sql("select role_name, role_name_en from role where role_alias = 'admin' and tenant_id <> '000000'");
  expect(ofTenant).toEqual([{ role_name: '管理员', role_name_en: 'Tenant administrator' }]);
});

test('pickers and trees name roles in the language of the request', async () => {
  const pickers: readonly [path: string, query?: Headers][] = [
    [role.tree.path],
    [role.treeById.path, { roleId: '1' }],
    [user.roles.path],
    [audienceRoles.path],
    [registrationChoices.roles.path],
  ];
  for (const [path, query] of pickers) {
    expect({ path, names: namesIn(await get(path, chinese, query)) }).toEqual({ path, names: ['出纳', '文员', '超级管理员'] });
    expect({ path, names: namesIn(await get(path, english, query)) }).toEqual({ path, names: ['Administrator', 'Cashier', '文员'] });
  }
});

test('a token reply has the names of the roles in both languages, and the access token has none', async () => {
  const signIn = async (account: string) =>
    (await server.post(oauth.token.path, { grant_type: 'password', tenantId: '000000', username: account, password }, { headers: clientHeaders })).body;
  const reply = await signIn('cashier');
  expect(reply).toMatchObject({ roleName: '出纳', roleNameEn: 'Cashier', role_name: 'user' });
  expect(JSON.stringify(decodeJwt(reply.access_token))).not.toMatch(/Cashier|出纳|roleNameEn/);
  expect(await signIn('clerk')).not.toHaveProperty('roleNameEn');
  const sessionHeaders = { ...clientHeaders, 'things-auth': `bearer ${reply.access_token}` };
  expect(await get(oauth.userInfo.path, sessionHeaders)).toMatchObject({ roleName: '出纳', roleNameEn: 'Cashier', choices: { roles: [{ name: '出纳' }] } });
  expect(await get(oauth.userInfo.path, inEnglish(sessionHeaders))).toMatchObject({
    roleName: '出纳',
    roleNameEn: 'Cashier',
    choices: { roles: [{ name: 'Cashier' }] },
  });
});

test('a session that acts as one of its roles has the English name of this one', async () => {
  await server.sql(`insert into user_role (tenant_id, user_id, role_id) values ('000000', ${cashier.userId}, ${clerk.id})`);
  const signIn = async (headers: Headers) =>
    (
      await server.post(
        oauth.token.path,
        { grant_type: 'password', tenantId: '000000', username: 'cashier', password },
        { headers: { ...clientHeaders, ...headers } },
      )
    ).body;
  const both = await signIn({});
  expect(both.roleName.split(',').sort()).toEqual(['出纳', '文员']);
  expect(both.roleNameEn.split(',')).toEqual(both.roleName.split(',').map((name: string) => (name === '出纳' ? 'Cashier' : name)));
  expect(await signIn({ 'role-id': cashier.id })).toMatchObject({ roleName: '出纳', roleNameEn: 'Cashier' });
  expect(await signIn({ 'role-id': clerk.id })).not.toHaveProperty('roleNameEn');
  await server.sql(`delete from user_role where user_id = ${cashier.userId} and role_id = ${clerk.id}`);
});

test('a preview names its roles in both languages', async () => {
  const own = await server.signIn();
  expect((await post(rolePreview.begin.path, { roleIds: [cashier.id] }, own)).data).toMatchObject({
    roleName: '出纳',
    roleNameEn: 'Cashier',
    is_preview: true,
  });
  expect((await post(rolePreview.end.path, {}, own)).data).toMatchObject({ roleName: '超级管理员', roleNameEn: 'Administrator' });
  expect((await post(rolePreview.begin.path, { roleIds: [clerk.id] }, own)).data).not.toHaveProperty('roleNameEn');
  await post(rolePreview.end.path, {}, own);
});

test('explanations, the summary and visible rows name roles in the language of their reader', async () => {
  const stepOf = async (userId: string) =>
    (await get(permissionExplanation.explain.path, chinese, { about: 'post', userId })).steps.find(({ step }: { step: string }) => step === 'role').sentence;
  const sentence = await stepOf(cashier.userId);
  expect(sentence[0]).toContain('出纳');
  expect(sentence[1]).toContain('Cashier');
  expect((await stepOf(clerk.userId))[1]).toContain('文员');

  for (const [headers, name] of [
    [chinese, '出纳'],
    [english, 'Cashier'],
  ] as const) {
    const summary = await get(permissionExplanation.summary.path, headers, { userId: cashier.userId });
    const pages = summary.groups.flatMap((group: { pages: object[] }) => group.pages);
    expect(summary.roles).toEqual([name]);
    expect(pages).toContainEqual(expect.objectContaining({ code: 'post', roles: [name] }));
  }

  await post(scopeRule.set.path, { roleId: cashier.id, rules: [{ entity: 'post', type: 2 }] });
  expect(namesIn(await get(scopeRule.list.path, chinese))).toEqual(['出纳']);
  expect(namesIn(await get(scopeRule.list.path, english))).toEqual(['Cashier']);
});

test('users are listed and exported with the names of their roles in the language of the reader, and imported by them', async () => {
  const exportUsers = async (headers: Headers) => {
    const file = await server.get('/api/blade-system/user/export-user', { headers, query: { account_equal: 'cashier' } });
    return { file: file.body.bytes, rows: await sheetOf(file.body.bytes) };
  };
  const [heading, row] = (await exportUsers(chinese)).rows;
  const column = heading?.indexOf('角色名称') ?? -1;
  expect(row?.[column]).toBe('出纳');
  const { file, rows } = await exportUsers(english);
  expect(rows[1]?.[column]).toBe('Cashier');
  const imported = await server.upload(
    '/api/blade-system/user/import-user',
    { name: 'users.xlsx', content: file },
    { headers: english, query: { isCovered: '1' } },
  );
  expect(imported).toMatchObject({ code: 200, data: { good: 1, bad: 0 } });
  expect(await server.sql(`select role_id::text as id from user_role where user_id = ${cashier.userId}`)).toEqual([{ id: cashier.id }]);
  expect(await get(user.roles.path, english, { ids: cashier.id })).toEqual([{ id: cashier.id, name: 'Cashier' }]);
});

test('the search finds both names, and answers in the language of its user', async () => {
  const searchNames = async (q: string, headers: Headers) =>
    (await get(searchRecords.path, headers, { q })).flatMap(({ records }: { records: NamedRow[] }) => namesIn(records));
  await expect.poll(() => searchNames('Cashier', english), { timeout: 10_000 }).toContain('Cashier');
  expect(await searchNames('Cashier', chinese)).toContain('出纳');
  expect(await searchNames('出纳', english)).toContain('Cashier');
  expect(await get(role.list.path, english, { roleNameEn: 'Cash' })).toMatchObject([{ roleName: '出纳', roleNameEn: 'Cashier' }]);
});

test('a renamed role loses its outdated English name, unless the form has both', async () => {
  const made = await save({ roleName: '运营', roleNameEn: 'Operations' });
  expect(await save({ ...made, sort: 2 })).toMatchObject({ roleName: '运营', roleNameEn: 'Operations' });
  const renamed = await save({ id: made.id, roleName: '市场' });
  expect(renamed).toMatchObject({ roleName: '市场', roleNameEn: null });
  const both = await save({ id: made.id, roleName: '销售', roleNameEn: 'Sales' });
  expect(both).toMatchObject({ roleName: '销售', roleNameEn: 'Sales' });
  const { version: _, ...row } = both;
  expect(await save({ ...row, roleName: '渠道' })).toMatchObject({ roleName: '渠道', roleNameEn: null });
});

test('an archived role is named in the language of the reader, and so it is when it refuses a member', async () => {
  const { id } = await save({ roleName: '旧角色', roleNameEn: 'Former role' });
  await post('/api/oms-system/role/archive', { ids: [id] });
  const question = { entity: 'role', field: 'id', title: 'name', values: id };
  expect(await get(archivedNames.path, chinese, question)).toEqual([{ value: id, title: '旧角色' }]);
  expect(await get(archivedNames.path, english, question)).toEqual([{ value: id, title: 'Former role' }]);
  const addMember = (headers: Headers) => post(role.addMembers.path, { roleId: id, ids: [clerk.userId] }, headers);
  expect((await addMember(chinese)).msg).toContain('旧角色');
  expect((await addMember(english)).msg).toContain('Former role');
});

test('a copy has both names where its form has both', async () => {
  const copy = async (names: object) => (await post(role.copy.path, { id: cashier.id, ...names })).data;
  expect(await copy({ roleName: '出纳 - 副本', roleNameEn: 'Copy of Cashier' })).toMatchObject({ roleName: '出纳 - 副本', roleNameEn: 'Copy of Cashier' });
  expect(await copy({ roleName: 'Copy of 文员' })).toMatchObject({ roleName: 'Copy of 文员', roleNameEn: null });
});

test('a role that gives a page is named after it in both languages, not only in its creator’s', async () => {
  const give = (headers: Headers) =>
    post('/api/oms-system/user/give-work', { account: 'helper', realName: '帮手', phone: '13800000009', works: ['page:dept'] }, headers);
  expect((await give(english)).code).toBe(200);
  expect(await server.sql("select role_name, role_name_en from role where role_alias = 'dept'")).toEqual([
    { role_name: '部门管理', role_name_en: 'Departments' },
  ]);
  const titles = async (headers: Headers) => namesIn((await get('/api/oms-system/user/works', headers)).works);
  expect(await titles(chinese)).toContain('出纳');
  expect(await titles(english)).toContain('Cashier');
});
