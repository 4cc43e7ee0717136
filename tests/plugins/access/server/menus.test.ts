import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { listen } from '../../../support/live-listener.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['access', ledgerPlugin] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const things = '/api/things-system/menu';
const blade = '/api/blade-system/menu';
const submit = (form: object, as = headers) => server.post(`${things}/submit`, form, { headers: as });
/** Changes an entry as a form does: with all of its fields. */
const change = async (code: string, part: object, as = headers) => {
  const { data } = await server.get(`${things}/detail`, { headers, query: { id: await idOf(code) } });
  return submit({ ...data, ...part }, as);
};
const idOf = async (code: string) => String((await server.sql(`select id::text as id from menu where code = '${code}' and is_deleted = 0`))[0]?.id);
const routeNames = async (as = headers) => JSON.stringify((await server.get(`${things}/routes`, { headers: as })).data);

test('levels are read one at a time, buttons last; lists of pages contain pages only', async () => {
  const level = (path: string, parentId: string) => server.get(path, { headers, query: { parentId } });
  const { data: top } = await level(`${things}/lazy-list`, '0');
  expect(top.find(({ code }: { code: string }) => code === 'authority')).toMatchObject({ hasChildren: true, category: 1 });
  const { data: below } = await level(`${things}/lazy-list`, await idOf('authority'));
  expect(below[0]).toMatchObject({ code: 'role', hasChildren: true });
  const { data: pages } = await level(`${blade}/lazy-menu-list`, await idOf('authority'));
  expect(pages[0]).toMatchObject({ code: 'role', hasChildren: false });
  const { data: buttons } = await level(`${things}/lazy-list`, await idOf('role'));
  expect(buttons.map(({ code }: { code: string }) => code)).toContain('role_grant');
});

test('an external page and its button are added, and appear at once in the menu of users with access', async () => {
  const desk = await idOf('desk');
  const { data: page } = await submit({
    parentId: desk,
    name: '官网',
    nameEn: 'Site',
    code: 'site',
    alias: 'menu',
    path: 'https://example.com',
    sort: 9,
    category: 1,
  });
  const { data: button } = await submit({ parentId: page.id, name: '打印', code: 'site_print', alias: 'print', sort: 1, category: 2, action: 1 });
  expect(button).toMatchObject({ path: null, action: 1 });
  expect(await routeNames()).toContain('https://example.com');
  const { roleId } = await server.createUser({ account: 'visitor' });
  await server.post('/api/oms-system/role/setrolemenus', { roleId, menuIds: [page.id, button.id] }, { headers });
  const visitor = await server.signIn('visitor');
  expect((await server.get(`${things}/routes`, { headers: visitor })).data).toMatchObject([
    { code: 'desk', children: [{ name: '官网', words: ['官网', 'Site'] }] },
  ]);
  await submit({ ...page, name: '门户' });
  expect(await routeNames(visitor)).toContain('门户');
  await server.post(`${things}/remove`, { ids: [button.id] }, { headers });
  await server.post(`${things}/remove`, { ids: [page.id] }, { headers });
  expect(await routeNames(visitor)).toBe('[]');
});

test('a page keeps the position of its button, and 0 means no new window', async () => {
  const form = { parentId: await idOf('desk'), name: '报表', code: 'report_page', alias: 'menu', path: '/desk/report', sort: 9, category: 1 };
  const { data: added } = await submit({ ...form, action: 2, isOpen: 0 });
  expect(added).toMatchObject({ action: 2, isOpen: 1 });
  const { version: _, ...data } = added;
  expect((await submit({ ...data, isOpen: 2, name: '报表二' })).data).toMatchObject({ action: 2, isOpen: 2, name: '报表二' });
  expect((await submit({ ...data, isOpen: '0' })).data).toMatchObject({ isOpen: 1 });
  expect((await submit({ ...data, isOpen: 3 })).status).toBe(400);
  await server.post(`${things}/remove`, { ids: [data.id] }, { headers });
});

test('open consoles are notified of a changed menu', async () => {
  const listener = await listen(server, headers);
  await listener.next('live:opened');
  expect((await change('ledger', { remark: '常用' })).code).toBe(200);
  await listener.next('auth:permission-changed');
});

test('an entry is below neither itself nor a button, a button is below a page, and codes are unique', async () => {
  const page = await idOf('role');
  const button = await idOf('role_grant');
  const base = { name: '乱', alias: 'menu', path: '/x', sort: 1 };
  expect((await change('authority', { parentId: page })).status).toBe(409);
  expect(await submit({ ...base, code: 'x1', parentId: button, category: 1 })).toMatchObject({ status: 400, msg: '按钮下不能再添加菜单' });
  expect(await submit({ ...base, code: 'x2', parentId: '0', category: 2 })).toMatchObject({ status: 400, msg: '按钮必须位于菜单之下' });
  expect(await submit({ ...base, code: 'role', parentId: '0', category: 1 })).toMatchObject({ status: 409, msg: '菜单编号已存在' });
  expect((await server.post(`${things}/remove`, { ids: [page] }, { headers })).status).toBe(409);
});

test('all children of an entry are reordered at once, with permission to edit, and not after a concurrent change', async () => {
  const { data: above } = await submit({ parentId: '0', name: '甲组', code: 'group_a', alias: 'menu', path: '/a', sort: 1 });
  for (const code of ['one', 'two', 'three']) await submit({ parentId: above.id, name: code, code, alias: 'menu', path: `/a/${code}`, sort: 1 });
  const order = async () =>
    (await server.get(`${things}/lazy-list`, { headers, query: { parentId: above.id } })).data.map(({ code }: { code: string }) => code);
  const put = async (codes: readonly string[], as = headers) => {
    const ids = await Promise.all(codes.map((code) => idOf(code)));
    return server.post(`${things}/order`, { parentId: above.id, ids }, { headers: as });
  };
  expect((await put(['three', 'one', 'two'])).code).toBe(200);
  expect(await order()).toEqual(['three', 'one', 'two']);
  for (const stale of [
    ['three', 'one'],
    ['three', 'one', 'two', 'role'],
    ['three', 'one', 'role'],
    ['one', 'one', 'two'],
  ])
    expect(await put(stale)).toMatchObject({ status: 409, msg: '列表已有变化，请刷新后再调整顺序' });
  await server.createUser({ account: 'onlooker', codes: ['menu', 'menu_view'] });
  expect((await put(['one', 'two', 'three'], await server.signIn('onlooker'))).status).toBe(403);
  expect(await order()).toEqual(['three', 'one', 'two']);
  const both = await Promise.all([put(['one', 'two', 'three']), put(['two', 'three', 'one'])]);
  expect(both.map(({ code }) => code)).toEqual([200, 200]);
  expect([
    ['one', 'two', 'three'],
    ['two', 'three', 'one'],
  ]).toContainEqual(await order());
});

test('editors of the menu gain no permissions by renaming entries', async () => {
  await server.createUser({ account: 'keeper', codes: ['menu', 'menu_edit', 'ledger'] });
  const keeper = await server.signIn('keeper');
  expect(await change('ledger', { code: 'role_grant2' }, keeper)).toMatchObject({ status: 403 });
  expect((await change('ledger', { sort: 4 }, keeper)).code).toBe(200);
});

test('page pickers list the user’s own pages', async () => {
  await server.createUser({ account: 'reader', codes: ['ledger'] });
  const { data } = await server.get(`${things}/tree`, { headers: await server.signIn('reader') });
  expect(data).toMatchObject([{ title: '账本' }]);
  expect((await server.get(`${blade}/tree`, { headers })).data.length).toBeGreaterThan(1);
});
