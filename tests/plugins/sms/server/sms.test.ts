import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { Sms, SmsDelivery } from '#plugins/sms/contract';
import { smsPlugin } from '../../../../src/plugins/sms/server/plugin.ts';
import type { Asking } from '../../../../src/plugins/sms/server/vendors/vendor.ts';
import { compareTables } from '../../../../src/server/db/index.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-resource/sms';
const phone = '13800138000';
const asked: Asking[] = [];
let answer: () => unknown;
let server: TestServer;
let admin: Record<string, string>;

/** Stands where the vendors do, and answers as they would. */
const vendor = async (asking: Asking) => {
  asked.push(asking);
  return answer();
};

beforeAll(async () => {
  const migrations = plugins.find(({ plugin }) => plugin.id === 'sms')?.migrations ?? {};
  server = await openTestServer({ plugins: ['settings', 'dictionary', { plugin: smsPlugin(vendor), migrations }] });
  admin = await server.signIn();
});
afterAll(() => server.stop());
beforeEach(async () => {
  asked.length = 0;
  answer = () => ({ Code: 'OK', BizId: 'B1' });
  await server.sql('truncate sms, sms_delivery, asked_count, sms_code, sms_outbox');
});

const post = (call: string, form: object, headers = admin) => server.post(`${path}/${call}`, form, { headers });
const list = async (call = 'list', headers = admin) => (await server.get(`${path}/${call}`, { headers })).data.records;
const aliyun = { category: '3', accessKey: 'LTAI-key', secretKey: 'very-secret', signName: '签名', templateId: 'SMS_1' };
const add = async (smsCode: string, fields: object = {}, headers = admin) => (await post('submit', { ...aliyun, smsCode, ...fields }, headers)).data;
const trial = (fields: object = {}, headers = admin) =>
  post('endpoint/send-message', { code: 'ali', phones: phone, params: '{"code":"123456"}', ...fields }, headers);

test('the tables are what the entities say', async () => {
  for (const entity of [Sms, SmsDelivery]) expect(await compareTables(server.db, entity)).toEqual([]);
});

test('keys are sealed, and no answer carries them', async () => {
  const added = await post('submit', { ...aliyun, smsCode: 'ali' });
  expect(added.data).toMatchObject({ smsCode: 'ali', status: 1 });
  const answers = JSON.stringify([added.body, await list(), (await server.get(`${path}/detail`, { headers: admin, query: { id: added.data.id } })).body]);
  expect(answers).not.toMatch(/LTAI-key|very-secret/);
  const [row] = await server.sql('select access_key, secret_key from sms');
  expect(JSON.stringify(row)).not.toMatch(/LTAI-key|very-secret/);
  expect(await post('submit', { ...aliyun, smsCode: 'two', secretKey: '' })).toMatchObject({ status: 400 });
  expect(await post('submit', { ...aliyun, smsCode: 'two', category: '1', secretKey: '' })).toMatchObject({ code: 200 });
  expect(await post('submit', { ...aliyun, smsCode: 'three', category: '4' })).toMatchObject({ status: 400, msg: '请输入应用编号' });
});

test('one is enabled and no other, however many are switched at once', async () => {
  const ids = [(await add('a')).id, (await add('b')).id, (await add('c')).id];
  const replies = await Promise.all(ids.map((id) => post('enable', { id })));
  expect(replies.map(({ code }) => code)).toEqual([200, 200, 200]);
  expect((await list()).filter(({ status }: { status: number }) => status === 2)).toHaveLength(1);
  const enabled = (await list()).find(({ status }: { status: number }) => status === 2);
  expect(await post('remove', { ids: [enabled.id] })).toMatchObject({ status: 409 });
  await post('disable', { id: enabled.id });
  expect(await post('remove', { ids: [enabled.id] })).toMatchObject({ code: 200 });
  expect(await post('enable', { id: enabled.id })).toMatchObject({ status: 404 });
});

