import { expect, test } from '@rstest/core';
import { testServer } from '../../../support/test-server.ts';

const base = '/api/oms-system/user';

test('a user with a data scope of own rows lists, resets, disables and grants only those, and sees themselves', async () => {
  const server = await testServer({ plugins: ['access', 'organization'] });
  const admin = await server.signIn();
  const codes = ['user', 'user_add', 'user_edit', 'user_delete', 'user_role', 'user_reset', 'user_status', 'user_platform'];
  const { userId, roleId } = await server.createUser({ account: 'keeper', codes });
  const { userId: stranger } = await server.createUser({ account: 'stranger' });
  const [menu] = await server.sql(`select id::text as id from menu where code = 'user'`);
  const form = {
    menuId: menu?.id,
    scopeName: '本人',
    scopeClass: 'user_account',
    resourceCode: 'user_scope',
    scopeColumn: 'create_user',
    scopeType: 2,
    scopeField: '*',
  };
  const scope = await server.post('/api/blade-system/data-scope/submit', form, { headers: admin });
  expect(scope.msg).toBe('新增成功');
  await server.post('/api/blade-system/role/grant', { roleIds: [roleId], dataScopeIds: [scope.data.id] }, { headers: admin });
  const headers = await server.signIn('keeper');
  const send = async (path: string, body: object) => (await server.post(path, body, { headers })).status;

  const { data: own } = await server.post(`${base}/submit`, { account: 'added', realName: '甲', name: '甲', userType: 1 }, { headers });
  const { data: page } = await server.get(`${base}/userlist`, { headers });
  expect(page.records.map(({ account }: { account: string }) => account)).toEqual(['added']);
  expect((await server.get('/api/blade-system/user/info', { headers })).data.id).toBe(userId);
  expect((await server.get(`${base}/detail`, { headers, query: { id: stranger } })).status).toBe(404);
  const tries = async (id: string) => [
    await send(`${base}/reset-password`, { id }),
    await send(`${base}/update-status`, { ids: [id], status: 2 }),
    await send('/api/blade-system/user/grant', { userIds: [id], roleIds: [] }),
    await send('/api/blade-system/user/update-platform', { userId: id, userType: 2 }),
    await send(`${base}/remove`, { ids: [id] }),
  ];
  expect(await tries(stranger)).toEqual([404, 404, 404, 404, 404]);
  expect(await tries(own.id)).toEqual([200, 200, 200, 200, 200]);
});
