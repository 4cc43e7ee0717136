import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { WireCipher } from '../../../../../src/server/platform/http/wire-cipher.ts';
import { clientHeaders, openTestServer, password, type TestServer, testServer } from '../../../../support/test-server.ts';

const key = 'a key of the family, 32 bytes ok';
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ environment: { CAPTCHA_MODE: 'on', CAPTCHA_TEST_ANSWER: '7k3fQ', TOKEN_CRYPTO_KEY: key } });
});
afterAll(() => server.stop());

const address = '/api/blade-auth/token';
const whoAmI = '/api/blade-auth/oauth/user-info';
const ask = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  server.post(address, undefined, { query, headers: { ...clientHeaders, ...headers } });

test('parameters in the query, the grant in the envelope, names in camel case', async () => {
  const { status, body } = await ask({ tenantId: '000000', account: 'admin', password, type: 'account' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ code: 200, success: true, msg: '操作成功' });
  expect(body.data).toEqual({
    accessToken: expect.stringMatching(/^eyJ/),
    refreshToken: expect.stringMatching(/^eyJ/),
    tokenType: 'bearer',
    expiresIn: 3600,
    userId: expect.stringMatching(/^\d+$/),
    tenantId: '000000',
    oauthId: '',
    account: 'admin',
    userName: '管理员',
    avatar: '',
    authority: 'administrator',
    deptId: expect.stringMatching(/^\d+$/),
    roleId: expect.stringMatching(/^\d+$/),
    license: '',
  });
  expect((await server.get(whoAmI, { headers: { 'blade-auth': `bearer ${body.data.accessToken}` } })).data.roles).toEqual(['administrator']);
});

test('a captcha is returned in data, and its key and code are sent as headers', async () => {
  const { data } = (await server.get('/api/blade-auth/captcha')).body;
  expect(data.image).toMatch(/^data:image\//);
  const grant = { grantType: 'captcha', account: 'admin', password };
  expect((await ask(grant, { 'captcha-key': data.key, 'captcha-code': '7K3FQ' })).data.account).toBe('admin');
  expect(await ask(grant, { 'captcha-key': data.key, 'captcha-code': '7K3FQ' })).toMatchObject({ status: 400, code: 400, success: false, msg: '验证码不正确' });
});

test('a refresh token of either dialect is good for the other, once', async () => {
  const { data } = await ask({ account: 'admin', password });
  const renewed = await ask({ grantType: 'refresh_token', refreshToken: data.refreshToken });
  expect(renewed.data.refreshToken).not.toBe(data.refreshToken);
  const other = await server.post(
    '/api/things-auth/oauth/token',
    { grant_type: 'refresh_token', refresh_token: renewed.data.refreshToken },
    { headers: clientHeaders },
  );
  expect(other.status).toBe(200);
  expect(await ask({ grantType: 'refresh_token', refreshToken: renewed.data.refreshToken })).toMatchObject({ status: 400, msg: '登录已过期，请重新登录' });
});

test('refusals are in the envelope, with the messages and statuses of the wire format', async () => {
  expect(await ask({ account: 'admin', password: 'wrong' })).toMatchObject({ status: 400, code: 400, data: null, msg: '用户名或密码错误' });
  expect(await ask({ account: 'admin' })).toMatchObject({ status: 400, code: 400 });
  expect(await ask({ grantType: 'magic', account: 'admin', password })).toMatchObject({ status: 400, msg: '不支持的授权类型' });
  expect(await ask({ account: 'admin', password }, { authorization: `Basic ${btoa('sryx:wrong')}` })).toMatchObject({ status: 401, msg: '客户端认证失败' });
});

test('signing out is a POST here, and answers a guest as well', async () => {
  const { data } = await ask({ account: 'admin', password });
  const headers = { 'blade-auth': `bearer ${data.accessToken}` };
  expect(await server.post('/api/blade-auth/logout', {}, { headers })).toMatchObject({ status: 200, data: { code: '200' } });
  expect((await server.get(whoAmI, { headers })).status).toBe(401);
  expect((await server.post('/api/blade-auth/logout')).status).toBe(200);
});

test('clearing caches is open to all callers, and reloads the caller', async () => {
  const { userId } = await server.createUser({ account: 'cached' });
  const headers = await server.signIn('cached');
  expect((await server.get(whoAmI, { headers })).status).toBe(200);
  await server.sql(`update user_account set status = 2 where id = ${userId}`);
  for (const service of ['things-auth', 'blade-auth']) expect((await server.get(`/api/${service}/oauth/clear-cache`, { headers })).status).toBe(200);
  expect((await server.get('/api/blade-system/menu/buttons', { headers })).status).toBe(401);
});

test('a token may be encrypted with the configured key, but not with another', async () => {
  const { data } = await ask({ account: 'admin', password });
  const as = (cipher: WireCipher) => ({ 'blade-auth': `crypto ${cipher.encrypt(data.accessToken)}` });
  expect((await server.get(whoAmI, { headers: as(new WireCipher(key)) })).status).toBe(200);
  expect((await server.get(whoAmI, { headers: as(new WireCipher('another key of the family, 32 by')) })).status).toBe(401);
  expect((await server.get(whoAmI, { headers: { 'blade-auth': 'crypto AAAA' } })).status).toBe(401);
  const plain = await testServer({ db: server.db });
  expect((await plain.get(whoAmI, { headers: as(new WireCipher(key)) })).status).toBe(401);
});

test('the cipher is the family’s: AES-CBC, the key’s first bytes as its beginning', () => {
  // openssl enc -aes-128-cbc -K $hex -iv $hex -base64
  expect(new WireCipher('0123456789abcdef').decrypt(new WireCipher('0123456789abcdef').encrypt('hello 你好'))).toBe('hello 你好');
  expect(new WireCipher('0123456789abcdef').encrypt('hello')).toBe('MOfLtxzZ0YgS4+5cPylFYw==');
});
