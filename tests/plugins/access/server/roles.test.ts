import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['access', ledgerPlugin] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const oms = '/api/oms-system/role';
const blade = '/api/blade-system/role';
const rolePowers = ['role', 'role_add', 'role_edit', 'role_delete', 'role_view', 'role_grant'];
const menuIds = async (...codes: string[]) =>
  (await server.sql(`select id::text as id from menu where code in (${codes.map((code) => `'${code}'`).join(',')}) order by code`)).map(({ id }) => String(id));
const addRole = async (roleName: string, more: object = {}, as = headers) =>
  server.post(`${oms}/submit`, { roleName, roleAlias: 'user', sort: 1, ...more }, { headers: as });
const menusOf = async (roleId: string): Promise<string[]> => (await server.get(`${oms}/rolemenus`, { headers, query: { roleId } })).data;
const setMenus = (roleId: string, ids: readonly string[], as = headers) => server.post(`${oms}/setrolemenus`, { roleId, menuIds: ids }, { headers: as });

let count = 0;
/** Creates a user who may grant permissions and has these codes as well. */
async function granter(...codes: string[]) {
  const account = `granter${++count}`;
  const { roleId, userId } = await server.createUser({ account, codes: [...rolePowers, ...codes] });
  return { roleId, userId, headers: await server.signIn(account) };
}

test('roles are listed as a tree, under both names of the service', async () => {
  const { data: above } = await addRole('审核组');
  await addRole('初审', { parentId: above.id });
  for (const path of [oms, blade]) {
    const { data } = await server.get(`${path}/list`, { headers });
    expect(data.find(({ id }: { id: string }) => id === above.id)).toMatchObject({ roleName: '审核组', children: [{ roleName: '初审' }] });
  }
});

test('grants and revocations of a role apply at the next request', async () => {
  const { roleId } = await server.createUser({ account: 'clerk' });
  const clerk = await server.signIn('clerk');
  expect((await server.get('/api/test/ledger/list', { headers: clerk })).status).toBe(403);
  const ids = await menuIds('ledger');
  expect(await setMenus(roleId, ids)).toMatchObject({ code: 200 });
  expect(await menusOf(roleId)).toEqual(ids);
  expect((await server.get('/api/test/ledger/list', { headers: clerk })).status).toBe(200);
  await server.post(`${blade}/grant`, { roleIds: [roleId], menuIds: [] }, { headers });
  expect((await server.get('/api/test/ledger/list', { headers: clerk })).status).toBe(403);
});

test('two users change the grants of one role, and both changes stay', async () => {
  const { data: role } = await addRole('同时');
  const [ledger, add, edit] = await Promise.all(['ledger', 'ledger_add', 'ledger_edit'].map(async (code) => (await menuIds(code))[0] as string));
  await setMenus(role.id, [ledger as string, add as string]);
  const base = { menu: [ledger, add], dataScope: [], apiScope: [] };
  const grant = (ids: unknown[]) => server.post(`${blade}/grant`, { roleIds: [role.id], menuIds: ids, base }, { headers });
  expect(await grant([ledger, add, edit])).toMatchObject({ code: 200 });
  expect(await grant([ledger])).toMatchObject({ code: 200 });
  expect(new Set(await menusOf(role.id))).toEqual(new Set([ledger, edit]));
});

test('the history of a role names what was granted and revoked', async () => {
  const { data: role } = await addRole('历史');
  const names = async (...codes: string[]) =>
    (await server.sql(`select name from menu where code in (${codes.map((code) => `'${code}'`).join(',')}) order by id`)).map(({ name }) => name);
  await setMenus(role.id, await menuIds('ledger', 'ledger_add'));
  await setMenus(role.id, await menuIds('ledger', 'ledger_edit'));
  await setMenus(role.id, await menuIds('ledger', 'ledger_edit'));
  const { data } = await server.get(`${oms}/history`, { headers, query: { id: role.id } });
  expect(data.records.map(({ title, fields }: { title: string; fields: object }) => [title, fields])).toEqual([
    ['设置角色菜单', { menus: [await names('ledger_add'), await names('ledger_edit')] }],
    ['设置角色菜单', { menus: [[], await names('ledger', 'ledger_add')] }],
    ['新增或修改', expect.objectContaining({ roleName: [null, '历史'] })],
  ]);
});

