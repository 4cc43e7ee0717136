import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { decodeJwt } from 'jose';
import { secretKeysOf } from '../../../../../src/server/base/configuration/secret-key.ts';
import { secretHash } from '../../../../../src/server/platform/identity/accounts/clients.ts';
import { invalidatePrincipals } from '../../../../../src/server/platform/principal/principal-cache.ts';
import { sm2Encrypt } from '../../../../support/sm2-encrypt.ts';
import { clientHeaders, openTestServer, password, type TestServer, testSecret } from '../../../../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.stop());

const address = '/api/things-auth/oauth/token';
const publicHeaders = { authorization: `Basic ${btoa('sryx:')}` };
const right = { grant_type: 'password', tenantId: '000000', username: 'admin', password };
const ask = (input: object, headers: Record<string, string> = clientHeaders, path = address) => server.post(path, input, { headers });

test('an administrator signs in and gets the bare reply of the wire', async () => {
  const { status, body } = await ask(right);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    tenant_id: '000000',
    account: 'admin',
    user_name: 'admin',
    role_name: 'administrator',
    token_type: 'bearer',
    expires_in: 3600,
    is_admin: 0,
  });
  expect(body).toMatchObject({ password_expired: false, detail: { type: 'web' }, time_zone: 'Asia/Shanghai' });
  expect(body.depart_id).toBe(body.dept_id);
  expect(body).not.toHaveProperty('code');
});

test('the header User-Type says what signs in, and stays said for the session', async () => {
  const typeOf = async (userType: string) => {
    const { body } = await ask(right, { ...clientHeaders, 'user-type': userType });
    const { body: refreshed } = await ask({ grant_type: 'refresh_token', refresh_token: body.refresh_token });
    return [body.detail, decodeJwt(refreshed.access_token).detail];
  };
  expect(await typeOf('app')).toEqual([{ type: 'app' }, { type: 'app' }]);
  expect(await typeOf('other')).toEqual([{ type: 'other' }, { type: 'other' }]);
  for (const unknown of ['', 'root']) expect(await typeOf(unknown)).toEqual([{ type: 'web' }, { type: 'web' }]);
});

test('the access token contains its user in the claims of the wire format', async () => {
  const { body } = await ask(right);
  const claims = decodeJwt(body.access_token);
  expect(claims).toMatchObject({
    iss: 'marquee',
    aud: ['marquee'],
    token_type: 'access_token',
    client_id: 'sryx',
    tenant_id: '000000',
    account: 'admin',
    role_name: 'administrator',
  });
  expect(Number(claims.exp) - Number(claims.nbf)).toBe(3600);
});

