import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { Sms, SmsDelivery, SmsTemplate, SmsValidation } from '#plugins/sms/contract';
import { maskNumber } from '#shared/personal';
import { smsPlugin } from '../../../../src/plugins/sms/server/plugin.ts';
import type { VendorRequest } from '../../../../src/plugins/sms/server/vendors/vendor.ts';
import { compareTables } from '../../../../src/server/data/index.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-resource/sms';
const phone = '13800138000';
const requests: VendorRequest[] = [];
const intervals = new Map<number, () => Promise<void>>();
let answer: () => unknown;
let server: TestServer;
let admin: Record<string, string>;

/** Replaces the vendors and returns what the test has set. */
const vendor = async (request: VendorRequest) => {
  requests.push(request);
  return answer();
};

beforeAll(async () => {
  const migrations = plugins.find(({ plugin }) => plugin.id === 'sms')?.migrations ?? {};
  const plugin = smsPlugin(vendor);
  // Hourly work runs when a test triggers it.
  const setup: typeof plugin.setup = (context) => {
    const { tasks = [], ...contributions } = plugin.setup?.(context) ?? {};
    for (const { everySeconds, run } of tasks) intervals.set(everySeconds, () => run(new AbortController().signal));
    return contributions;
  };
  server = await openTestServer({
    plugins: ['settings', 'dictionary', 'sms-sign-in', { plugin: { ...plugin, setup, options: { codeMinutes: 7, codeTries: 4 } }, migrations }],
  });
  admin = await server.signIn();
});
afterAll(() => server.stop());
beforeEach(async () => {
  requests.length = 0;
  answer = () => ({ Code: 'OK', BizId: 'B1' });
  await server.sql('truncate sms, sms_template, sms_validation, sms_delivery, asked_count, sms_code, sms_outbox');
});

const post = (call: string, form: object, headers = admin) => server.post(`${path}/${call}`, form, { headers });
const list = async (call = 'list', headers = admin) => (await server.get(`${path}/${call}`, { headers })).data.records;
const aliyun = { category: '3', accessKey: 'LTAI-key', secretKey: 'very-secret', signName: '签名', templateId: 'SMS_1' };
const add = async (smsCode: string, fields: object = {}, headers = admin) => (await post('submit', { ...aliyun, smsCode, ...fields }, headers)).data;
const sendTest = (fields: object = {}, headers = admin) =>
  post('endpoint/send-message', { code: 'ali', phones: phone, params: '{"code":"123456"}', ...fields }, headers);

test('the tables match the entities', async () => {
  for (const entity of [Sms, SmsDelivery, SmsTemplate, SmsValidation]) expect(await compareTables(server.db, entity)).toEqual([]);
});

