import { expect, test } from '@rstest/core';
import { ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { testServer } from '../../../support/test-server.ts';

const systemPath = '/api/blade-system';

test('an administrator sets the pages of a top menu, in which a user finds those that their role grants', async () => {
  const server = await testServer({ plugins: ['access', ledgerPlugin] });
  const headers = await server.signIn();
  const rows = await server.sql("select id::text as id, code from menu where code in ('desk', 'ledger', 'role', 'ledger_add')");
  const idOf = (code: string) => String(rows.find((row) => row.code === code)?.id);
  const { data: topMenu } = await server.post(`${systemPath}/topmenu/submit`, { name: '运营', nameEn: 'Operations', code: 'operations', sort: 1 }, { headers });
  const grant = (menuIds: string[], topMenuIds = [topMenu.id]) => server.post(`${systemPath}/topmenu/grant`, { topMenuIds, menuIds }, { headers });
  expect((await grant([idOf('desk'), idOf('ledger')])).code).toBe(200);
  expect((await server.get(`${systemPath}/menu/top-tree-keys`, { headers, query: { topMenuIds: topMenu.id } })).data.menu.sort()).toEqual(
    [idOf('desk'), idOf('ledger')].sort(),
  );
  const baseMenu = { menu: [idOf('desk')] };
  expect(
    (await server.post(`${systemPath}/topmenu/grant`, { topMenuIds: [topMenu.id], menuIds: [idOf('desk'), idOf('role')], base: baseMenu }, { headers })).code,
  ).toBe(200);
  expect((await server.get(`${systemPath}/menu/top-tree-keys`, { headers, query: { topMenuIds: topMenu.id } })).data.menu).toHaveLength(3);
  expect((await grant([idOf('desk'), idOf('ledger')])).code).toBe(200);
  expect((await grant([idOf('ledger_add')])).status).toBe(404);
  expect((await grant([], ['999'])).status).toBe(404);
  const { data: tree } = await server.get(`${systemPath}/menu/grant-top-tree`, { headers });
  expect(JSON.stringify(tree.menu)).toContain(idOf('ledger'));
  expect(JSON.stringify(tree.menu)).not.toContain(idOf('ledger_add'));
  await server.createUser({ account: 'clerk', codes: ['ledger', 'role'] });
  const clerk = await server.signIn('clerk');
  const { data: routes } = await server.get('/api/things-system/menu/routes', { headers: clerk, query: { topMenuId: topMenu.id } });
  expect(routes).toMatchObject([{ code: 'desk', children: [{ code: 'ledger' }] }]);
  expect(JSON.stringify(routes)).not.toContain('"role"');
  expect((await server.get(`${systemPath}/menu/top-menu`, { headers: clerk })).data).toMatchObject([{ code: 'operations', menuIds: [idOf('ledger')] }]);
});
