import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { secretKeysOf } from '../../../../src/server/base/configuration/secret-key.ts';
import { sm2Encrypt } from '../../../support/sm2-encrypt.ts';
import { clientHeaders, openTestServer, type TestServer, testSecret } from '../../../support/test-server.ts';

const sendPath = '/api/blade-auth/oauth/sms/send-validate';
const tokenPath = '/api/things-auth/oauth/token';
const phone = '13800138000';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['settings', 'sms-sign-in'] });
  const { userId } = await server.createUser({ account: 'caller' });
  await server.sql(`update user_account set phone = '${phone}' where id = ${userId}`);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.sql('truncate asked_count, login_failure, sms_outbox, sms_code');
});

const send = (to: string, tenantId = '000000') => server.post(sendPath, {}, { query: { tenantId, phone: to } });
const sent = async () => {
  for (let tries = 0; tries < 50; tries += 1) {
    const [row] = await server.sql('select content from sms_outbox order by id desc limit 1');
    if (row) return /\d{6}/.exec(String(row.content))?.[0] ?? '';
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return '';
};
const enter = (id: string, value: string, to = phone, tenantId = '000000') =>
  server.post(tokenPath, undefined, { headers: clientHeaders, query: { grant_type: 'sms_code', tenantId, id, phone: to, value, scope: 'all' } });

test('a code that was sent signs in, once', async () => {
  const { code, data } = await send(phone);
  expect(code).toBe(200);
  const value = await sent();
  const { status, body } = await enter(data.id, value);
  expect(status).toBe(200);
  expect(body.account).toBe('caller');
  expect((await server.get('/api/blade-auth/oauth/user-info', { headers: { 'things-auth': `bearer ${body.access_token}` } })).status).toBe(200);
  expect(await enter(data.id, value)).toMatchObject({ status: 400, body: { error_description: '验证码不正确' } });
});

test('the phone may be encrypted with the key of the server', async () => {
  const hidden = sm2Encrypt(phone, secretKeysOf(testSecret).sm2[0]);
  const { data } = await send(hidden);
  expect((await enter(data.id, await sent(), hidden)).status).toBe(200);
});

test.each([
  ['', '手机号码不能为空'],
  ['1380013800', '手机号码长度不为11位'],
  ['02088886666', '手机号码格式不正确'],
  ['1380013800x', '手机号码格式不正确'],
])('a phone "%s" is refused: %s', async (to, msg) => {
  expect(await send(to)).toMatchObject({ status: 400, msg });
});

test('a phone of no account or of two accounts gets the same answer and no message', async () => {
  for (const account of ['twin-one', 'twin-two']) {
    const { userId } = await server.createUser({ account });
    await server.sql(`update user_account set phone = '13900000002' where id = ${userId}`);
  }
  const known = await send(phone);
  await sent();
  for (const to of ['13900000001', '13900000002']) {
    const unknown = await send(to);
    expect({ ...unknown.body, data: Object.keys(unknown.data) }).toEqual({ ...known.body, data: Object.keys(known.data) });
    expect((await enter(unknown.data.id, '123456', to)).body).toEqual({ error: 'invalid_grant', error_description: '验证码不正确' });
  }
  expect(await server.sql('select phone from sms_outbox')).toEqual([{ phone }]);
});

test('five wrong codes use one up, and the phone is locked like an account', async () => {
  const { data } = await send(phone);
  const value = await sent();
  const wrong = value === '000000' ? '111111' : '000000';
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect((await enter(data.id, wrong)).body.error_description).toBe('验证码不正确');
    await server.sql(`update login_failure set failed_at = now() - interval '1 minute'`);
  }
  expect((await enter(data.id, value)).body.error_description).toBe('用户登录失败次数过多');
  await server.sql('truncate login_failure');
  expect((await enter(data.id, value)).body.error_description).toBe('验证码不正确');
});

test('thirty guesses at once are no more than five', async () => {
  const { data } = await send(phone);
  const value = await sent();
  await Promise.all(Array.from({ length: 30 }, (_, index) => enter(data.id, String(Number(value) === index ? 999999 : index).padStart(6, '0'))));
  const [code] = await server.sql('select attempts from sms_code');
  expect(Number(code?.attempts)).toBeGreaterThanOrEqual(3);
  expect(Number(code?.attempts)).toBeLessThanOrEqual(5);
});

test('a code is good for five minutes, for its phone and for its tenant', async () => {
  await server.createTenant('others');
  const { data } = await send(phone);
  const value = await sent();
  expect((await enter(data.id, value, '13800138001')).status).toBe(400);
  expect((await enter(data.id, value, phone, 'others')).status).toBe(400);
  await server.sql(`update sms_code set expires_at = expires_at - interval '5 minutes'`);
  expect((await enter(data.id, value)).status).toBe(400);
});

test('a second code within a minute is refused with the remaining time', async () => {
  await send(phone);
  const again = await send(phone);
  expect(again.status).toBe(429);
  const seconds = Number(again.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(again.msg).toBe(`发送过于频繁，请在 ${seconds} 秒后重试`);
  await server.sql(`update asked_count set ends_at = now() where kind = 'sms-minute'`);
  expect((await send(phone)).status).toBe(200);
});

test('phone, address and tenant each have their share of an hour', async () => {
  const later = () => server.sql(`update asked_count set ends_at = now() where kind = 'sms-minute'`);
  for (let count = 0; count < 5; count += 1) {
    expect((await send(phone)).status).toBe(200);
    await later();
  }
  expect((await send(phone)).status).toBe(429);
  await server.sql('truncate asked_count');
  for (let count = 0; count < 20; count += 1) expect((await send(`139${String(count).padStart(8, '0')}`)).status).toBe(200);
  expect((await send('13911111111')).status).toBe(429);
  await server.sql('truncate asked_count');
  await server.sql(`insert into asked_count values ('sms-tenant', '000000', 1000, now() + interval '10 minutes')`);
  expect((await send(phone)).status).toBe(429);
});

test('neither the code nor its hash is in a log, and only the hash is stored', async () => {
  const { data } = await send(phone);
  const value = await sent();
  await enter(data.id, value);
  await send('13800138009');
  await new Promise((resolve) => setTimeout(resolve, 1200));
  const logs = JSON.stringify([
    await server.sql('select * from api_log'),
    await server.sql('select * from sms_code'),
    await server.sql('select * from login_log'),
  ]);
  expect(logs).not.toContain(value);
});

test('without a channel the method is disabled', async () => {
  const silent = await openTestServer({ plugins: ['sms-sign-in'], environment: { SMS_OUTBOX: 'off' } });
  expect(await silent.post(sendPath, { phone })).toMatchObject({ status: 400, msg: '未开通该登录方式' });
  expect((await silent.get('/api/blade-auth/oauth/ways')).data.sms).toBe(false);
  await silent.stop();
});