test('a trial goes to the vendor and is noted without what stood in it', async () => {
  await add('ali');
  expect(await trial()).toMatchObject({ code: 200, data: true });
  expect(asked[0]?.url).toBe('https://dysmsapi.aliyuncs.com/');
  expect(new URLSearchParams(asked[0]?.body).get('TemplateParam')).toBe('{"code":"123456"}');
  expect(await list('delivery/list')).toMatchObject([{ phone, smsCode: 'ali', purpose: 'debug', outcome: 1, receipt: 'B1', reason: null }]);
  const [row] = await server.sql('select row_to_json(d)::text as kept from sms_delivery d');
  expect(row?.kept).not.toContain('123456');
});

test('what a vendor has against it is told and noted; one that is away holds nothing up', async () => {
  await add('ali');
  answer = () => ({ Code: 'isv.AMOUNT_NOT_ENOUGH', Message: '账户余额不足' });
  expect(await trial()).toMatchObject({ status: 400, msg: '发送失败：isv.AMOUNT_NOT_ENOUGH 账户余额不足' });
  answer = () => {
    throw new TypeError('fetch failed: https://secret.example/?key=1');
  };
  const away = await trial({ phones: '13800138001' });
  expect(away).toMatchObject({ status: 400, msg: '发送失败：dysmsapi.aliyuncs.com: no answer' });
  expect(away.msg).not.toContain('secret.example');
  expect((await list('delivery/list')).map(({ outcome }: { outcome: number }) => outcome)).toEqual([2, 2]);
});

test.each([
  [{ phones: '1380013800' }, 400],
  [{ params: '[1]' }, 400],
  [{ params: '{' }, 400],
  [{ params: '{}' }, 400],
  [{ params: '{"__proto__":{"code":"1"}}' }, 400],
  [{ code: 'nowhere' }, 404],
  [{ code: '' }, 400],
])('a trial with %j is refused', async (fields, status) => {
  await add('ali');
  expect(await trial(fields)).toMatchObject({ status });
  expect(asked).toEqual([]);
});

test('a phone is not sent trials again within a minute, however many ask at once', async () => {
  await add('ali');
  const replies = await Promise.all(Array.from({ length: 5 }, () => trial()));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429]);
  expect(asked).toHaveLength(1);
});

test('codes for signing in go through what the tenant has enabled, else into the outbox', async () => {
  const { userId } = await server.createUser({ account: 'caller' });
  await server.sql(`update user_account set phone = '${phone}' where id = ${userId}`);
  const ask = () => server.post('/api/blade-auth/oauth/sms/send-validate', {}, { query: { tenantId: '000000', phone } });
  const until = async (isThere: () => Promise<boolean>) => {
    for (let tries = 0; tries < 200 && !(await isThere()); tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await isThere()).toBe(true);
  };
  const { id } = await add('ali');
  await ask();
  await until(async () => (await server.sql('select 1 from sms_outbox')).length === 1);
  expect(asked).toEqual([]);
  await server.sql('truncate asked_count');
  await post('enable', { id });
  await ask();
  await until(async () => (await list('delivery/list')).some(({ outcome }: { outcome: number }) => outcome === 1));
  expect(new URLSearchParams(asked[0]?.body).get('TemplateParam')).toMatch(/^\{"code":"\d{6}"\}$/);
  expect(await server.sql('select 1 from sms_outbox')).toHaveLength(1);
});

test('another tenant neither sees nor sends by it', async () => {
  const { id } = await add('ali');
  await post('enable', { id });
  await server.createTenant('rivals');
  const codes = ['sms', 'sms_enable', 'sms_debug', 'sms_delivery'];
  await server.createUser({ account: 'rival', codes, roleAlias: 'admin', tenantId: 'rivals' });
  const rival = await server.signIn('rival', 'rivals');
  expect(await list('list', rival)).toEqual([]);
  expect(await trial({}, rival)).toMatchObject({ status: 404 });
  expect(await trial({ code: '' }, rival)).toMatchObject({ status: 400, msg: '没有启用的短信配置' });
  expect(await post('enable', { id }, rival)).toMatchObject({ status: 404 });
  expect(await post('disable', { id }, rival)).toMatchObject({ status: 404 });
});
