import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Authenticator, type Forgery } from '../../../../support/authenticator.ts';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

const address = 'https://console.example.cn';
const browser = { origin: address, host: 'console.example.cn' };

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['session'], environment: { PUBLIC_URL: address } });
});
afterAll(() => server.stop());

type Headers = Record<string, string>;
const post = (path: string, body: object, headers: Headers = {}) => server.post(path, body, { headers: { ...browser, ...headers } });
const call = (name: string, body: object = {}, headers: Headers = {}) => post(`/api/blade-auth/passkey/${name}`, body, headers);
const grant = (input: object, headers: Headers = {}) => post('/api/things-auth/oauth/token', input, { ...clientHeaders, ...headers });
const signIn = (username: string) => grant({ grant_type: 'password', username, password });
const list = async (headers: Headers) => (await server.get('/api/blade-auth/passkey/list', { headers: { ...browser, ...headers } })).data;

async function register(headers: Headers, name?: string, authenticator = new Authenticator(address)) {
  const { data } = await call('begin-registration', {}, headers);
  const credential = authenticator.register(data.options);
  const reply = await call('register', { attempt: data.attempt, credential, ...(name === undefined ? {} : { name }) }, headers);
  return { reply, authenticator, id: reply.data?.id as string };
}

/** Creates a user with a passkey. */
async function owner(account: string) {
  const user = await server.createUser({ account });
  const headers = await server.signIn(account);
  return { ...user, headers, ...(await register(headers, 'Laptop')) };
}

async function signInAlone(authenticator: Authenticator, forgery?: Forgery, headers?: Headers) {
  const { data } = await call('begin-sign-in');
  return grant({ grant_type: 'passkey', attempt: data.attempt, credential: authenticator.sign(data.options, forgery) }, headers);
}

test('a passkey signs in without account, password and second factor', async () => {
  const { authenticator, reply } = await owner('keyed');
  expect(reply.data).toMatchObject({ name: 'Laptop', host: 'console.example.cn' });
  const { status, body, headers } = await signInAlone(authenticator);
  expect(status).toBe(200);
  expect(body.account).toBe('keyed');
  expect(String(headers['set-cookie'])).toContain('marquee-device-');
  const session = { 'things-auth': `bearer ${body.access_token}` };
  expect((await list(session)).passkeys).toMatchObject([{ name: 'Laptop', lastUsedAt: expect.stringMatching(/^\d{4}-/) }]);
});

