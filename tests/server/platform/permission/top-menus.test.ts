import { afterAll, beforeAll, expect, test } from '@rstest/core';
import type { MenuItem, TopMenu } from '../../../../src/shared/platform/menus.ts';
import { ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: [ledgerPlugin] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const routes = async (session: Record<string, string>, query: Record<string, string> = {}): Promise<MenuItem[]> =>
  (await server.get('/api/things-system/menu/routes', { headers: session, query })).data;
const topMenus = async (session = headers): Promise<TopMenu[]> => (await server.get('/api/blade-system/menu/top-menu', { headers: session })).data;
const codesOf = (items: readonly MenuItem[]): string[] => items.flatMap(({ code, children = [] }) => [code, ...codesOf(children)]);

test('a deployment has no top menus until one is added', async () => {
  expect(await topMenus()).toEqual([]);
  expect((await server.get('/api/blade-system/menu/top-menu')).status).toBe(401);
});

test('top menus are sorted, and each limits the menu to those of its pages that the caller may open', async () => {
  await server.sql(`insert into menu (parent_id, code, name, path, sort) select id, 'manual', '手册', '/desk/manual', 5 from menu where code = 'desk'`);
  await server.sql(
    `insert into top_menu (id, code, name, name_en, source, sort) values (2, 'money', '资金', 'Money', 'storage', 2), (1, 'help', '帮助', null, 'book', 1), (3, 'idle', '闲置', 'Idle', '', 3)`,
  );
  await server.sql(`insert into top_menu (id, code, name, is_deleted) values (4, 'gone', '已删', 1)`);
  await server.sql(`insert into top_menu_menu select 2, id from menu where code in ('desk', 'ledger') union all select 1, id from menu where code = 'manual'`);
  const idOf = async (code: string) => (await server.sql(`select id::text as id from menu where code = '${code}'`))[0]?.id;
  expect(await topMenus()).toEqual([
    { id: '1', code: 'help', name: '帮助', words: ['帮助', '帮助'], source: 'book', path: '', sort: 1, menuIds: [await idOf('manual')] },
    { id: '2', code: 'money', name: '资金', words: ['资金', 'Money'], source: 'storage', path: '', sort: 2, menuIds: [await idOf('ledger')] },
    { id: '3', code: 'idle', name: '闲置', words: ['闲置', 'Idle'], source: '', path: '', sort: 3, menuIds: [] },
  ]);
  expect(codesOf(await routes(headers))).toEqual(['desk', 'ledger', 'manual']);
  expect(codesOf(await routes(headers, { topMenuId: '2' }))).toEqual(['desk', 'ledger']);
  expect(codesOf(await routes(headers, { topMenuId: '1' }))).toEqual(['desk', 'manual']);
  for (const topMenuId of ['3', '4', '99', 'x']) expect(await routes(headers, { topMenuId })).toEqual([]);
});

test('a top menu contains only pages that the caller is granted', async () => {
  await server.createUser({ account: 'clerk', codes: ['manual'] });
  const clerk = await server.signIn('clerk');
  expect((await topMenus(clerk)).map(({ code, menuIds }) => [code, menuIds?.length])).toEqual([
    ['help', 1],
    ['money', 0],
    ['idle', 0],
  ]);
  expect(await routes(clerk, { topMenuId: '2' })).toEqual([]);
});

test('names are in the requested language, and `words` contains both languages', async () => {
  await server.sql(`update menu set name = '说明书', name_en = 'Handbook' where code = 'manual'`);
  const english = { ...headers, 'accept-language': 'en' };
  const [desk] = await routes(english);
  expect([desk?.name, ...(desk?.children ?? []).map(({ name }) => name)]).toEqual(['Workbench', 'Ledger', 'Handbook']);
  expect(desk?.children?.[1]?.words).toEqual(['说明书', 'Handbook']);
  expect((await routes(headers))[0]?.children?.[1]?.name).toBe('说明书');
  expect((await topMenus(english)).map(({ name }) => name)).toEqual(['帮助', 'Money', 'Idle']);
  const [page] = (await server.get('/api/blade-system/menu/buttons', { headers: english })).data;
  expect([page.name, page.children[0].name]).toEqual(['Ledger', 'Add']);
});

test('a menu row without an English name takes the one of the contract, unless it was renamed', async () => {
  await server.sql(`update menu set name_en = null where code in ('desk', 'ledger')`);
  await server.sql(`update menu set name = '总账' where code = 'ledger'`);
  const restarted = await openTestServer({ plugins: [ledgerPlugin], db: server.db });
  const [desk] = (await restarted.get('/api/things-system/menu/routes', { headers: { ...(await restarted.signIn()), 'accept-language': 'en' } })).data;
  await restarted.stop();
  expect([desk.name, desk.children[0].name]).toEqual(['Workbench', '总账']);
});

test('a change of the menu shows in the next request', async () => {
  const count = async () => (await routes(headers))[0]?.children?.length ?? 0;
  const before = await count();
  await server.sql(`insert into menu (parent_id, code, name, path, sort) select id, 'second', '第二', '/desk/second', 6 from menu where code = 'desk'`);
  expect(await count()).toBe(before + 1);
  await server.sql(`update menu set is_deleted = 1 where code = 'second'`);
  expect(await count()).toBe(before);
});
