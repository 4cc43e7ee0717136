import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Secret, TOTP, URI } from 'otpauth';
import { clientHeaders, openTestServer, password, type TestServer } from '../../../../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['session'] });
});
afterAll(() => server.stop());

const address = '/api/things-auth/oauth/token';
const grant = (input: object, headers: Record<string, string> = clientHeaders) => server.post(address, input, { headers });
const signIn = (username: string, word = password) => grant({ grant_type: 'password', username, password: word });
const finish = (mfa_token: string, code: string, headers?: Record<string, string>) => grant({ grant_type: 'totp', mfa_token, code }, headers);

/** Returns the code of the time step at this distance; each code is valid once. */
const codeOf = (secret: string, steps = 0) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
const wrongFor = (secret: string) => {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code)) ?? '';
};

async function enrolled(account: string) {
  const user = await server.createUser({ account });
  const headers = await server.signIn(account);
  const { secret, uri } = (await server.post('/api/blade-auth/mfa/enrol', { password }, { headers })).data;
  const { data } = await server.post('/api/blade-auth/mfa/confirm', { code: codeOf(secret, -1) }, { headers });
  return { ...user, headers, secret: secret as string, uri: uri as string, recoveryCodes: data.recoveryCodes as string[] };
}
const begun = async (account: string) => (await signIn(account)).body.mfa_token as string;

test('it is not required before the first code is confirmed, and setting it up requires the password', async () => {
  await server.createUser({ account: 'beginner' });
  const headers = await server.signIn('beginner');
  const enrol = (word: string) => server.post('/api/blade-auth/mfa/enrol', { password: word }, { headers });
  expect((await server.get('/api/blade-auth/mfa/status', { headers })).data).toEqual({
    isEnrolled: false,
    recoveryCodesLeft: 0,
    hasPasskey: false,
    isRequired: false,
  });
  expect(await enrol('wrong')).toMatchObject({ status: 400, msg: '密码不正确' });
  const { secret, uri } = (await enrol(password)).data;
  expect(URI.parse(uri)).toMatchObject({ issuer: 'Marquee', label: 'beginner', digits: 6, period: 30, algorithm: 'SHA1' });
  expect((await signIn('beginner')).status).toBe(200);
  const confirm = (code: string) => server.post('/api/blade-auth/mfa/confirm', { code }, { headers });
  expect(await confirm(wrongFor(secret))).toMatchObject({ status: 400, msg: '二次验证码不正确' });
  const { data } = await confirm(codeOf(secret));
  expect(data.recoveryCodes).toHaveLength(10);
  expect(new Set(data.recoveryCodes).size).toBe(10);
  expect((await server.get('/api/blade-auth/mfa/status', { headers })).data).toEqual({
    isEnrolled: true,
    recoveryCodesLeft: 10,
    hasPasskey: false,
    isRequired: false,
  });
  expect(await enrol(password)).toMatchObject({ status: 409, msg: '已启用二次验证' });
  expect((await signIn('beginner')).status).toBe(400);
});

test('a right password alone is answered with mfa_required, a wrong one as ever', async () => {
  await enrolled('careful');
  const { status, body } = await signIn('careful');
  expect(status).toBe(400);
  expect(body).toEqual({
    error: 'mfa_required',
    error_description: '请输入二次验证码',
    mfa_token: expect.stringMatching(/^[\w-]{43}$/),
    mfa_methods: ['totp'],
  });
  expect((await signIn('careful', 'wrong')).body).toEqual({ error: 'invalid_grant', error_description: '用户名或密码错误' });
  const blade = await server.post('/api/blade-auth/token', { account: 'careful', password }, { headers: clientHeaders });
  expect(blade.body).toMatchObject({ code: 400, success: false, error: 'mfa_required', data: { mfaToken: expect.stringMatching(/^[\w-]{43}$/) } });
});

test('the code of the app completes the sign-in once: neither code nor token is accepted again', async () => {
  const { secret } = await enrolled('twice');
  const [token, another] = [await begun('twice'), await begun('twice')];
  const code = codeOf(secret);
  const { status, body } = await finish(token, code);
  expect(status).toBe(200);
  expect((await server.get('/api/blade-auth/oauth/user-info', { headers: { 'things-auth': `bearer ${body.access_token}` } })).data.account).toBe('twice');
  expect((await finish(another, code)).body.error_description).toBe('二次验证码不正确');
  expect((await finish(token, codeOf(secret, 1))).body.error_description).toBe('验证已过期，请重新登录');
  const blade = await server.post('/api/blade-auth/token', { grantType: 'totp', mfaToken: another, code: codeOf(secret, 1) }, { headers: clientHeaders });
  expect(blade.data.account).toBe('twice');
});

