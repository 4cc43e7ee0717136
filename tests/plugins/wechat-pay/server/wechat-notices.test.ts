import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { Dispatcher } from '../../../../src/plugins/payment/server/dispatcher.ts';
import type { Settlement } from '../../../../src/plugins/payment/server/settlement.ts';
import { deployedWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';
import { WechatPayServer } from '../../../support/wechat-pay-server.ts';

const payPath = '/api/things-task/weixinpay';
const channelPath = '/api/things-task/pay-channel';
const forgersKeyId = 'PUB_KEY_ID_FORGED';
const forgersApiKey = 'f'.repeat(32);
type Headers = Record<string, string>;

let office: TaskOffice;
let wechat: WechatPayServer;
let ann: Headers;
let eve: Headers;
let mallory: Headers;
let channelId: string;
let forgedId: string;
let payNo: string;

const merchant = (fields: object = {}) => ({
  name: '主商户',
  mchId: wechat.mchId,
  appId: 'wx8888888888888888',
  serialNo: '5157F09EFDC096DE15EBE81A47057A72',
  privateKey: wechat.merchant.privateKey,
  apiV3Key: wechat.apiV3Key,
  publicKeyId: wechat.publicKeyId,
  publicKey: wechat.publicKey,
  sceneId: '1005',
  jobTitle: '内容推广员',
  rewardNote: '任务酬劳',
  ...fields,
});
const forgedKeys = () => ({ publicKeyId: forgersKeyId, publicKey: wechat.forgersKey, apiV3Key: forgersApiKey });

beforeAll(async () => {
  wechat = new WechatPayServer();
  office = await openTaskOffice({ plugins: ['payment', deployedWith('wechat-pay', { address: await wechat.listen() })] });
  ann = (await office.createMember('ann')).headers;
  eve = (await office.createAuditor('eve')).headers;
  await office.server.createUser({ account: 'mallory', codes: ['pay_channel', 'pay_channel_add', 'pay_channel_edit'] });
  mallory = await office.server.signIn('mallory');
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 10_000_000 });
  channelId = (await office.post(`${channelPath}/submit`, merchant())).data.id;
  await office.post(`${channelPath}/enable`, { id: channelId });
  const stored = await office.post(`${channelPath}/submit`, merchant({ name: '假商户', ...forgedKeys() }), mallory);
  expect(stored.code, stored.msg).toBe(200);
  forgedId = stored.data.id;
});
afterAll(async () => {
  await office.server.stop();
  await wechat.close();
});

const sql = (statement: string) => office.server.sql(statement);
const ledgerOf = async (bill: string) => (await sql(`select 1 from ledger_posting where pay_no = '${bill}'`)).length;
const payoutOf = async (bill: string) =>
  (await sql(`select submission_id::text as id, state, gateway, provider_state, note from payout where pay_no = '${bill}'`))[0] as Record<
    string,
    string | number
  >;
const notify = ({ headers, body }: ReturnType<WechatPayServer['notice']>) => office.server.post(`${payPath}/notify`, body, { headers });
const forged = (changes: Record<string, unknown>) => notify(wechat.notice(payNo, changes, 'forger', { serial: forgersKeyId, apiV3Key: forgersApiKey }));

/** The provider has accepted a bill through the real channel; its result is not queried for an hour. */
beforeEach(async () => {
  const id = await office.submitProof(await office.publishTask({ perUserLimit: 0 }), ann);
  await office.post(`${taskPath}/doAudit`, { id, status: 1 }, eve);
  await sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet' where id = ${id}`);
  const reply = await office.post(payPath, { id });
  expect(reply.code, reply.msg).toBe(200);
  payNo = reply.data.payNo;
  await expect.poll(async () => (await payoutOf(payNo)).provider_state, { timeout: 10_000, interval: 50 }).toBe('ACCEPTED');
  await sql("update payout set next_try = now() + interval '1 hour' where state = 1");
});

/** Asserts that the bill is unchanged, that paying again uses the same bill, and that it is paid once. */
async function expectUntouched(): Promise<void> {
  expect(await payoutOf(payNo)).toMatchObject({ state: 1, gateway: `wechat:${channelId}`, provider_state: 'ACCEPTED' });
  expect(await ledgerOf(payNo)).toBe(2);
  expect((await office.post(payPath, { id: (await payoutOf(payNo)).id })).data).toMatchObject({ payNo, state: 1 });
  wechat.end(payNo);
  expect((await notify(wechat.notice(payNo))).status).toBe(200);
  expect(await payoutOf(payNo)).toMatchObject({ state: 2, provider_state: 'SUCCESS' });
  expect(await ledgerOf(payNo)).toBe(4);
  const { id } = await payoutOf(payNo);
  expect(await sql(`select pay_no from payout where submission_id = ${id}`)).toEqual([{ pay_no: payNo }]);
}

test('a notification signed with the key of a stored but disabled channel is refused', async () => {
  for (const state of ['FAIL', 'CANCELLED', 'SUCCESS']) expect((await forged({ state, fail_reason: 'x' })).status, state).toBe(401);
  await expectUntouched();
});

test('a notification of the enabled channel is refused for a bill of the previous one, which is queried through its own channel', async () => {
  await office.post(`${channelPath}/enable`, { id: forgedId });
  for (const state of ['FAIL', 'SUCCESS']) expect((await forged({ state })).status, state).toBe(401);
  await office.post(`${channelPath}/enable`, { id: channelId });
  await expectUntouched();
});

