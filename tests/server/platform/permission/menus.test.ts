import { afterAll, beforeAll, expect, test } from '@rstest/core';
import type { MenuItem } from '../../../../src/shared/platform/menus.ts';
import { ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { openTestServer, type TestServer, testServer } from '../../../support/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: [ledgerPlugin] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const routes = async (of = headers, at = server): Promise<MenuItem[]> => (await at.get('/api/things-system/menu/routes', { headers: of })).data;
const buttons = async (of = headers, at = server): Promise<MenuItem[]> => (await at.get('/api/blade-system/menu/buttons', { headers: of })).data;
const codesOf = (items: readonly MenuItem[]): string[] => items.flatMap(({ code, children = [] }) => [code, ...codesOf(children)]);

test('an administrator has every page under its group, in the fields of the wire', async () => {
  const [desk, ...others] = await routes();
  expect(others).toEqual([]);
  expect(desk).toMatchObject({
    code: 'desk',
    parentId: '0',
    name: '工作台',
    alias: 'menu',
    path: '/desk',
    source: 'desktop',
    sort: 1,
    category: 1,
    isOpen: 1,
    remark: null,
  });
  expect(desk?.children).toMatchObject([{ code: 'ledger', name: '账本', path: '/desk/ledger', parentId: desk?.id }]);
  expect(desk?.children?.[0]).not.toHaveProperty('children');
});

test('an entry carries what its page is handed in the address', async () => {
  await server.sql(`update menu set query = 'status=1&name=甲 乙' where code = 'ledger'`);
  const [desk] = await routes();
  expect(desk?.children?.[0]?.query).toEqual({ status: '1', name: '甲 乙' });
  await server.sql(`update menu set query = null where code = 'ledger'`);
});

test('buttons are below their page, the common ones named by their verb', async () => {
  const [page] = await buttons();
  expect(page).toMatchObject({ code: 'ledger', parentId: '0' });
  expect(page?.children?.map(({ code, name, alias, category, action }) => [code, name, alias, category, action])).toEqual([
    ['ledger_add', '新增', 'add', 2, 1],
    ['ledger_edit', '修改', 'edit', 2, 2],
    ['ledger_delete', '删除', 'delete', 2, 3],
    ['ledger_audit', '审核', 'audit', 2, 3],
  ]);
});

test('a role has the pages granted to it with their ancestors, and the buttons granted to it', async () => {
  await server.createUser({ account: 'clerk', codes: ['ledger', 'ledger_add'] });
  const clerk = await server.signIn('clerk');
  expect(codesOf(await routes(clerk))).toEqual(['desk', 'ledger']);
  expect(codesOf(await buttons(clerk))).toEqual(['ledger', 'ledger_add']);
});

test('a group shows only if an entry below it is granted; a page without buttons is no permission', async () => {
  await server.createUser({ account: 'idle', codes: ['desk'] });
  await server.createUser({ account: 'looker', codes: ['ledger'] });
  expect(await routes(await server.signIn('idle'))).toEqual([]);
  expect(await buttons(await server.signIn('looker'))).toEqual([]);
});

test('a caller without a session has no menu', async () => {
  expect((await server.get('/api/things-system/menu/routes')).status).toBe(401);
});

test('a second start adds nothing, and keeps changes and deletions by an administrator', async () => {
  const count = async () => (await server.sql('select 1 from menu')).length;
  const before = await count();
  await server.sql(`update menu set name = '总账', sort = 9 where code = 'ledger'`);
  await server.sql(`update menu set is_deleted = 1 where code = 'ledger_edit'`);
  await server.sql(`delete from menu where code = 'ledger_audit'`);
  const again = await testServer({ plugins: [ledgerPlugin], db: server.db });
  expect(await count()).toBe(before - 1);
  const signedIn = await again.signIn();
  expect((await routes(signedIn, again))[0]?.children?.[0]).toMatchObject({ name: '总账', sort: 9 });
  expect(codesOf(await buttons(signedIn, again))).toEqual(['ledger', 'ledger_add', 'ledger_delete']);
});

test('entries of a removed plugin disappear and return with it', async () => {
  const without = await testServer({ plugins: [], db: server.db });
  const clerk = await without.signIn('clerk');
  expect([await routes(clerk, without), await buttons(clerk, without)]).toEqual([[], []]);
  expect((await without.get('/api/test/ledger/list', { headers: clerk })).status).toBe(404);
  const withIt = await testServer({ plugins: [ledgerPlugin], db: server.db });
  expect(codesOf(await routes(await withIt.signIn('clerk'), withIt))).toEqual(['desk', 'ledger']);
});

test('a page an administrator added is shown like any other', async () => {
  await server.sql(
    `insert into menu (parent_id, code, name, path, sort) select id, 'manual', '手册', 'https://example.com/manual', 5 from menu where code = 'desk'`,
  );
  expect(codesOf(await routes())).toContain('manual');
});

test('pages say which of the caller’s roles lead to them', async () => {
  const authorities = async (of: Record<string, string>) => (await server.get('/api/blade-system/menu/auth-routes', { headers: of })).data;
  expect(await authorities(headers)).toEqual(
    expect.arrayContaining([{ '/desk': { authority: ['administrator'] } }, { '/desk/ledger': { authority: ['administrator'] } }]),
  );
  const { userId } = await server.createUser({ account: 'two-roles', codes: ['ledger'], roleAlias: 'bookkeeper' });
  const { roleId } = await server.createUser({ account: 'nothing', roleAlias: 'bystander' });
  await server.sql(`insert into user_role (tenant_id, user_id, role_id) values ('000000', ${userId}, ${roleId})`);
  expect(await authorities(await server.signIn('two-roles'))).toEqual([
    { '/desk': { authority: ['bookkeeper'] } },
    { '/desk/ledger': { authority: ['bookkeeper'] } },
  ]);
  expect(await authorities(await server.signIn('nothing'))).toEqual([]);
  expect((await server.get('/api/things-system/menu/auth-routes', { headers })).status).toBe(200);
  expect((await server.get('/api/blade-system/menu/auth-routes')).status).toBe(401);
});

test('a new button is granted to the roles that have its page, where it is declared so', async () => {
  await server.createUser({ account: 'before', codes: ['ledger'] });
  const before = await server.signIn('before');
  const buttonsLater = [
    { code: 'ledger_setting', title: ['设置', 'Set up'], isGrantedWithPage: true },
    { code: 'ledger_seal', title: ['盖章', 'Seal'] },
  ] as const;
  const { plugin, migrations } = ledgerPlugin;
  const [menu] = plugin.menus ?? [];
  if (!menu) throw new Error('The ledger has no menu.');
  const later = await testServer({
    plugins: [{ plugin: { ...plugin, menus: [{ ...menu, buttons: [...(menu.buttons ?? []), ...buttonsLater] }] }, migrations }],
    db: server.db,
  });
  expect(codesOf(await buttons(before, later))).toEqual(['ledger', 'ledger_setting']);
});

test('a new page is granted to the roles that have an older one, where it is declared so', async () => {
  await server.createUser({ account: 'older', codes: ['ledger'] });
  const before = await server.signIn('older');
  const { plugin, migrations } = ledgerPlugin;
  const [menu] = plugin.menus ?? [];
  if (!menu) throw new Error('The ledger has no menu.');
  const page = (code: string) => ({ code, title: ['新页', 'New page'], path: `/desk/${code}`, buttons: ['view'] }) as const;
  const later = await testServer({
    plugins: [{ plugin: { ...plugin, menus: [menu, { ...page('run'), grantedWith: 'ledger' }, page('other')] }, migrations }],
    db: server.db,
  });
  const routes = (await later.get('/api/blade-system/menu/routes', { headers: before })).data as { code: string; children?: { code: string }[] }[];
  const codes = JSON.stringify(routes);
  expect(codes).toContain('/desk/run');
  expect(codes).not.toContain('/desk/other');
});