test('five concurrent requests with the same code and token are one sign-in', async () => {
  const { secret } = await enrolled('racer');
  const token = await begun('racer');
  const code = codeOf(secret);
  const replies = await Promise.all(Array.from({ length: 5 }, () => finish(token, code)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a recovery code is as good as the app, once, however it is typed; new ones replace the old', async () => {
  const { recoveryCodes, headers } = await enrolled('forgetful');
  const [first = '', second = ''] = recoveryCodes;
  expect((await finish(await begun('forgetful'), first.toUpperCase().replace('-', ' '))).status).toBe(200);
  expect((await finish(await begun('forgetful'), first)).status).toBe(400);
  expect((await server.get('/api/blade-auth/mfa/status', { headers })).data.recoveryCodesLeft).toBe(9);
  const renewed = (await server.post('/api/blade-auth/mfa/recovery-codes', { password }, { headers })).data.recoveryCodes;
  expect((await finish(await begun('forgetful'), second)).status).toBe(400);
  expect((await finish(await begun('forgetful'), renewed[0])).status).toBe(200);
});

test('guesses are limited by token and by account, and a new password sign-in buys no more of them', async () => {
  const { secret } = await enrolled('guarded');
  const wrong = wrongFor(secret);
  const token = await begun('guarded');
  for (let guess = 0; guess < 3; guess += 1) expect((await finish(token, wrong)).body.error_description).toBe('二次验证码不正确');
  const next = await begun('guarded');
  for (let guess = 0; guess < 2; guess += 1) expect((await finish(next, wrong)).body.error_description).toBe('二次验证码不正确');
  expect((await finish(next, codeOf(secret))).body.error_description).toBe('用户登录失败次数过多');
  await server.sql('delete from login_failure');
  for (let guess = 0; guess < 2; guess += 1) await finish(token, wrong);
  expect((await finish(token, codeOf(secret))).body.error_description).toBe('验证已过期，请重新登录');
  expect((await finish(await begun('guarded'), codeOf(secret))).status).toBe(200);
});

test('an expired, foreign or invalid token is rejected', async () => {
  await server.sql(`insert into client (client_id, is_public, authorized_grant_types) values ('another', true, '["captcha"]')`);
  const { secret } = await enrolled('late');
  const token = await begun('late');
  expect((await finish(token, codeOf(secret), { authorization: `Basic ${btoa('another:')}` })).status).toBe(400);
  expect((await finish('made up', codeOf(secret))).body.error_description).toBe('验证已过期，请重新登录');
  await server.sql(`update sign_in_step set expires_at = now() - interval '1 second'`);
  expect((await finish(token, codeOf(secret))).body.error_description).toBe('验证已过期，请重新登录');
});

test('it is turned off with the password, and then no longer required', async () => {
  const { headers } = await enrolled('tired');
  const disable = (word: string) => server.post('/api/blade-auth/mfa/disable', { password: word }, { headers });
  expect((await disable('wrong')).status).toBe(400);
  expect((await signIn('tired')).status).toBe(400);
  expect((await disable(password)).status).toBe(200);
  expect((await signIn('tired')).status).toBe(200);
  expect(await server.sql(`select 1 from recovery_code c join user_account u on u.id = c.user_id where u.account = 'tired'`)).toEqual([]);
});

test('only an administrator of the same tenant can turn it off', async () => {
  const { userId, headers } = await enrolled('stranded');
  await server.createTenant('rivals');
  await server.createUser({ account: 'rival', codes: ['user_reset_mfa'], tenantId: 'rivals' });
  const reset = (as: Record<string, string>) => server.post('/api/blade-system/user/reset-mfa', undefined, { query: { userIds: userId }, headers: as });
  expect((await reset(headers)).status).toBe(403);
  expect((await reset(await server.signIn('rival', 'rivals'))).status).toBe(404);
  expect((await signIn('stranded')).status).toBe(400);
  expect((await reset(await server.signIn())).status).toBe(200);
  expect((await signIn('stranded')).status).toBe(200);
});

test('a clock half a minute off is forgiven, two minutes are not', async () => {
  const { secret } = await enrolled('drifting');
  expect((await finish(await begun('drifting'), codeOf(secret, 4))).status).toBe(400);
  expect((await finish(await begun('drifting'), codeOf(secret, 1))).status).toBe(200);
});

test('neither secret nor codes are readable in the database', async () => {
  const { secret, recoveryCodes, userId } = await enrolled('sealed');
  const rows = JSON.stringify([
    await server.sql(`select * from second_factor where user_id = ${userId}`),
    await server.sql(`select * from recovery_code where user_id = ${userId}`),
    await server.sql('select * from sign_in_step'),
  ]);
  for (const hidden of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', '')), await begun('sealed')])
    expect(rows).not.toContain(hidden);
});