test('the options name no account, and every account has a random handle of its own', async () => {
  const { headers, userId } = await owner('handled');
  const { data } = await call('begin-sign-in');
  expect(data.options).toMatchObject({ rpId: 'console.example.cn', userVerification: 'required' });
  expect(data.options.allowCredentials ?? []).toEqual([]);
  const begun = (await call('begin-registration', {}, headers)).data.options;
  expect(begun.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' });
  expect(begun.excludeCredentials).toHaveLength(1);
  const [row] = await server.sql(`select user_handle from passkey where user_id = ${userId}`);
  expect(begun.user.id).toBe(row?.user_handle);
  expect(Buffer.from(begun.user.id, 'base64url')).toHaveLength(32);
});

test('a challenge is valid once, for the browser that got it and for five minutes', async () => {
  const { authenticator, headers } = await owner('challenged');
  const { data } = await call('begin-sign-in');
  const input = { grant_type: 'passkey', attempt: data.attempt, credential: authenticator.sign(data.options) };
  expect((await grant(input)).status).toBe(200);
  expect((await grant(input)).body.error_description).toBe('验证已过期，请重试');
  const late = (await call('begin-sign-in')).data;
  await server.sql(`update passkey_challenge set expires_at = now() - interval '1 second'`);
  expect((await grant({ grant_type: 'passkey', attempt: late.attempt, credential: authenticator.sign(late.options) })).status).toBe(400);
  // Challenges of a registration or a proof belong to their session.
  const proof = (await post('/api/blade-auth/proof/begin', {}, headers)).data;
  const credential = authenticator.sign(proof.options);
  expect((await grant({ grant_type: 'passkey', attempt: proof.attempt, credential })).status).toBe(400);
  const another = await server.createUser({ account: 'neighbour' });
  expect(another.userId).not.toBe('');
  const begun = (await call('begin-registration', {}, await server.signIn('neighbour'))).data;
  const stolen = new Authenticator(address).register(begun.options);
  expect(await call('register', { attempt: begun.attempt, credential: stolen }, headers)).toMatchObject({ status: 400, msg: '验证已过期，请重试' });
});

test('a signature for another page, domain, challenge or account is refused, and so is one without verification of the user', async () => {
  const { authenticator } = await owner('phished');
  const forgeries: Forgery[] = [
    { origin: 'https://console.example.com' },
    { rpId: 'example.com' },
    { challenge: 'bm90IHRoZSBjaGFsbGVuZ2U' },
    { userHandle: 'c29tZWJvZHkgZWxzZQ' },
    { isUserVerified: false },
  ];
  for (const forgery of forgeries) {
    const { status, body } = await signInAlone(authenticator, forgery);
    expect({ forgery, status, message: body.error_description }).toEqual({ forgery, status: 400, message: '无法验证该通行密钥' });
    await server.sql('delete from login_failure');
  }
  expect((await signInAlone(new Authenticator(address))).body.error_description).toBe('无法验证该通行密钥');
  for (const credential of ['', 'null', '{}', '[]', '{"id":"x","response":{}}', '{"id":1,"response":null}']) {
    const { data } = await call('begin-sign-in');
    expect((await grant({ grant_type: 'passkey', attempt: data.attempt, credential })).status).toBe(400);
  }
  expect((await signInAlone(authenticator)).status).toBe(200);
});

test('a copy of an authenticator is refused once the original has counted on, and the counter is stored', async () => {
  const { authenticator, userId } = await owner('cloned');
  expect((await signInAlone(authenticator, { counter: 7 })).status).toBe(200);
  expect((await signInAlone(authenticator, { counter: 7 })).body.error_description).toBe('无法验证该通行密钥');
  expect((await signInAlone(authenticator, { counter: 3 })).status).toBe(400);
  expect((await signInAlone(authenticator, { counter: 0 })).status).toBe(400);
  expect((await server.sql(`select counter::integer as counter from passkey where user_id = ${userId}`))[0]?.counter).toBe(7);
  await server.sql('delete from login_failure');
  expect((await signInAlone(authenticator, { counter: 8 })).status).toBe(200);
});

test('an authenticator that does not count signs in again and again', async () => {
  const { authenticator } = await owner('synced');
  for (let time = 0; time < 3; time += 1) expect((await signInAlone(authenticator, { counter: 0 })).status).toBe(200);
});

test('with a passkey the password is the first factor, and the passkey or nothing is the second', async () => {
  const { authenticator } = await owner('doubled');
  const { status, body } = await signIn('doubled');
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: 'mfa_required', mfa_methods: ['passkey'] });
  const begin = async (mfa_token: string) => (await call('begin-second-factor', { mfa_token })).data;
  const finish = (mfa_token: string, attempt: string, credential: string) => grant({ grant_type: 'passkey', mfa_token, attempt, credential });
  const stranger = await owner('stranger-with-key');
  const first = await begin(body.mfa_token);
  expect(first.options.allowCredentials).toHaveLength(1);
  expect((await finish(body.mfa_token, first.attempt, stranger.authenticator.sign(first.options))).body.error_description).toBe('无法验证该通行密钥');
  const other = (await signIn('doubled')).body.mfa_token as string;
  const second = await begin(body.mfa_token);
  expect((await finish(other, second.attempt, authenticator.sign(second.options))).body.error_description).toBe('验证已过期，请重试');
  const third = await begin(body.mfa_token);
  expect((await finish(body.mfa_token, third.attempt, authenticator.sign(third.options, { isUserVerified: false }))).body.account).toBe('doubled');
  expect(await call('begin-second-factor', { mfa_token: body.mfa_token })).toMatchObject({ status: 400, msg: '验证已过期，请重新登录' });
  expect((await grant({ grant_type: 'totp', mfa_token: other, code: '123456' })).status).not.toBe(200);
});

test('ten passkeys are the most, each is registered once, and its name can be changed', async () => {
  await server.createUser({ account: 'collector' });
  const headers = await server.signIn('collector');
  const first = await register(headers, '  Desk  ');
  expect(first.reply.data.name).toBe('Desk');
  expect((await register(headers, 'Twice', first.authenticator)).reply).toMatchObject({ status: 409, msg: '该通行密钥已添加' });
  await server.createUser({ account: 'copycat' });
  expect((await register(await server.signIn('copycat'), 'Mine', first.authenticator)).reply.status).toBe(409);
  for (let count = 1; count < 10; count += 1) expect((await register(headers)).reply.status).toBe(200);
  expect((await register(headers)).reply).toMatchObject({ status: 409, msg: '最多可添加 10 个通行密钥' });
  expect((await call('rename', { id: first.id, name: 'Office' }, headers)).status).toBe(200);
  expect((await list(headers)).passkeys[0]).toMatchObject({ name: 'Office' });
  expect((await call('rename', { id: first.id, name: 'Stolen' }, await server.signIn('copycat'))).status).toBe(404);
  expect((await call('remove', { id: first.id }, await server.signIn('copycat'))).status).toBe(404);
});

test('a removed passkey is refused, and the password alone signs in again', async () => {
  const { authenticator, headers, id } = await owner('remover');
  expect((await call('remove', { id }, headers)).status).toBe(200);
  expect((await signInAlone(authenticator)).body.error_description).toBe('无法验证该通行密钥');
  expect((await signIn('remover')).status).toBe(200);
});