test('a notification without merchant or amount, for another merchant, outdated or repeated is refused, even if signed by the provider', async () => {
  const variants = [
    { mch_id: undefined },
    { mch_id: '1900009999' },
    { appid: 'wx0000000000000000' },
    { transfer_amount: undefined },
    { transfer_amount: '500' },
    { out_bill_no: 'P1' },
  ];
  for (const change of variants) expect((await notify(wechat.notice(payNo, { state: 'FAIL', ...change }))).status, JSON.stringify(change)).toBe(401);
  expect((await notify(wechat.notice(payNo, { state: 'FAIL' }, 'own', { age: 301 }))).status).toBe(401);
  const asked = wechat.asked;
  const once = wechat.notice(payNo, { state: 'FAIL' });
  expect((await notify(once)).status).toBe(200);
  expect((await notify(once)).status).toBe(401);
  expect(wechat.asked).toBe(asked + 1);
  await notify(wechat.notice(payNo, { state: 'FAIL', transfer_amount: 1 }));
  expect(wechat.asked).toBe(asked + 1);
  await expectUntouched();
});

test('a failure is booked only when a query through the channel of the bill confirms it', async () => {
  expect((await notify(wechat.notice(payNo, { state: 'FAIL' }))).status).toBe(200);
  expect(await payoutOf(payNo)).toMatchObject({ state: 1 });
  wechat.end(payNo, 'FAIL');
  expect((await notify(wechat.notice(payNo))).status).toBe(200);
  expect(await payoutOf(payNo)).toMatchObject({ state: 3 });
});

test('a channel with forged keys books nothing, and accepts the provider again once its keys are correct', async () => {
  const edit = (fields: object) => office.post(`${channelPath}/submit`, { id: channelId, ...merchant(fields) }, mallory);
  expect((await edit(forgedKeys())).code).toBe(200);
  for (const state of ['FAIL', 'SUCCESS']) expect((await forged({ state })).status, state).toBe(401);
  await office.post(`${channelPath}/enable`, { id: channelId });
  for (const state of ['FAIL', 'SUCCESS']) expect((await forged({ state })).status, state).toBe(503);
  expect((await edit({})).code).toBe(200);
  await office.post(`${channelPath}/enable`, { id: channelId });
  await expectUntouched();
});

test('a notification of a disabled channel is refused, and its open bill is settled by a query', async () => {
  await office.post(`${channelPath}/disable`, { id: channelId });
  const asked = wechat.asked;
  for (const state of ['FAIL', 'SUCCESS']) expect((await notify(wechat.notice(payNo, { state }))).status, state).toBe(401);
  expect(wechat.asked).toBe(asked);
  wechat.end(payNo);
  await sql(`update payout set next_try = now() where pay_no = '${payNo}'`);
  await expect.poll(async () => (await payoutOf(payNo)).state, { timeout: 10_000, interval: 50 }).toBe(2);
  expect(await ledgerOf(payNo)).toBe(4);
  await office.post(`${channelPath}/enable`, { id: channelId });
});

test('replaced keys disable the channel until a permitted user enables it; other changes and the same keys do not', async () => {
  const edit = async (fields: object, headers?: Headers) =>
    (await office.post(`${channelPath}/submit`, { id: channelId, ...merchant(fields) }, headers)).data?.status;
  expect(await edit({ remark: '备注' }, mallory)).toBe(2);
  expect(await edit({ privateKey: '', apiV3Key: undefined }, mallory)).toBe(2);
  for (const fields of [{ serialNo: 'ABCDEF' }, { publicKeyId: 'PUB_KEY_ID_2' }, { publicKey: wechat.forgersKey }, { apiV3Key: forgersApiKey }]) {
    expect(await edit(fields, mallory), Object.keys(fields)[0]).toBe(1);
    expect((await office.post(`${channelPath}/enable`, { id: channelId }, mallory)).status).toBe(403);
    expect(await edit({}, mallory)).toBe(1);
    expect((await office.post(`${channelPath}/enable`, { id: channelId })).status).toBe(200);
  }
  await expectUntouched();
});

test('the merchant of a channel cannot be changed', async () => {
  for (const fields of [{ mchId: '1900009999' }, { appId: 'wx0000000000000000' }]) {
    const [field] = Object.keys(fields);
    expect(await office.post(`${channelPath}/submit`, { id: channelId, ...merchant(fields) })).toMatchObject({ status: 409, body: { field } });
  }
  expect((await office.post(`${channelPath}/submit`, { id: channelId, ...merchant({ name: '商户一' }) })).code).toBe(200);
  await expectUntouched();
});

test('a bill that another process has sent through one channel is not sent through a second', async () => {
  const noted: string[] = [];
  const settlement = { settle: async () => undefined, recordFailure: async (_: string, __: string, why: string) => void noted.push(why) };
  const second = new ScriptedGateway();
  const resolve = async () => {
    await sql(`update payout set gateway = 'wechat:${channelId}' where pay_no = '${payNo}'`);
    return second;
  };
  const dispatcher = new Dispatcher(office.server.db, settlement as unknown as Settlement, { resolve });
  // The server also processes due bills, so the test repeats until its own dispatcher gets this one.
  await expect
    .poll(
      async () => {
        await sql(`update payout set gateway = '', next_try = now() where pay_no = '${payNo}'`);
        await dispatcher.runOnce();
        return noted.length + second.sent.length;
      },
      { timeout: 10_000, interval: 20 },
    )
    .toBeGreaterThan(0);
  expect(second.sent).toEqual([]);
  await sql(`update payout set gateway = 'wechat:${channelId}', next_try = now() + interval '1 hour' where pay_no = '${payNo}'`);
  await expectUntouched();
});
