import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { SignJWT } from 'jose';
import { secretKeysOf } from '../../../../../src/server/base/configuration/secret-key.ts';
import { ExpiredRows } from '../../../../../src/server/platform/identity/sign-in/expired-rows.ts';
import { clientHeaders, openTestServer, password, type TestServer, testSecret } from '../../../../support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.stop());

const tokenPath = '/api/things-auth/oauth/token';
const userInfoPath = '/api/blade-auth/oauth/user-info';

async function openSession(username = 'admin') {
  const { body } = await server.post(tokenPath, { grant_type: 'password', tenantId: '000000', username, password }, { headers: clientHeaders });
  return { refresh: body.refresh_token as string, headers: { 'things-auth': `bearer ${body.access_token}` } };
}

const sidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid as string;
const renew = (refresh_token: string, headers: Record<string, string> = clientHeaders) =>
  server.post(tokenPath, { grant_type: 'refresh_token', refresh_token }, { headers });

test('a refresh token is exchanged for new tokens', async () => {
  const { refresh } = await openSession();
  const { status, body } = await renew(refresh);
  expect(status).toBe(200);
  expect(body.refresh_token).not.toBe(refresh);
  expect((await server.get(userInfoPath, { headers: { 'blade-auth': `Bearer ${body.access_token}` } })).data.roles).toEqual(['administrator']);
});

test('a refresh token used a second time, however soon, ends its whole family', async () => {
  const { refresh, headers } = await openSession();
  const child = (await renew(refresh)).body;
  expect((await renew(refresh)).body).toMatchObject({ error_description: '登录已过期，请重新登录', ending: 'reused' });
  expect(await renew(child.refresh_token)).toMatchObject({ status: 400, body: { ending: 'reused' } });
  expect(await server.sql(`select reason, generation from session where id = '${sidOf(refresh)}'`)).toEqual([{ reason: 'reused', generation: 2 }]);
  expect((await server.get(userInfoPath, { headers })).status).toBe(401);
  expect((await server.get(userInfoPath, { headers: { 'things-auth': `bearer ${child.access_token}` } })).status).toBe(401);
});

