import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { route } from '#server';
import { defineServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { get, NoContent, NoInput } from '../../../../src/shared/contract/contract.ts';
import { heard, ledger, ledgerPlugin } from '../../../support/ledger-plugin.ts';
import { openTestServer, type TestServer, testServer } from '../../../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: [ledgerPlugin] });
  await server.createUser({ account: 'guest' });
  await server.createTenant('100001');
  await server.createUser({ account: 'theirs', tenantId: '100001' });
});
afterAll(() => server.stop());

const entry = { title: 'a', amount: 1 };

test('without a session only open calls are served, and the others answer 401', async () => {
  const headers = await server.signIn();
  for (const call of [ledger.list, ledger.all]) {
    expect(await server.get(call.path)).toMatchObject({ status: 401, code: 401, success: false, msg: '缺失令牌,鉴权失败' });
    const invalid = { 'things-auth': 'bearer nonsense' };
    expect(await server.get(call.path, { headers: invalid })).toMatchObject({ status: 401, code: 401, success: false, msg: '请求未授权' });
    expect((await server.get(call.path, { headers })).status).toBe(200);
  }
  expect((await server.get(ledger.empty.path)).status).toBe(200);
});

test('a session without the permission gets 403, in the requested language', async () => {
  const headers = await server.signIn('guest');
  expect(await server.get(ledger.list.path, { headers })).toMatchObject({ status: 403, code: 403, msg: '请求被拒绝' });
  expect((await server.get(ledger.list.path, { headers: { ...headers, 'accept-language': 'en' } })).msg).toBe('You are not allowed to do this.');
});

test('a permission code allows its own call and no other', async () => {
  await server.createUser({ account: 'reader', codes: ['ledger'] });
  const headers = await server.signIn('reader');
  expect((await server.get(ledger.list.path, { headers })).status).toBe(200);
  expect((await server.post(ledger.submit.path, entry, { headers })).status).toBe(403);
  expect((await server.post(ledger.remove.path, { ids: '1' }, { headers })).status).toBe(403);
});

test('a submit without id needs the permission to add, one with id the permission to edit', async () => {
  await server.createUser({ account: 'adder', codes: ['ledger_add'] });
  await server.createUser({ account: 'editor', codes: ['ledger_edit'] });
  const [adder, editor] = [await server.signIn('adder'), await server.signIn('editor')];
  const submit = async (headers: Record<string, string>, body: object) => (await server.post(ledger.submit.path, body, { headers })).status;
  expect(await submit(adder, entry)).toBe(200);
  expect(await submit(adder, { ...entry, id: '' })).toBe(200);
  expect(await submit(adder, { ...entry, id: '5' })).toBe(403);
  expect(await submit(editor, { ...entry, id: '5' })).toBe(200);
  expect(await submit(editor, entry)).toBe(403);
  expect(await submit(editor, { ...entry, id: null })).toBe(403);
});

test('a caller without permission is refused before the body is validated', async () => {
  const headers = await server.signIn('guest');
  expect((await server.post(ledger.submit.path, { title: '' }, { headers })).status).toBe(403);
  expect((await server.post(ledger.submit.path, { title: '' })).status).toBe(401);
});

test('row level security: a query without a condition gives a tenant only its own rows', async () => {
  const [ours, theirs] = [await server.signIn('admin'), await server.signIn('theirs', '100001')];
  await server.post(ledger.add.path, { text: 'ours' }, { headers: ours });
  await server.post(ledger.add.path, { text: 'theirs' }, { headers: theirs });
  expect((await server.get(ledger.all.path, { headers: theirs })).data).toEqual([{ title: 'theirs' }]);
  expect((await server.get(ledger.all.path, { headers: ours })).data).toEqual([{ title: 'ours' }]);
});

test('another tenant in a header or in the query changes nothing', async () => {
  const theirs = await server.signIn('theirs', '100001');
  const { data: own } = await server.get(ledger.all.path, { headers: theirs });
  const reply = await server.get(ledger.all.path, { headers: { ...theirs, 'tenant-id': '000000' }, query: { tenantId: '000000' } });
  expect(reply.data).toEqual(own);
  expect(own).not.toEqual((await server.get(ledger.all.path, { headers: await server.signIn() })).data);
});

test('an event is delivered once its transaction has committed, even if another listener fails, and not after a rollback', async () => {
  const headers = await server.signIn();
  heard.length = 0;
  await server.post(ledger.add.path, { text: 'kept' }, { headers });
  expect((await server.post(ledger.fail.path, { text: 'lost' }, { headers })).status).toBe(409);
  expect(heard).toEqual(['kept']);
  const titles = (await server.get(ledger.all.path, { headers })).data.map(({ title }: { title: string }) => title);
  expect(titles).not.toContain('lost');
});

test('a call without a declared access prevents the server from booting', async () => {
  const nobody = { ...get('/api/test/nobody', { title: ['无', 'None'], access: 'open', input: NoInput, reply: NoContent }), access: undefined } as never;
  const careless = defineServerPlugin({ id: 'careless', title: ['疏忽', 'Careless'], setup: () => ({ routes: [route(nobody, () => null as never)] }) });
  await expect(testServer({ plugins: [careless] })).rejects.toThrow('GET /api/test/nobody (careless) declares no access');
});

test('two calls with one address prevent the server from booting', async () => {
  const call = get('/api/things-auth/oauth/captcha', { title: ['验证码', 'Captcha'], access: 'open', input: NoInput, reply: NoContent });
  const twice = defineServerPlugin({ id: 'twice', title: ['重复', 'Twice'], setup: () => ({ routes: [route(call, () => null)] }) });
  await expect(testServer({ plugins: [twice] })).rejects.toThrow('GET /api/things-auth/oauth/captcha is served twice: by kernel and by twice.');
});