test('users cannot grant more than they have; grants that they cannot see stay unchanged', async () => {
  const { headers: own } = await granter('ledger', 'ledger_add');
  const { data: role } = await addRole('助理');
  const [edit] = await menuIds('ledger_edit');
  expect(await setMenus(role.id, await menuIds('ledger', 'ledger_edit'), own)).toMatchObject({ status: 403, msg: '不能授予超出自身的权限' });
  expect(await menusOf(role.id)).toEqual([]);
  await setMenus(role.id, [edit as string]);
  expect(await setMenus(role.id, await menuIds('ledger'), own)).toMatchObject({ code: 200 });
  expect((await menusOf(role.id)).sort()).toEqual((await menuIds('ledger', 'ledger_edit')).sort());
  const { data } = await server.get('/api/blade-system/menu/grant-tree', { headers: own });
  expect(JSON.stringify(data.menu)).not.toContain(edit);
});

test('any sequence of requests grants nothing that the granter did not have', async () => {
  const all = await server.sql("select id::text as id, code from menu where is_deleted = 0 and code like 'ledger%'");
  const may = ['ledger', 'ledger_delete'];
  const { headers: own } = await granter(...may);
  const { data: role } = await addRole('随机');
  let seed = 42;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const outcomes = new Set<number>();
  for (let round = 0; round < 40; round++) {
    const wanted = all.filter(() => random() < 0.35);
    const before = await menusOf(role.id);
    const { status } = await setMenus(
      role.id,
      wanted.map(({ id }) => String(id)),
      own,
    );
    outcomes.add(status);
    const after = await menusOf(role.id);
    const isWithin = wanted.every(({ code }) => may.includes(String(code)));
    expect(status).toBe(isWithin ? 200 : 403);
    expect([...after].sort()).toEqual(isWithin ? wanted.map(({ id }) => String(id)).sort() : [...before].sort());
  }
  expect(outcomes).toEqual(new Set([200, 403]));
});

test('the administrator role cannot be changed, removed, granted to or created again', async () => {
  const [row] = await server.sql("select id::text as id from role where role_alias = 'administrator'");
  const id = String(row?.id);
  const { headers: own } = await granter();
  for (const as of [headers, own]) {
    expect((await setMenus(id, [], as)).status).toBe(403);
    expect((await server.post(`${blade}/remove`, { ids: [id] }, { headers: as })).status).toBe(403);
    expect((await server.post(`${blade}/copy`, { id, roleName: '又一个' }, { headers: as })).status).toBe(403);
    expect((await addRole('假管理员', { roleAlias: 'administrator' }, as)).status).toBe(403);
    expect((await server.post(`${oms}/submit`, { id, roleName: '凡人', roleAlias: 'user', sort: 1 }, { headers: as })).status).toBe(403);
  }
  expect((await server.post(`${oms}/submit`, { id, roleName: '改名', roleAlias: 'administrator', sort: 1 }, { headers: own })).status).toBe(403);
  const { data } = await server.get(`${blade}/select`, { headers: own });
  expect(data.map(({ roleAlias }: { roleAlias: string }) => roleAlias)).not.toContain('administrator');
});

test("only an administrator makes a role a tenant administrator's", async () => {
  const { headers: own } = await granter();
  expect((await addRole('租户管理员', { roleAlias: 'admin' }, own)).status).toBe(403);
  const { data: plain } = await addRole('普通', {}, own);
  expect((await server.post(`${oms}/submit`, { ...plain, roleAlias: 'admin' }, { headers: own })).status).toBe(403);
  expect((await addRole('租户管理员', { roleAlias: 'admin' })).code).toBe(200);
});

test('a copy has the grants of its original, unless the copier could not give them', async () => {
  const { data: role } = await addRole('模板');
  const ids = await menuIds('ledger', 'ledger_add');
  await setMenus(role.id, ids);
  const { data: copy } = await server.post(`${blade}/copy`, { id: role.id, roleName: '模板 - 副本' }, { headers });
  expect((await menusOf(copy.id)).sort()).toEqual([...ids].sort());
  const { headers: own } = await granter('ledger');
  expect((await server.post(`${blade}/copy`, { id: role.id, roleName: '偷来' }, { headers: own })).status).toBe(403);
  expect((await server.get(`${oms}/list`, { headers, query: { roleName: '偷来' } })).data).toEqual([]);
});