test('a refused refresh contains the reason of the end of the session, and nothing if the session may continue', async () => {
  const { userId } = await server.createUser({ account: 'withdrawn' });
  const [ended, valid] = [await openSession('withdrawn'), await openSession('withdrawn')];
  await server.sql(`update session set revoked_at = now(), reason = 'access-withdrawn' where id = '${sidOf(ended.refresh)}'`);
  await server.sql(`update user_account set status = 2 where id = ${userId}`);
  expect(await renew(ended.refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant', ending: 'access-withdrawn' } });
  expect((await renew(valid.refresh)).body).toEqual({ error: 'invalid_grant', error_description: '登录已过期，请重新登录' });
  await server.sql(`update user_account set status = 1 where id = ${userId}`);
  expect((await renew(valid.refresh)).status).toBe(200);
});

test('a refresh token that was exchanged two generations ago is a replay too', async () => {
  const { refresh } = await openSession();
  const child = (await renew(refresh)).body.refresh_token;
  const grandchild = (await renew(child)).body.refresh_token;
  expect((await renew(refresh)).status).toBe(400);
  expect((await renew(grandchild)).status).toBe(400);
});

test('of twenty concurrent refreshes with one token all get the same new token, and a later one ends the session', async () => {
  const { refresh } = await openSession();
  const replies = await Promise.all(Array.from({ length: 20 }, () => renew(refresh)));
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(new Set(replies.map(({ body }) => body.refresh_token)).size).toBe(1);
  const { body } = await renew(replies[0]?.body.refresh_token);
  expect(body.refresh_token).toBeDefined();
  expect((await renew(refresh)).status).toBe(400);
  expect((await renew(body.refresh_token)).status).toBe(400);
});

test('another client cannot use the refresh token', async () => {
  await server.sql(`insert into client (client_id, is_public, authorized_grant_types) values ('other', true, '["refresh_token"]')`);
  const { refresh } = await openSession();
  expect((await renew(refresh, { authorization: `Basic ${btoa('other:')}` })).status).toBe(400);
  expect((await renew(refresh)).status).toBe(200);
});

test('signing out ends the session for both tokens, at the very next request', async () => {
  const { refresh, headers } = await openSession();
  expect((await server.get('/api/things-auth/oauth/logout', { headers })).status).toBe(200);
  expect((await server.get(userInfoPath, { headers })).status).toBe(401);
  expect((await renew(refresh)).status).toBe(400);
  expect((await server.get('/api/things-auth/oauth/logout')).status).toBe(200);
});

test('a refresh token is not accepted as an access token, nor an access token as a refresh token', async () => {
  const { refresh, headers } = await openSession();
  expect((await server.get(userInfoPath, { headers: { 'things-auth': `bearer ${refresh}` } })).status).toBe(401);
  expect((await renew(headers['things-auth'].slice('bearer '.length))).status).toBe(400);
});

test('missing, malformed, foreign, unsigned and expired tokens, and those of an unknown session, are refused with 401', async () => {
  const { headers } = await openSession();
  const token = headers['things-auth'].slice('bearer '.length);
  const claims = { sid: '4ef11dab-c4f2-4987-b267-0e976c363656', tenant_id: '000000', user_id: '1', client_id: 'sryx', token_type: 'access_token' };
  const sign = (key: Uint8Array, from: number, issuer = 'marquee') =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience('marquee')
      .setNotBefore(from)
      .setExpirationTime(from + 60)
      .sign(key);
  const key = secretKeysOf(testSecret).token[0];
  const now = Math.floor(Date.now() / 1000);
  const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${token.split('.')[1]}.`;
  const invalidHeaders = [
    '',
    'x',
    token,
    `bearer ${token}x`,
    `bearer ${unsigned}`,
    `bearer ${await sign(secretKeysOf('another secret of more than 32 bytes').token[0], now)}`,
    `bearer ${await sign(key, now - 3600)}`,
    `bearer ${await sign(key, now, 'someone')}`,
    // Valid but for its session, which does not exist.
    `bearer ${await sign(key, now)}`,
    `crypto ${token}`,
  ];
  for (const header of invalidHeaders)
    expect({ header, status: (await server.get(userInfoPath, { headers: { 'things-auth': header } })).status }).toEqual({ header, status: 401 });
});

test('a token in the query string or in a cookie is ignored', async () => {
  const { headers } = await openSession();
  const token = headers['things-auth'];
  expect((await server.get(userInfoPath, { query: { 'Things-Auth': token, 'Blade-Auth': token, access_token: token.slice(7) } })).status).toBe(401);
  expect((await server.get(userInfoPath, { headers: { cookie: `access_token=${token.slice(7)}` } })).status).toBe(401);
});

test('a change of the password ends every other session, and only the new password signs in', async () => {
  await server.createUser({ account: 'changer' });
  const here = await openSession('changer');
  const elsewhere = await openSession('changer');
  const change = (input: object) => server.post('/api/oms-system/user/update-password', input, { headers: here.headers });
  const next = 'Morning-Lights-2027';
  expect((await change({ oldPassword: password, newPassword: next, newPassword1: 'other' })).msg).toBe('请输入正确的确认密码!');
  expect((await change({ oldPassword: 'wrong', newPassword: next, newPassword1: next })).msg).toBe('原密码不正确!');
  expect((await change({ oldPassword: password, newPassword: 'short1', newPassword1: 'short1' })).msg).toBe('密码至少 8 个字符');
  expect((await change({ oldPassword: password, newPassword: password, newPassword1: password })).msg).toBe('新密码不能与原密码相同');
  expect((await change({ id: '1', oldPassword: password, newPassword: next, newPassword1: next })).status).toBe(403);
  expect(await change({ oldPassword: password, newPassword: next, newPassword1: next })).toMatchObject({ code: 200, data: null, msg: '操作成功' });
  expect((await server.get(userInfoPath, { headers: here.headers })).status).toBe(200);
  expect((await server.get(userInfoPath, { headers: elsewhere.headers })).status).toBe(401);
  expect((await renew(elsewhere.refresh)).status).toBe(400);
  const signIn = (word: string) => server.post(tokenPath, { grant_type: 'password', username: 'changer', password: word }, { headers: clientHeaders });
  expect([(await signIn(password)).status, (await signIn(next)).status]).toEqual([400, 200]);
});

test('after five wrong old passwords the right one is refused too, but the user can still sign in', async () => {
  await server.createUser({ account: 'guesser' });
  const { headers } = await openSession('guesser');
  const next = 'Morning-Lights-2027';
  const change = async (oldPassword: string) =>
    (await server.post('/api/oms-system/user/update-password', { oldPassword, newPassword: next, newPassword1: next }, { headers })).msg;
  for (let attempt = 0; attempt < 5; attempt += 1) expect(await change(`wrong${attempt}`)).toBe('原密码不正确!');
  expect(await change(password)).toBe('用户登录失败次数过多');
  expect((await server.get(userInfoPath, { headers: (await openSession('guesser')).headers })).status).toBe(200);
});

test('while a password must be changed, all other calls are refused', async () => {
  const { userId } = await server.createUser({ account: 'newcomer' });
  await server.sql(`update user_account set password_expired = true where id = ${userId}`);
  const { headers, refresh } = await openSession('newcomer');
  const refused = await server.get('/api/things-system/menu/routes', { headers });
  expect(refused).toMatchObject({ status: 403, code: 403, msg: '请先修改初始密码' });
  expect((await server.get(userInfoPath, { headers })).data.password_expired).toBe(true);
  expect((await renew(refresh)).body.password_expired).toBe(true);
  const next = 'Morning-Lights-2027';
  expect(
    (await server.post('/api/oms-system/user/update-password', { oldPassword: password, newPassword: next, newPassword1: next }, { headers })).status,
  ).toBe(200);
  expect((await server.get('/api/things-system/menu/routes', { headers })).status).toBe(200);
});

test('expired rows are removed, valid ones are kept', async () => {
  const { headers } = await openSession();
  await server.sql(`insert into login_failure values ('account', 'old', 3, now() - interval '1 minute'), ('account', 'new', 3, now() + interval '1 minute')`);
  await server.sql(`insert into captcha values (gen_random_uuid(), 'abcde', now() - interval '1 minute')`);
  await new ExpiredRows(server.db, server.app.log, { recordPurge: async () => undefined }).sweep();
  expect(await server.sql(`select subject from login_failure where subject in ('old', 'new')`)).toEqual([{ subject: 'new' }]);
  expect(await server.sql('select 1 from captcha')).toEqual([]);
  expect((await server.get(userInfoPath, { headers })).status).toBe(200);
});
