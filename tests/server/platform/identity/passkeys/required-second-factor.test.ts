import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Secret, TOTP } from 'otpauth';
import { Authenticator } from '../../../../support/authenticator.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

const address = 'https://console.example.cn';
const browser = { origin: address, host: 'console.example.cn' };

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['session', 'account'], environment: { PUBLIC_URL: address } });
});
afterAll(() => server.stop());

type Headers = Record<string, string>;
const send = (path: string, body: object, headers: Headers) => server.post(path, body, { headers: { ...browser, ...headers } });
const work = (headers: Headers) => server.get('/api/blade-auth/session/list', { headers });
const missing = { status: 403, msg: '您的角色要求二次验证，请先设置' };

/** Signs in a user whose role requires a second factor. */
async function obliged(account: string) {
  const user = await server.createUser({ account });
  await server.sql(`update role set requires_second_factor = true where id = ${user.roleId}`);
  const input = { grant_type: 'password', username: account, password };
  const { body } = await server.post('/api/things-auth/oauth/token', input, { headers: clientHeaders });
  return { ...user, body, headers: { 'things-auth': `bearer ${body.access_token}` } };
}

async function addPasskey(headers: Headers) {
  const begun = (await send('/api/blade-auth/passkey/begin-registration', {}, headers)).data;
  const credential = new Authenticator(address).register(begun.options);
  return send('/api/blade-auth/passkey/register', { attempt: begun.attempt, credential }, headers);
}

test('a user without a second factor can only set one up, and then everything', async () => {
  const { body, headers } = await obliged('obliged');
  expect(body.second_factor_missing).toBe(true);
  expect(await work(headers)).toMatchObject(missing);
  expect(await send('/api/blade-auth/session/end-others', {}, headers)).toMatchObject(missing);
  expect((await server.get('/api/blade-auth/oauth/user-info', { headers })).data.second_factor_missing).toBe(true);
  expect((await server.get('/api/blade-auth/mfa/status', { headers })).data).toMatchObject({ isEnrolled: false, isRequired: true });
  const { secret } = (await send('/api/blade-auth/mfa/enrol', { password }, headers)).data;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  expect((await send('/api/blade-auth/mfa/confirm', { code }, headers)).status).toBe(200);
  expect((await work(headers)).status).toBe(200);
  expect((await server.get('/api/blade-auth/oauth/user-info', { headers })).data.second_factor_missing).toBeUndefined();
});

test('a passkey is a second factor, and the last one cannot be removed', async () => {
  const { headers } = await obliged('keyholder');
  const added = await addPasskey(headers);
  expect((await work(headers)).status).toBe(200);
  const removed = await send('/api/blade-auth/passkey/remove', { id: added.data.id }, headers);
  expect(removed).toMatchObject({ status: 409, msg: '您的角色要求二次验证，请先设置另一种验证方式' });
  expect((await server.get('/api/blade-auth/passkey/list', { headers: { ...browser, ...headers } })).data.passkeys).toHaveLength(1);
  await addPasskey(headers);
  expect((await send('/api/blade-auth/passkey/remove', { id: added.data.id }, headers)).status).toBe(200);
});

test('after a reset by an administrator the sessions of the user wait for a new one', async () => {
  const { userId, headers } = await obliged('reset');
  await addPasskey(headers);
  await server.post('/api/blade-system/user/reset-mfa', undefined, { query: { userIds: userId }, headers: await server.signIn() });
  expect(await work(headers)).toMatchObject(missing);
});