test('members of a role are listed by account; a removed member loses it at the next request', async () => {
  const { roleId, userId } = await server.createUser({ account: 'member', codes: ['ledger'] });
  const member = await server.signIn('member');
  const { data } = await server.get(`${blade}/members`, { headers, query: { roleId } });
  expect(data).toMatchObject({ total: 1, records: [{ id: userId, account: 'member', realName: 'member', deptName: '' }] });
  expect((await server.get('/api/test/ledger/list', { headers: member })).status).toBe(200);
  expect((await server.post(`${blade}/remove`, { ids: [roleId] }, { headers })).status).toBe(409);
  expect((await server.post(`${blade}/dismiss`, { roleId, ids: [userId, '99'] }, { headers })).status).toBe(404);
  expect(await server.post(`${blade}/dismiss`, { roleId, ids: [userId] }, { headers })).toMatchObject({ code: 200 });
  expect((await server.get('/api/test/ledger/list', { headers: member })).status).toBe(403);
  expect((await server.post(`${blade}/remove`, { ids: [roleId] }, { headers })).code).toBe(200);
});

test('roles of another tenant are as absent ones', async () => {
  await server.createTenant('orchid');
  const { roleId } = await server.createUser({ account: 'boss', codes: rolePowers, roleAlias: 'admin', tenantId: 'orchid' });
  const boss = await server.signIn('boss', 'orchid');
  const { data: ours } = await addRole('自家');
  const answers = async (id: string) => [
    (await server.get(`${oms}/rolemenus`, { headers: boss, query: { roleId: id } })).data.length,
    (await setMenus(id, [], boss)).status,
    (await server.post(`${blade}/copy`, { id, roleName: '别家' }, { headers: boss })).status,
    (await server.post(`${blade}/dismiss`, { roleId: id, ids: ['1'] }, { headers: boss })).status,
    (await server.get(`${blade}/members`, { headers: boss, query: { roleId: id } })).data.total,
    (await server.get(`${blade}/tree-by-id`, { headers: boss, query: { roleId: id } })).data.length,
  ];
  expect(await answers(ours.id)).toEqual(await answers('999999999999'));
  expect(await answers(ours.id)).toEqual([0, 404, 404, 404, 0, 1]);
  expect((await server.get(`${blade}/tree`, { headers: boss })).data).toMatchObject([{ id: roleId, title: 'boss', value: roleId, key: roleId }]);
  expect((await server.get(`${blade}/tree`, { headers: boss, query: { tenantId: '000000' } })).data).toEqual([]);
});

test('a parent is selected from roles other than the role itself and its descendants', async () => {
  const { data: above } = await addRole('上');
  const { data: below } = await addRole('下', { parentId: above.id });
  const { data } = await server.get(`${blade}/tree-by-id`, { headers, query: { roleId: above.id } });
  expect(JSON.stringify(data)).not.toContain(below.id);
  expect((await server.post(`${oms}/submit`, { ...above, parentId: below.id }, { headers })).status).toBe(409);
});

test('a role is assigned to users from its screen; only permitted roles, to permitted users, and not to the caller', async () => {
  const { userId, headers: own } = await granter('ledger');
  const { data: role } = await addRole('值班');
  await setMenus(role.id, await menuIds('ledger'));
  const fresh = await server.createUser({ account: 'freshman' });
  const candidates = async () => (await server.get(`${blade}/candidates`, { headers: own, query: { roleId: role.id, text: 'freshm' } })).data;
  expect(await candidates()).toMatchObject([{ id: fresh.userId, account: 'freshman' }]);
  const addMembers = (roleId: string, ids: readonly string[], as = own) => server.post(`${blade}/enlist`, { roleId, ids }, { headers: as });
  expect(await addMembers(role.id, [fresh.userId])).toMatchObject({ code: 200 });
  expect(await candidates()).toEqual([]);
  const clerk = await server.signIn('freshman');
  expect((await server.get('/api/test/ledger/list', { headers: clerk })).status).toBe(200);
  expect(await addMembers(role.id, [fresh.userId])).toMatchObject({ code: 200 });
  expect(await addMembers(role.id, [userId])).toMatchObject({ status: 403, msg: '不能更改自己的角色' });
  expect((await addMembers(role.id, [fresh.userId, '99'])).status).toBe(404);
  const mightier = await server.createUser({ account: 'mightier', codes: ['ledger_audit'] });
  expect((await addMembers(role.id, [mightier.userId])).status).toBe(403);
  expect((await addMembers(mightier.roleId, [fresh.userId])).status).toBe(403);
});
