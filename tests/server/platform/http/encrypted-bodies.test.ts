import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { WireCipher } from '../../../../src/server/platform/http/wire-cipher.ts';
import { clientHeaders, openTestServer, password, type TestServer, testServer } from '../../../support/test-server.ts';

const key = 'O2BEeIv399qHQNhD6aGW8R8DEj4bqHXm';
const cipher = new WireCipher(key);
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['settings'], environment: { BODY_CRYPTO_KEY: key } });
});
afterAll(() => server.stop());

const opened = (text: string) => JSON.parse(cipher.decrypt(text) ?? 'null');
const post = (url: string, payload: string, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url, headers: { ...clientHeaders, 'content-type': 'text/plain', ...headers }, payload });

test('an encrypted body is read, and answered encrypted', async () => {
  const grant = { grant_type: 'password', username: 'admin', password };
  const reply = await post('/api/things-auth/oauth/token', cipher.encrypt(JSON.stringify(grant)));
  expect(reply.statusCode).toBe(200);
  expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(opened(reply.body).account).toBe('admin');
  const refused = await post('/api/things-auth/oauth/token', cipher.encrypt(JSON.stringify({ ...grant, password: 'wrong' })));
  expect(refused.statusCode).toBe(400);
  expect(opened(refused.body).error_description).toBe('用户名或密码错误');
});

test('encrypted parameters of a query are read too', async () => {
  const headers = await server.signIn();
  const ask = (data: string) => server.app.inject({ url: '/api/blade-system/param/list', headers, query: { data } });
  const found = opened((await ask(cipher.encrypt(JSON.stringify({ size: 1, current: 1 })))).body);
  expect(found).toMatchObject({ code: 200, data: { size: 1 } });
  expect((await ask('plain')).headers['content-type']).toBe('application/json; charset=utf-8');
});

test('bodies with another key or without JSON are refused in plain text, and plain bodies still work', async () => {
  for (const payload of ['', 'x', new WireCipher('another key of the family, 32 by').encrypt('{}')]) {
    const reply = await post('/api/things-auth/oauth/token', payload);
    expect({ payload, status: reply.statusCode, code: reply.json().error ?? reply.json().code }).toMatchObject({ payload, status: 400 });
  }
  expect((await post('/api/things-auth/oauth/token', cipher.encrypt('{"__proto__": {"x": 1}}'))).statusCode).toBe(400);
  expect((await server.post('/api/things-auth/oauth/token', { grant_type: 'password', username: 'admin', password }, { headers: clientHeaders })).status).toBe(
    200,
  );
});

test('without a key no such body is read', async () => {
  const plain = await testServer({ db: server.db });
  const reply = await plain.app.inject({
    method: 'POST',
    url: '/api/things-auth/oauth/token',
    headers: { ...clientHeaders, 'content-type': 'text/plain' },
    payload: cipher.encrypt('{}'),
  });
  expect(reply.statusCode).toBe(415);
});