test.each([['query'], ['form'], ['json']])('parameters are taken from %s', async (kind) => {
  const form = new URLSearchParams(right).toString();
  const request = {
    query: { url: `${address}?${form}` },
    form: { url: address, payload: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    json: { url: address, payload: right },
  }[kind] as { url: string; headers?: Record<string, string> };
  const reply = await server.app.inject({ method: 'POST', ...request, headers: { ...clientHeaders, ...request.headers } });
  expect(reply.statusCode).toBe(200);
});

test('the other name of the service answers alike', async () => {
  expect((await ask(right, clientHeaders, '/api/blade-auth/oauth/token')).status).toBe(200);
});

test('a password is accepted plain, as md5 hex and as SM2 with or without the leading 04', async () => {
  const cipher = sm2Encrypt(password, secretKeysOf(testSecret).sm2[0]);
  const md5 = createHash('md5').update(password).digest('hex');
  for (const form of [password, md5, cipher, `04${cipher}`]) expect((await ask({ ...right, password: form })).status).toBe(200);
});

test('a wrong password, an unknown account and a foreign tenant get the same message', async () => {
  for (const wrong of [{ password: 'wrong' }, { username: 'nobody' }, { tenantId: '999999' }, { tenantId: "x' or 1=1 --" }]) {
    const { status, body } = await ask({ ...right, ...wrong });
    expect({ status, body }).toEqual({ status: 400, body: { error: 'invalid_grant', error_description: '用户名或密码错误' } });
  }
  await ask(right);
});

test('refusals are in English on request', async () => {
  const { body } = await ask({ ...right, password: 'wrong' }, { ...clientHeaders, 'accept-language': 'en-GB,en;q=0.9' });
  expect(body.error_description).toBe('Incorrect account or password.');
  await ask(right);
});

test('the tenant may be named by the header only; parameters take precedence', async () => {
  await server.createTenant('header');
  await server.createUser({ account: 'heady', tenantId: 'header' });
  const enter = (input: object, tenantId: string) =>
    server.post(address, { grant_type: 'password', username: 'heady', password, ...input }, { headers: { ...clientHeaders, 'tenant-id': tenantId } });
  expect(await enter({}, 'header')).toMatchObject({ status: 200, body: { tenant_id: 'header' } });
  expect(await enter({ tenantId: 'header' }, '000000')).toMatchObject({ status: 200, body: { tenant_id: 'header' } });
  expect(await enter({}, '000000')).toMatchObject({ status: 400 });
});

test('a missing, unknown or wrong client is 401, with any other input', async () => {
  const clients = ['', `Basic ${btoa('sryx:wrong')}`, `Basic ${btoa('other:sryx_secret')}`, 'Basic ???', `Basic ${btoa('sryx')}`, 'Bearer x'];
  for (const authorization of clients) {
    const { status, body } = await ask(right, { authorization });
    expect({ authorization, status, error: body.error }).toEqual({ authorization, status: 401, error: 'invalid_client' });
  }
});

test('the console’s client is the one the manifest names, made also where a database has known another', async () => {
  const renamed = await openTestServer({ db: server.db, clientId: 'lantern', environment: { CLIENT_SECRET: 'of the lantern: 50%+1 & more' } });
  const by = (credentials: string) => renamed.post(address, right, { headers: { authorization: `Basic ${btoa(credentials)}` } });
  expect((await by('lantern:of the lantern: 50%+1 & more')).status).toBe(200);
  expect((await by('lantern:of+the+lantern%3A+50%25%2B1+%26+more')).status).toBe(200);
  for (const wrong of ['lantern:sryx_secret', 'lantern:of the lantern']) expect((await by(wrong)).status).toBe(401);
  expect((await ask(right)).status).toBe(200);
  await renamed.stop();
});

test('without its secret the console may use the captcha and refresh grants, not the password grant', async () => {
  expect((await ask(right, publicHeaders)).body).toMatchObject({ error_description: '不支持的授权类型' });
  const signedIn = await ask({ ...right, grant_type: 'captcha' }, publicHeaders);
  expect(signedIn.status).toBe(200);
  expect((await ask({ grant_type: 'refresh_token', refresh_token: signedIn.body.refresh_token }, publicHeaders)).status).toBe(200);
});

test('a deployment without captchas answers with an empty key and picture', async () => {
  expect((await server.get('/api/things-auth/oauth/captcha')).body).toEqual({
    key: '',
    image: '',
    code: 200,
    success: true,
    data: { key: '', image: '' },
    msg: '操作成功',
  });
});

test('an unknown grant is refused, and so is a missing one without a username', async () => {
  for (const grant of ['social', 'authorization_code', 'constructor']) {
    expect((await ask({ ...right, grant_type: grant })).status).toBe(400);
  }
  for (const input of [{}, { password }, { refresh_token: 'x' }]) expect((await ask(input)).body).toMatchObject({ error_description: '不支持的授权类型' });
});

test('a username and a password alone are the password grant, for clients that may use it', async () => {
  for (const input of [
    { username: 'admin', password },
    { username: 'admin', password, grant_type: '' },
  ]) {
    expect(await ask(input)).toMatchObject({ status: 200, body: { account: 'admin', tenant_id: '000000' } });
  }
  expect(await ask({ username: 'admin' })).toMatchObject({ status: 400, body: { error_description: expect.stringContaining('password') } });
  expect((await ask({ username: 'admin', password }, publicHeaders)).body).toMatchObject({ error_description: '不支持的授权类型' });
  await server.sql(`insert into client (client_id, secret_hash, authorized_grant_types) values ('no-passwords', '${secretHash('its secret')}', '["captcha"]')`);
  const noPasswords = { authorization: `Basic ${btoa('no-passwords:its secret')}` };
  expect((await ask({ username: 'admin', password }, noPasswords)).body).toMatchObject({ error_description: '不支持的授权类型' });
});

test('failures of a username and a password alone count towards the lock of the account', async () => {
  await server.createUser({ account: 'forgetful' });
  const failed = async () => (await ask({ username: 'forgetful', password: 'wrong' })).body.error_description;
  for (let failure = 0; failure < 5; failure += 1) {
    expect(await failed()).toBe('用户名或密码错误');
    await server.sql(`update login_failure set failed_at = now() - interval '2 minutes'`);
  }
  expect(await failed()).toBe('用户登录失败次数过多');
});

test('missing credentials are named, not answered with an error', async () => {
  const { status, body } = await ask({ grant_type: 'password', username: 'admin' });
  expect(status).toBe(400);
  expect(body.error_description).toContain('password');
});

test('input that is too long or of another type gets a refusal in the format of the endpoint', async () => {
  for (const wrong of [{ password: 'x'.repeat(600) }, { username: { $ne: '' } }, { username: ['admin', 'other'] }, { username: 'a\0b' }]) {
    const { status, body } = await ask({ ...right, ...wrong });
    expect(status).toBe(400);
    expect(body.error).toBe('invalid_grant');
  }
});

test('an account that is disabled does not sign in, and its session ends with it', async () => {
  const { userId } = await server.createUser({ account: 'leaver' });
  const headers = await server.signIn('leaver');
  expect((await server.get('/api/blade-auth/oauth/user-info', { headers })).status).toBe(200);
  await server.sql(`update user_account set status = 2 where id = ${userId}`);
  await invalidatePrincipals(server.db, { userId });
  expect((await ask({ ...right, username: 'leaver' })).body.error_description).toBe('用户名或密码错误');
  expect((await server.get('/api/blade-auth/oauth/user-info', { headers })).status).toBe(401);
});

test('a role called administrator counts in the platform’s tenant alone', async () => {
  await server.createTenant('100001');
  await server.createUser({ account: 'pretender', roleAlias: 'administrator', tenantId: '100001' });
  const { body } = await ask({ ...right, tenantId: '100001', username: 'pretender' });
  expect(body).toMatchObject({ is_admin: 1, role_name: '' });
});