test('an administrator who resets the second factor removes passkeys too', async () => {
  const { authenticator, userId } = await owner('lost');
  const reset = await server.post('/api/blade-system/user/reset-mfa', undefined, { query: { userIds: userId }, headers: await server.signIn() });
  expect(reset.status).toBe(200);
  expect((await signInAlone(authenticator)).status).toBe(400);
  expect((await signIn('lost')).status).toBe(200);
});

test('disabled accounts, suspended tenants, locked accounts and clients without the grant are refused as with a password', async () => {
  const { authenticator, userId } = await owner('barred');
  const set = (status: number) => server.sql(`update user_account set status = ${status} where id = ${userId}`);
  await set(0);
  expect((await signInAlone(authenticator)).body.error_description).toBe('无法验证该通行密钥');
  await set(1);
  for (let guess = 0; guess < 5; guess += 1) {
    await server.sql(`update login_failure set failed_at = now() - interval '5 minutes'`);
    await grant({ grant_type: 'password', username: 'barred', password: 'wrong' });
  }
  expect((await signInAlone(authenticator)).body.error_description).toBe('用户登录失败次数过多');
  await server.sql('delete from login_failure');
  await server.sql(`insert into client (client_id, is_public, authorized_grant_types) values ('keyless', true, '["captcha"]')`);
  expect((await signInAlone(authenticator, {}, { authorization: `Basic ${btoa('keyless:')}` })).body.error_description).toBe('不支持的授权类型');
  await server.createTenant('keepers');
  await server.createUser({ account: 'keeper', tenantId: 'keepers' });
  const kept = await register(await server.signIn('keeper', 'keepers'));
  expect((await signInAlone(kept.authenticator)).body).toMatchObject({ account: 'keeper', tenant_id: 'keepers' });
  await server.sql(`update tenant set status = 2 where tenant_id = 'keepers'`);
  expect((await signInAlone(kept.authenticator)).body.error_description).toBe('租户已停用，请联系平台管理员');
});

test('the login log names the method and a failure of it', async () => {
  const { authenticator, userId } = await owner('logged');
  await signInAlone(authenticator);
  await signInAlone(authenticator, { counter: 1 });
  await expect
    .poll(async () => (await server.sql(`select outcome from login_log where way = 'passkey' and user_id = ${userId}`)).length, { timeout: 5000 })
    .toBe(1);
  expect((await server.sql(`select 1 from login_log where way = 'passkey' and outcome = 'wrong-passkey'`)).length).toBeGreaterThan(0);
});

test('passkeys work at the public address and at the domain of their tenant, and nowhere else', async () => {
  await server.createTenant('domained');
  await server.sql(`update tenant set domain = 'https://ads.example.org' where tenant_id = 'domained'`);
  await server.createUser({ account: 'local', tenantId: 'domained' });
  const headers = await server.signIn('local', 'domained');
  const at = { origin: 'https://ads.example.org', host: 'ads.example.org' };
  const begun = (await call('begin-registration', {}, { ...headers, ...at })).data;
  expect(begun.options.rp.id).toBe('ads.example.org');
  const authenticator = new Authenticator(at.origin);
  expect((await call('register', { attempt: begun.attempt, credential: authenticator.register(begun.options) }, headers)).status).toBe(200);
  const alone = (await call('begin-sign-in', {}, at)).data;
  const credential = authenticator.sign(alone.options);
  expect((await grant({ grant_type: 'passkey', attempt: alone.attempt, credential })).body.account).toBe('local');
  await server.createUser({ account: 'foreign' });
  const refused = { status: 409, msg: '请从 https://console.example.cn 打开控制台后再使用通行密钥' };
  expect(await call('begin-registration', {}, { ...(await server.signIn('foreign')), ...at })).toMatchObject(refused);
  for (const origin of ['https://evil.example', 'http://console.example.cn', 'http://ads.example.org', 'http://localhost:4000', ''])
    expect(await call('begin-sign-in', {}, { origin })).toMatchObject(refused);
  const ways = async (host: string) => (await server.get('/api/things-auth/oauth/ways', { headers: { host } })).data.passkey;
  expect([await ways('console.example.cn'), await ways('ads.example.org'), await ways('evil.example')]).toEqual([true, true, false]);
});

test('neither a challenge nor a public key can be read as another tenant', async () => {
  await owner('fenced');
  await server.createTenant('others');
  await server.createUser({ account: 'curious', tenantId: 'others' });
  expect((await list(await server.signIn('curious', 'others'))).passkeys).toEqual([]);
  const rows = await server.sql(`select relrowsecurity as secured from pg_class where relname = 'passkey'`);
  expect(rows).toEqual([{ secured: true }]);
});
