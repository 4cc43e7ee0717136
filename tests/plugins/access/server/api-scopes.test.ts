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

const scopes = '/api/blade-system/api-scope';
const list = '/api/test/ledger/list';
const addScope = async (scopePath: string) => {
  const [page] = await server.sql("select id::text as id from menu where code = 'ledger'");
  const form = { menuId: page?.id, scopeName: '账本接口', resourceCode: 'ledger_api', scopePath, scopeType: 2 };
  return server.post(`${scopes}/submit`, form, { headers });
};

test('a covered call needs a covering scope in addition to its code, at once; an uncovered one only its code', async () => {
  const { roleId } = await server.createUser({ account: 'clerk', codes: ['ledger'] });
  const clerk = await server.signIn('clerk');
  const status = async () => (await server.get(list, { headers: clerk })).status;
  expect(await status()).toBe(200);
  const { data: narrow } = await addScope('/api/test/ledger/l*');
  expect(await status()).toBe(403);
  expect((await server.get(list, { headers })).status).toBe(200);
  expect((await server.get('/api/things-system/menu/routes', { headers: clerk })).status).toBe(200);
  await server.post('/api/blade-system/role/grant', { roleIds: [roleId], apiScopeIds: [narrow.id] }, { headers });
  expect(await status()).toBe(200);
  const { data: wide } = await addScope('/api/test/**');
  expect(await status()).toBe(200);
  await server.post('/api/blade-system/role/grant', { roleIds: [roleId], apiScopeIds: [] }, { headers });
  expect(await status()).toBe(403);
  await server.post(`${scopes}/remove`, { ids: [narrow.id, wide.id] }, { headers });
  expect(await status()).toBe(200);
});

test('an asterisk matches one path segment, and a scope grants no code', async () => {
  const { roleId } = await server.createUser({ account: 'idle' });
  const idle = await server.signIn('idle');
  const { data: shallow } = await addScope('/api/*/list');
  await server.createUser({ account: 'reader', codes: ['ledger'] });
  expect((await server.get(list, { headers: await server.signIn('reader') })).status).toBe(200);
  await server.post('/api/blade-system/role/grant', { roleIds: [roleId], apiScopeIds: [shallow.id] }, { headers });
  expect((await server.get(list, { headers: idle })).status).toBe(403);
  expect((await addScope('api/x')).status).toBe(400);
  await server.post(`${scopes}/remove`, { ids: [shallow.id] }, { headers });
});

test('a call under another path is covered as well', async () => {
  await server.createUser({ account: 'viewer', codes: ['role'] });
  const viewer = await server.signIn('viewer');
  const { data: scope } = await addScope('/api/oms-system/role/list');
  for (const path of ['/api/oms-system/role/list', '/api/blade-system/role/list']) expect((await server.get(path, { headers: viewer })).status).toBe(403);
  await server.post(`${scopes}/remove`, { ids: [scope.id] }, { headers });
});

test('users cannot grant an API scope that they do not have', async () => {
  const { roleId } = await server.createUser({ account: 'granter', codes: ['role', 'role_grant'] });
  const { data: scope } = await addScope('/api/test/ledger/list');
  const granter = await server.signIn('granter');
  expect((await server.post('/api/blade-system/role/grant', { roleIds: [roleId], apiScopeIds: [scope.id] }, { headers: granter })).status).toBe(403);
  await server.post(`${scopes}/remove`, { ids: [scope.id] }, { headers });
});
