import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization', 'access', 'tenant'] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const explain = (about: string, more: Record<string, string> = {}, as = headers) =>
  server.get('/api/blade-system/permission/explain', { headers: as, query: { about, ...more } });
const stepsOf = async (about: string, more: Record<string, string> = {}, as = headers): Promise<Record<string, string>> => {
  const { data } = await explain(about, more, as);
  return Object.fromEntries(data.steps.map(({ step, verdict }: { step: string; verdict: string }) => [step, verdict]));
};
const sentenceOf = async (step: string, about: string, more: Record<string, string> = {}) =>
  (await explain(about, more)).data.steps.find((one: { step: string }) => one.step === step).sentence;
const menuId = async (code: string) => (await server.sql(`select id::text as id from menu where code = '${code}'`))[0]?.id;

test('explanations match the decisions of the server: page by page, button by button and call by call', async () => {
  const { userId } = await server.createUser({ account: 'reader', codes: ['post', 'post_view', 'dept'] });
  const reader = await server.signIn('reader');
  for (const [about, call] of [
    ['post', '/api/blade-system/post/list'],
    ['dept', '/api/blade-system/dept/list'],
    ['role', '/api/oms-system/role/list'],
    ['menu', '/api/blade-system/menu/list'],
  ] as const) {
    const isServed = (await server.get(call, { headers: reader })).status === 200;
    expect({ about, isAllowed: (await explain(about, { userId })).data.isAllowed }).toEqual({ about, isAllowed: isServed });
    expect({ call, isAllowed: (await explain(call, { userId })).data.isAllowed }).toEqual({ call, isAllowed: isServed });
  }
  expect(await stepsOf('post_add', { userId })).toMatchObject({ account: 'allows', plugin: 'allows', role: 'refuses', menu: 'refuses', code: 'refuses' });
  expect(await stepsOf('/system/post/index', { userId })).toMatchObject({ role: 'allows', menu: 'allows', code: 'allows', dataScope: 'allows' });
  expect(await sentenceOf('code', 'post_add', { userId })).toEqual(['缺少权限码 post_add。', 'The user does not have the permission code post_add.']);
});

test('an administrator has everything; a user who cannot sign in has nothing', async () => {
  expect(await stepsOf('menu')).toMatchObject({ role: 'allows', apiScope: 'allows', dataScope: 'allows' });
  const { userId } = await server.createUser({ account: 'gone', codes: ['post'] });
  await server.sql(`update user_account set status = 2 where id = ${userId}`);
  const { data } = await explain('post', { userId });
  expect(data).toMatchObject({ isAllowed: false, steps: [{ step: 'account', verdict: 'refuses' }] });
});

test('a call refused by an API scope says so', async () => {
  const { userId } = await server.createUser({ account: 'closed', codes: ['post'] });
  const scope = { menuId: await menuId('post'), scopeName: '岗位接口', resourceCode: 'post_api', scopePath: '/api/blade-system/post/*', scopeType: 2 };
  const { data } = await server.post('/api/blade-system/api-scope/submit', scope, { headers });
  expect(await stepsOf('/api/blade-system/post/list', { userId })).toMatchObject({ code: 'allows', apiScope: 'refuses' });
  expect((await sentenceOf('apiScope', 'post', { userId }))[0]).toContain('岗位接口');
  await server.post('/api/blade-system/api-scope/remove', { ids: [data.id] }, { headers });
  expect(await stepsOf('/api/blade-system/post/list', { userId })).toMatchObject({ apiScope: 'allows' });
});

test('a row outside of a data scope is distinguished from one inside and from a missing one', async () => {
  const { userId, roleId } = await server.createUser({ account: 'narrow', codes: ['post'] });
  const scope = { menuId: await menuId('post'), scopeName: '本人', resourceCode: 'post_own', scopeType: 2, scopeField: '*' };
  const { data } = await server.post('/api/blade-system/data-scope/submit', scope, { headers });
  await server.post('/api/blade-system/role/grant', { roleIds: [roleId], dataScopeIds: [data.id] }, { headers });
  const { data: post } = await server.post('/api/blade-system/post/submit', { category: '1', postCode: 'p', postName: 'p', sort: 1 }, { headers });
  expect((await sentenceOf('dataScope', 'post', { userId }))[0]).toContain('本人');
  const outside = await explain('post', { userId, rowId: post.id });
  expect(outside.data).toMatchObject({ isAllowed: false });
  await server.sql(`update post set create_user = ${userId} where id = ${post.id}`);
  expect((await explain('post', { userId, rowId: post.id })).data).toMatchObject({ isAllowed: true });
  expect((await sentenceOf('dataScope', 'post', { userId, rowId: '99' }))[0]).toBe('数据不存在。');
});

test('a tenant sees which pages its package lacks and which belong to the platform, and cannot ask about users of another', async () => {
  await server.createTenant('shop');
  const { userId } = await server.createUser({ account: 'boss', codes: ['permission_explain', 'post', 'dept'], roleAlias: 'admin', tenantId: 'shop' });
  const boss = await server.signIn('boss', 'shop');
  expect(await stepsOf('menu', { userId }, boss)).toMatchObject({ package: 'refuses' });
  const { data } = await server.post(
    '/api/blade-system/tenant-package/submit',
    { packageName: '小', menuId: [await menuId('post'), await menuId('permission_explain')] },
    { headers },
  );
  await server.post('/api/blade-system/tenant/package-setting', { tenantId: 'shop', packageId: data.id }, { headers });
  expect(await stepsOf('post', {}, boss)).toMatchObject({ package: 'allows', role: 'allows' });
  expect(await stepsOf('dept', {}, boss)).toMatchObject({ package: 'refuses', role: 'allows', code: 'refuses' });
  const [admin] = await server.sql("select id::text as id from user_account where account = 'admin' and tenant_id = '000000'");
  expect(await explain('post', { userId: String(admin?.id) }, boss)).toMatchObject({ status: 404 });
});

test('users, entries and calls to ask about are found', async () => {
  const ask = async (what: string, query: Record<string, string> = {}) => (await server.get(`/api/blade-system/permission/${what}`, { headers, query })).data;
  expect(await ask('people', { text: 'admin' })).toMatchObject([{ account: 'admin' }]);
  expect(JSON.stringify(await ask('entries'))).toContain('"value":"post_add"');
  expect(await ask('calls', { text: '/post/lis' })).toMatchObject([{ path: '/api/blade-system/post/list' }]);
});
