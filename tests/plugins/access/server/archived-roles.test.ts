import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['access', 'organization'] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const post = (path: string, input: object) => server.post(path, input, { headers });
const roles = '/api/oms-system/role';

test('an archived role keeps the rights of its members, and is no longer granted', async () => {
  const { roleId } = await server.createUser({ account: 'ann', codes: ['post'] });
  const { userId } = await server.createUser({ account: 'bob' });
  const ann = await server.signIn('ann');
  expect(await post('/api/blade-system/role/remove', { ids: [roleId] })).toMatchObject({ status: 409, data: { uses: [{ count: 1 }] } });
  expect(await post(`${roles}/archive`, { ids: [roleId] })).toMatchObject({ code: 200 });
  expect(await server.get('/api/blade-system/post/list', { headers: ann })).toMatchObject({ code: 200 });
  expect(await server.get('/api/blade-system/post/list', { headers: await server.signIn('ann') })).toMatchObject({ code: 200 });
  expect((await server.get('/api/blade-system/role/tree', { headers })).data).not.toMatchObject([{ value: roleId }]);
  expect(await post('/api/blade-system/user/grant', { userIds: [userId], roleIds: [roleId] })).toMatchObject({ status: 400 });
  expect((await server.get('/api/oms-system/user/roles', { headers, query: { ids: roleId } })).data).toEqual([]);
  const [held] = await server.sql(`select count(*)::integer as count from user_role where role_id = ${roleId}`);
  expect(held).toEqual({ count: 1 });
  expect(await post(`${roles}/unarchive`, { ids: [roleId] })).toMatchObject({ code: 200 });
});

test('users keep an archived department and post, and can be edited with them', async () => {
  const { data: dept } = await post('/api/things-system/dept/submit', { deptName: '旧部门', fullName: '旧部门', parentId: '0', deptCategory: 1, sort: 1 });
  const { data: held } = await post('/api/blade-system/post/submit', { postCode: 'old', postName: '旧岗位', category: 1, sort: 1 });
  const user = { account: 'eve', name: 'Eve', realName: 'Eve', deptId: [dept.id], postId: [held.id] };
  const { data: eve } = await post('/api/oms-system/user/submit', user);
  expect(await post('/api/things-system/dept/remove', { ids: [dept.id] })).toMatchObject({ status: 409, data: { uses: [{ count: 1 }] } });
  expect(await post('/api/blade-system/post/remove', { ids: [held.id] })).toMatchObject({ status: 409, data: { uses: [{ count: 1 }] } });
  expect(await post('/api/things-system/dept/archive', { ids: [dept.id] })).toMatchObject({ code: 200 });
  expect(await post('/api/blade-system/post/archive', { ids: [held.id] })).toMatchObject({ code: 200 });
  expect(await post('/api/oms-system/user/submit', { ...user, id: eve.id, name: 'Evelyn' })).toMatchObject({ code: 200 });
  const [stored] = await server.sql(`select dept_id as "deptId", post_id as "postId" from user_account where id = ${eve.id}`);
  expect(stored).toMatchObject({ deptId: [dept.id], postId: [held.id] });
  expect(await post('/api/oms-system/user/submit', { ...user, account: 'zoe' })).toMatchObject({ status: 400 });
});