test('keys are encrypted, and no response contains them', async () => {
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

test('exactly one configuration is enabled, even after concurrent requests', async () => {
  const ids = [(await add('a')).id, (await add('b')).id, (await add('c')).id];
  const replies = await Promise.all(ids.map((id) => post('enable', { id })));
  expect(replies.map(({ code }) => code)).toEqual([200, 200, 200]);
  expect((await list()).filter(({ status }: { status: number }) => status === 2)).toHaveLength(1);
  const enabled = (await list()).find(({ status }: { status: number }) => status === 2);
  expect(await post('remove', { ids: [enabled.id] })).toMatchObject({ status: 409 });
  await post('disable', { id: enabled.id });
  const { data: history } = await server.get(`${path}/history`, { headers: admin, query: { id: enabled.id } });
  expect(history.records.slice(0, 2).map(({ fields }: { fields: object }) => fields)).toEqual([{ status: [2, 1] }, { status: [1, 2] }]);
  expect(await post('remove', { ids: [enabled.id] })).toMatchObject({ code: 200 });
  expect(await post('enable', { id: enabled.id })).toMatchObject({ status: 404 });
});

test('a test message is sent to the vendor and logged without its content', async () => {
  await add('ali');
  expect(await sendTest()).toMatchObject({ code: 200, data: true });
  expect(requests[0]?.url).toBe('https://dysmsapi.aliyuncs.com/');
  expect(new URLSearchParams(requests[0]?.body).get('TemplateParam')).toBe('{"code":"123456"}');
  expect(await list('delivery/list')).toMatchObject([{ phone: maskNumber(phone), smsCode: 'ali', purpose: 'debug', outcome: 1, receipt: 'B1', reason: null }]);
  const [row] = await server.sql('select row_to_json(d)::text as kept from sms_delivery d');
  expect(row?.kept).not.toContain('123456');
});

test('a rejection by a vendor is returned and logged, as is an unavailable vendor', async () => {
  await add('ali');
  answer = () => ({ Code: 'isv.AMOUNT_NOT_ENOUGH', Message: '账户余额不足' });
  expect(await sendTest()).toMatchObject({ status: 400, msg: '发送失败：isv.AMOUNT_NOT_ENOUGH 账户余额不足' });
  answer = () => {
    throw new TypeError('fetch failed: https://secret.example/?key=1');
  };
  const away = await sendTest({ phones: '13800138001' });
  expect(away).toMatchObject({ status: 400, msg: '发送失败：dysmsapi.aliyuncs.com: no answer' });
  expect(away.msg).not.toContain('secret.example');
  expect((await list('delivery/list')).map(({ outcome }: { outcome: number }) => outcome)).toEqual([2, 2]);
});

test('of several phones only those that the vendor has refused are logged as failed', async () => {
  await add('ali', { category: '4', appId: '1400000000' });
  const accepted = { Code: 'Ok', Message: 'send success', SerialNo: 'S1', PhoneNumber: '+8613800138000' };
  const refused = { Code: 'LimitExceeded', Message: 'too many', SerialNo: '', PhoneNumber: '+8613800138001' };
  answer = () => ({ Response: { SendStatusSet: [accepted, refused] } });
  expect(await sendTest({ phones: '13800138000,13800138001' })).toMatchObject({ status: 400, msg: '发送失败：LimitExceeded too many' });
  expect(await server.sql('select phone, outcome, reason from sms_delivery order by phone')).toEqual([
    { phone: '13800138000', outcome: 1, reason: null },
    { phone: '13800138001', outcome: 2, reason: 'LimitExceeded too many' },
  ]);
});

test.each([
  [{ phones: '1380013800' }, 400],
  [{ params: '[1]' }, 400],
  [{ params: '{' }, 400],
  [{ params: '{}' }, 400],
  [{ params: '{"__proto__":{"code":"1"}}' }, 400],
  [{ code: 'nowhere' }, 404],
  [{ code: '' }, 400],
])('a test message with %j is refused', async (fields, status) => {
  await add('ali');
  expect(await sendTest(fields)).toMatchObject({ status });
  expect(requests).toEqual([]);
});

test('a phone gets one test message a minute, even with concurrent requests', async () => {
  await add('ali');
  const replies = await Promise.all(Array.from({ length: 5 }, () => sendTest()));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429]);
  expect(requests).toHaveLength(1);
});

test('sign-in codes are sent through the tenant’s enabled configuration, otherwise to the outbox', async () => {
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
  expect(requests).toEqual([]);
  await server.sql('truncate asked_count');
  await post('enable', { id });
  await ask();
  await until(async () => (await list('delivery/list')).some(({ outcome }: { outcome: number }) => outcome === 1));
  expect(new URLSearchParams(requests[0]?.body).get('TemplateParam')).toMatch(/^\{"code":"\d{6}"\}$/);
  expect(await server.sql('select 1 from sms_outbox')).toHaveLength(1);
});

test('a template is sent through its configuration under a unique code', async () => {
  const { id } = await add('ali');
  const template = { templateCode: 'job_failed', smsId: id, templateId: 'SMS_9', templateParams: ['job', 'reason'], content: '任务 #job# 失败：#reason#' };
  const submit = (fields: object = {}) => post('template/submit', { ...template, ...fields });
  const { data } = await submit();
  expect(data).toMatchObject({ templateCode: 'job_failed', smsId: id, templateParams: ['job', 'reason'] });
  expect(await submit({ templateCode: 'ali' })).toMatchObject({ status: 409, msg: '短信编号与模板代码不能相同' });
  expect(await submit({ templateCode: 'x', smsId: '999999999999999999' })).toMatchObject({ status: 404 });
  expect(await post('submit', { ...aliyun, smsCode: 'job_failed' })).toMatchObject({ status: 409 });
  expect(await post('remove', { ids: [id] })).toMatchObject({ status: 409, data: { uses: [{ title: expect.anything(), count: 1 }] } });
  expect((await server.get(`${path}/select`, { headers: admin })).data).toEqual([{ id, smsCode: 'ali' }]);

  expect(await sendTest({ code: 'job_failed', params: '{"job":"夜间对账"}' })).toMatchObject({ status: 400, msg: '缺少模板变量 reason' });
  expect(await sendTest({ code: 'job_failed', params: '{"job":"夜间对账","reason":"超时"}' })).toMatchObject({ code: 200 });
  const sent = new URLSearchParams(requests[0]?.body);
  expect([sent.get('TemplateCode'), sent.get('SignName'), sent.get('TemplateParam')]).toEqual(['SMS_9', '签名', '{"job":"夜间对账","reason":"超时"}']);
  expect(await list('delivery/list')).toMatchObject([{ smsCode: 'job_failed', outcome: 1 }]);
  expect(await post('template/remove', { ids: [data.id] })).toMatchObject({ code: 200 });
  expect(await post('remove', { ids: [id] })).toMatchObject({ code: 200 });
});

