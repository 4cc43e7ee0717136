import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Secret, TOTP } from 'otpauth';
import { NoContent, NoInput, post } from '#shared/contract';
import { defineServerPlugin, route } from '../../../../../src/server/index.ts';
import { Authenticator } from '../../../../support/authenticator.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

const address = 'https://console.example.cn';
const sensitive = { title: ['敏感操作', 'Sensitive action'], proof: 'fresh', input: NoInput, reply: NoContent } as const;
const open = post('/api/vault/open', { ...sensitive, access: 'signedIn' });
const empty = post('/api/vault/empty', { ...sensitive, access: { code: 'vault_empty' } });
const vault = defineServerPlugin({
  id: 'vault',
  title: ['保险箱', 'Vault'],
  setup: () => ({ routes: [route(open, () => undefined), route(empty, () => undefined)] }),
});

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['session', vault], environment: { PUBLIC_URL: address } });
});
afterAll(() => server.stop());

type Headers = Record<string, string>;
const send = (path: string, body: object, headers: Headers) =>
  server.post(path, body, { headers: { origin: address, host: 'console.example.cn', ...headers } });
const openVault = (headers: Headers) => send(open.path, {}, headers);
const confirm = (body: object, headers: Headers) => send('/api/blade-auth/proof/confirm', body, headers);

/** Lets the proof of the user's sessions be as old as it may not be; the principal in memory is replaced with the next change. */
async function age(userId: string, headers: Headers): Promise<void> {
  await server.sql(`update session set proven_at = now() - interval '301 seconds' where user_id = ${userId}`);
  await server.post('/api/things-auth/oauth/clear-cache', {}, { headers });
  await server.get('/api/blade-auth/oauth/clear-cache', { headers });
}

async function aged(account: string) {
  const { userId } = await server.createUser({ account });
  const headers = await server.signIn(account);
  expect((await openVault(headers)).status).toBe(200);
  await age(userId, headers);
  expect(await openVault(headers)).toMatchObject({ status: 428, code: 428, msg: '请先验证身份' });
  return { userId, headers };
}

test('signing in is a fresh proof for five minutes, and the password renews it', async () => {
  const { headers } = await aged('lender');
  expect(await confirm({}, headers)).toMatchObject({ status: 400, msg: '请输入密码或验证码，或使用通行密钥' });
  expect(await confirm({ password: 'wrong' }, headers)).toMatchObject({ status: 400, msg: '密码不正确' });
  expect((await openVault(headers)).status).toBe(428);
  expect((await confirm({ password }, headers)).status).toBe(200);
  expect((await openVault(headers)).status).toBe(200);
});

test('a user without the permission is not asked for a proof', async () => {
  const { headers } = await aged('unentitled');
  expect((await send(empty.path, {}, headers)).status).toBe(403);
});

test('a refresh of the token is no proof', async () => {
  const { userId } = await server.createUser({ account: 'refresher' });
  const { body } = await server.post('/api/things-auth/oauth/token', { grant_type: 'password', username: 'refresher', password }, { headers: clientHeaders });
  await server.sql(`update session set proven_at = now() - interval '301 seconds' where user_id = ${userId}`);
  const grant = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
  const refreshed = await server.post('/api/things-auth/oauth/token', grant, { headers: clientHeaders });
  expect((await openVault({ 'things-auth': `bearer ${refreshed.body.access_token}` })).status).toBe(428);
});

test('a code of the authenticator app and a passkey are proofs too, each once', async () => {
  const { userId, headers } = await aged('owner');
  const { secret } = (await send('/api/blade-auth/mfa/enrol', { password }, headers)).data;
  const code = (steps: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  // A secret that is not confirmed proves nothing.
  expect((await confirm({ code: code(0) }, headers)).status).not.toBe(200);
  expect((await send('/api/blade-auth/mfa/confirm', { code: code(-1) }, headers)).status).toBe(200);
  const used = code(0);
  expect((await confirm({ code: used }, headers)).status).toBe(200);
  const begun = (await send('/api/blade-auth/passkey/begin-registration', {}, headers)).data;
  const authenticator = new Authenticator(address);
  const credential = authenticator.register(begun.options);
  expect((await send('/api/blade-auth/passkey/register', { attempt: begun.attempt, credential }, headers)).status).toBe(200);
  await age(userId, headers);
  expect((await send('/api/blade-auth/passkey/begin-registration', {}, headers)).status).toBe(428);
  expect((await confirm({ code: used }, headers)).status).toBe(400);
  const methods = await server.get('/api/blade-auth/proof/methods', { headers });
  expect(methods.data).toEqual({ password: true, totp: true, passkey: true });
  const challenge = (await send('/api/blade-auth/proof/begin', {}, headers)).data;
  const proof = { attempt: challenge.attempt, credential: authenticator.sign(challenge.options) };
  expect((await confirm(proof, headers)).status).toBe(200);
  expect((await openVault(headers)).status).toBe(200);
  expect(await confirm(proof, headers)).toMatchObject({ status: 400, msg: '验证已过期，请重试' });
});

test('five wrong proofs lock further attempts, right ones included', async () => {
  const { headers } = await aged('guesser');
  for (let guess = 0; guess < 5; guess += 1) await confirm({ password: 'wrong' }, headers);
  expect(await confirm({ password }, headers)).toMatchObject({ status: 400, msg: '用户登录失败次数过多' });
});

test('the proof of one session is none of another', async () => {
  const { headers } = await aged('twofold');
  const other = await server.signIn('twofold');
  expect((await openVault(other)).status).toBe(200);
  expect((await openVault(headers)).status).toBe(428);
});