test('a code verifies a phone number: sent to the phone only, with limited attempts, valid once, and rate limited like others', async () => {
  await add('ali');
  const send = (fields: object = {}) => post('endpoint/send-validate', { code: 'ali', phone, ...fields });
  const check = (id: string, value: string, fields: object = {}) => post('endpoint/validate-message', { id, phone, value, ...fields });
  const sentCode = () => String(JSON.parse(new URLSearchParams(requests.at(-1)?.body).get('TemplateParam') ?? '{}').code);
  const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  await server.createUser({ account: 'passer-by', codes: ['sms', 'sms_debug'] });
  const passing = await server.signIn('passer-by');
  for (const call of ['send-validate', 'validate-message'])
    expect(await server.post(`${path}/endpoint/${call}`, { id: '1', phone, value: '1' }, { headers: passing })).toMatchObject({ status: 403 });
  const { data } = await send();
  expect(data).toEqual({ id: expect.any(String), phone, value: '', success: true });
  const code = sentCode();
  expect(code).toMatch(/^\d{6}$/);
  expect(JSON.stringify(await server.sql('select * from sms_validation'))).not.toContain(code);
  expect(await send()).toMatchObject({ status: 429 });
  expect(await check(data.id, other(code))).toMatchObject({ status: 400, msg: '验证码不正确或已失效' });
  expect(await check(data.id, code, { phone: '13800138001' })).toMatchObject({ status: 400 });
  expect(await check(data.id, code)).toMatchObject({ code: 200, data: true });
  expect(await check(data.id, code)).toMatchObject({ status: 400 });

  const second = (await send({ phone: '13800138002' })).data;
  const wrong = other(sentCode());
  const at = { phone: '13800138002' };
  for (let tries = 0; tries < 4; tries += 1) expect(await check(second.id, wrong, at)).toMatchObject({ status: 400 });
  expect(await check(second.id, sentCode(), at)).toMatchObject({ status: 400 });

  const late = (await send({ phone: '13800138003' })).data;
  await server.sql("update sms_validation set good_until = now() - interval '1 second'");
  expect(await check(late.id, sentCode(), { phone: '13800138003' })).toMatchObject({ status: 400 });
  // Without a configuration code the text goes through the configuration for sign-in codes, which is the outbox here.
  const boxed = (await send({ code: '', phone: '13800138004' })).data;
  let content = '';
  for (let tries = 0; tries < 200 && !content; tries += 1) {
    content = String((await server.sql("select content from sms_outbox where phone = '13800138004'"))[0]?.content ?? '');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await check(boxed.id, /\d{6}/.exec(content)?.[0] ?? '', { phone: '13800138004' })).toMatchObject({ code: 200 });
  const more = await Promise.all(Array.from({ length: 9 }, (_, index) => send({ phone: `1380013801${index}` })));
  expect(more.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
});

test('sent messages are kept for as many days as the parameter says', async () => {
  await add('ali');
  await sendTest();
  await sendTest({ phones: '13800138001' });
  await server.sql(`update sms_delivery set create_time = now() - interval '200 days' where phone = '${phone}'`);
  await intervals.get(3600)?.();
  expect((await list('delivery/list')).map((row: { phone: string }) => row.phone)).toEqual(['138****8001']);
  await server.post('/api/blade-system/param/submit', { paramName: '短信记录保留天数', paramKey: 'sms.keepDays', paramValue: '30' }, { headers: admin });
  await server.sql("update sms_delivery set create_time = now() - interval '31 days'");
  await intervals.get(3600)?.();
  expect(await list('delivery/list')).toEqual([]);
});

test('another tenant can neither see nor use a configuration', async () => {
  const { id } = await add('ali');
  await post('enable', { id });
  await server.createTenant('rivals');
  const codes = ['sms', 'sms_enable', 'sms_debug', 'sms_delivery'];
  await server.createUser({ account: 'rival', codes, roleAlias: 'admin', tenantId: 'rivals' });
  const rival = await server.signIn('rival', 'rivals');
  expect(await list('list', rival)).toEqual([]);
  expect(await sendTest({}, rival)).toMatchObject({ status: 404 });
  expect(await sendTest({ code: '' }, rival)).toMatchObject({ status: 400, msg: '没有启用的短信配置，请先启用' });
  expect(await post('enable', { id }, rival)).toMatchObject({ status: 404 });
  expect(await post('disable', { id }, rival)).toMatchObject({ status: 404 });
});
