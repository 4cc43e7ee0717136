import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { deployedWith } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';
import { WechatPayServer } from '../../../support/wechat-pay-server.ts';

const payPath = '/api/things-task/weixinpay';
const channelPath = '/api/things-task/pay-channel';
type Headers = Record<string, string>;

let office: TaskOffice;
let wechat: WechatPayServer;
let ann: Headers;
let eve: Headers;
let channelId: string;

beforeAll(async () => {
  wechat = new WechatPayServer();
  office = await openTaskOffice({ plugins: ['payment', deployedWith('wechat-pay', { address: await wechat.listen() })] });
  ann = (await office.createMember('ann')).headers;
  eve = (await office.createAuditor('eve')).headers;
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 10_000_000 });
});
afterAll(async () => {
  await office.server.stop();
  await wechat.close();
});

const merchant = (fields: object = {}) => ({
  name: '主商户',
  mchId: wechat.mchId,
  appId: 'wx8888888888888888',
  serialNo: '5157F09EFDC096DE15EBE81A47057A72',
  // A single-line field has removed the line breaks.
  privateKey: wechat.merchant.privateKey.replaceAll('\n', ''),
  apiV3Key: wechat.apiV3Key,
  publicKeyId: wechat.publicKeyId,
  publicKey: wechat.publicKey,
  notifyUrl: 'https://marquee.example.com/api/things-task/weixinpay/notify',
  sceneId: '1005',
  jobTitle: '内容推广员',
  rewardNote: '任务酬劳',
  ...fields,
});

const sql = (statement: string) => office.server.sql(statement);
const bill = async (payNo: string) => (await sql(`select state, gateway, provider_no, provider_state, note from payout where pay_no = '${payNo}'`))[0];
const makeDue = () => sql('update payout set next_try = now() where state = 1');
/** Waits for the state of a payout, which is tried again without delay. */
const waitForPayout = (payNo: string, expected: object) =>
  expect
    .poll(
      async () => {
        await makeDue();
        return bill(payNo);
      },
      { timeout: 20_000, interval: 300 },
    )
    .toMatchObject(expected);

/** Submits and approves a proof that can be paid, and returns its id. */
async function approvedProof(amount = 500): Promise<string> {
  const id = await office.submitProof(await office.publishTask({ perUserLimit: 0 }), ann);
  await office.post(`${taskPath}/doAudit`, { id, status: 1 }, eve);
  await sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet', amount = ${amount} where id = ${id}`);
  return id;
}

/** Starts the payment of an approved proof, and returns its bill number. */
async function startPayment(amount = 500): Promise<string> {
  const reply = await office.post(payPath, { id: await approvedProof(amount) });
  expect(reply.code, reply.msg).toBe(200);
  return reply.data.payNo;
}
const notify = ({ headers, body }: ReturnType<WechatPayServer['notice']>) => office.server.post(`${payPath}/notify`, body, { headers });

test('a tenant that never had a provider pays in the sandbox, whose provider numbers begin with S', async () => {
  const payNo = await startPayment();
  await waitForPayout(payNo, { state: 2, gateway: 'sandbox', provider_no: `S${payNo}` });
  expect(wechat.bills.size).toBe(0);
});

test('with all providers disabled payments are refused, and started ones wait until one is enabled', async () => {
  const added = await office.post(`${channelPath}/submit`, merchant());
  expect(added.code, added.msg).toBe(200);
  channelId = added.data.id;
  const id = await approvedProof();
  expect(await office.post(payPath, { id })).toMatchObject({ status: 409, msg: '没有启用的支付配置，请先启用一个' });
  await office.post(`${channelPath}/enable`, { id: channelId });
  const payNo = await startPayment(200_000);
  await office.post(`${channelPath}/disable`, { id: channelId });
  await sql(`update payout set state = 1, approved_by = 1 where pay_no = '${payNo}'`);
  await expect
    .poll(async () => (await bill(payNo))?.note, { timeout: 10_000, interval: 100 })
    .toBe('没有启用的支付配置，请先启用一个 No payment provider is enabled. Enable one first.');
  expect(await bill(payNo)).toMatchObject({ state: 1, gateway: '' });
  expect(await sql(`select 1 from sandbox_bill where pay_no = '${payNo}'`)).toEqual([]);
  await office.post(`${channelPath}/enable`, { id: channelId });
  await expect.poll(async () => (await bill(payNo))?.provider_state, { timeout: 10_000, interval: 100 }).toBe('ACCEPTED');
  expect(await bill(payNo)).toMatchObject({ gateway: `wechat:${channelId}` });
  wechat.end(payNo);
  await waitForPayout(payNo, { state: 2 });
  await office.post(`${channelPath}/disable`, { id: channelId });
  await office.post(`${channelPath}/remove`, { ids: [channelId] });
  expect((await office.post(payPath, { id })).status).toBe(409);
  await office.post(`${channelPath}/restore`, { ids: [channelId] });
  expect((await office.post(`${channelPath}/enable`, { id: channelId })).code).toBe(200);
});

test('invalid keys are refused, and neither a reply nor the table contains a key in plain text', async () => {
  expect(await office.post(`${channelPath}/submit`, merchant({ privateKey: 'secret' }))).toMatchObject({ status: 400, body: { field: 'privateKey' } });
  expect(await office.post(`${channelPath}/submit`, merchant({ publicKey: '-----BEGIN PUBLIC KEY-----' }))).toMatchObject({ body: { field: 'publicKey' } });
  expect(await office.post(`${channelPath}/submit`, merchant({ apiV3Key: 'short' }))).toMatchObject({ status: 400, body: { field: 'apiV3Key' } });
  const visible = JSON.stringify((await office.get(`${channelPath}/detail`, { id: channelId })).body) + JSON.stringify(await sql('select * from pay_channel'));
  expect(visible).not.toContain(wechat.apiV3Key);
  expect(visible).not.toContain('BEGIN PRIVATE KEY');
});

test('the enabled provider gets signed orders, and its result settles the payout', async () => {
  const payNo = await startPayment();
  await waitForPayout(payNo, { state: 1, gateway: `wechat:${channelId}`, provider_state: 'ACCEPTED' });
  expect(wechat.bills.get(payNo)).toMatchObject({ transfer_amount: 500, openid: 'wallet', name: undefined, notify_url: merchant().notifyUrl });
  wechat.end(payNo);
  await waitForPayout(payNo, { state: 2, provider_state: 'SUCCESS' });
  expect(wechat.unsigned).toBe(0);
  expect(await office.post(`${channelPath}/remove`, { ids: [channelId] })).toMatchObject({ status: 409, msg: '启用中的支付配置不能删除' });
});

test('from two thousand yuan on the order has the name of the payee, encrypted for the provider', async () => {
  await sql("update user_account set real_name = '安小姐' where account = 'ann'");
  const payNo = await startPayment(200_000);
  const [{ id, state } = {}] = await sql(`select id::text as id, state from payout where pay_no = '${payNo}'`);
  expect(state).toBe(0);
  await sql(`update payout set state = 1, approved_by = 1 where id = ${id}`);
  await waitForPayout(payNo, { state: 1, provider_state: 'ACCEPTED' });
  expect(wechat.bills.get(payNo)).toMatchObject({ name: '安小姐' });
  wechat.end(payNo);
  await waitForPayout(payNo, { state: 2 });
});

test('a notification triggers one query of its bill, and later ones change nothing', async () => {
  const payNo = await startPayment();
  // Waits for the running query and postpones the next one, so that only the notification can cause another.
  await expect.poll(async () => (await bill(payNo))?.provider_state, { timeout: 10_000, interval: 100 }).toBe('ACCEPTED');
  await sql(`update payout set next_try = now() + interval '1 hour' where pay_no = '${payNo}'`);
  wechat.end(payNo);
  const good = wechat.notice(payNo);
  expect((await notify(wechat.notice(payNo, {}, 'forger'))).status).toBe(401);
  expect((await notify({ ...good, body: good.body.replace('MCHTRANSFER', 'MCHTRANSFEr') })).status).toBe(401);
  expect((await notify({ ...good, body: ` ${good.body}` })).status).toBe(401);
  expect((await notify({ ...good, headers: { ...good.headers, 'wechatpay-timestamp': '1700000000' } })).status).toBe(401);
  expect((await notify({ ...good, headers: { ...good.headers, 'wechatpay-serial': 'PUB_KEY_ID_OTHER' } })).status).toBe(401);
  expect(await notify(wechat.notice(payNo, { transfer_amount: 1 }))).toMatchObject({ status: 200 });
  expect(await bill(payNo)).toMatchObject({ state: 1, note: 'SUCCESS: 1 ≠ 500' });
  const replies = await Promise.all([notify(good), notify(good), notify(wechat.notice(payNo)), notify(wechat.notice(payNo, { state: 'TRANSFERING' }))]);
  expect(replies.map(({ status }) => status).sort(), JSON.stringify(replies.map(({ body }) => body))).toEqual([200, 200, 200, 401]);
  expect((await notify(good)).status).toBe(401);
  expect(await bill(payNo)).toMatchObject({ state: 2 });
  await notify(wechat.notice(payNo, { state: 'FAIL' }));
  expect(await bill(payNo)).toMatchObject({ state: 2, note: 'FAIL after the end' });
  expect((await sql(`select 1 from ledger_posting where pay_no = '${payNo}'`)).length).toBe(4);
});

test('a server that drops, fails or answers for another bill leaves the bill in progress under its number, and it is paid once', async () => {
  for (const trouble of ['dropped', 'fails', 'forged'] as const) {
    wechat.troubles.push(trouble);
    const payNo = await startPayment();
    await expect.poll(async () => (await bill(payNo))?.note, { timeout: 10_000, interval: 100 }).toBeTruthy();
    expect({ trouble, ...(await bill(payNo)) }).toMatchObject({ trouble, state: 1 });
    await waitForPayout(payNo, { state: 1, provider_state: 'ACCEPTED' });
    wechat.end(payNo);
    await waitForPayout(payNo, { state: 2 });
    expect(wechat.bills.get(payNo)).toMatchObject({ paidOut: 500 });
  }
});

test('a server that accepts an order and never answers times out, is queried again, and pays once under the same number', async () => {
  wechat.troubles.push('hangs');
  const payNo = await startPayment();
  await expect.poll(async () => (await bill(payNo))?.note, { timeout: 30_000, interval: 250 }).toMatch(/timeout/);
  expect(await bill(payNo)).toMatchObject({ state: 1 });
  await waitForPayout(payNo, { state: 1, provider_state: 'ACCEPTED' });
  wechat.end(payNo);
  await waitForPayout(payNo, { state: 2 });
  expect(wechat.bills.get(payNo)).toMatchObject({ paidOut: 500 });
}, 60_000);

test('a refusal of the provider and a failed result are both failures, and the ledger balances', async () => {
  wechat.troubles.push('refuses');
  const refused = await startPayment();
  await waitForPayout(refused, { state: 3, note: 'PARAM_ERROR wrong openid' });
  const failed = await startPayment();
  await waitForPayout(failed, { provider_state: 'ACCEPTED' });
  wechat.end(failed, 'FAIL');
  await waitForPayout(failed, { state: 3 });
  expect((await office.get('/api/things-task/ledger/check')).data).toEqual([]);
});

test('a bill is queried at the provider it was sent to, even if that is disabled', async () => {
  const payNo = await startPayment();
  await waitForPayout(payNo, { provider_state: 'ACCEPTED' });
  await office.post(`${channelPath}/disable`, { id: channelId });
  expect(await office.post(`${channelPath}/remove`, { ids: [channelId] })).toMatchObject({ status: 409 });
  wechat.end(payNo);
  await waitForPayout(payNo, { state: 2, gateway: `wechat:${channelId}` });
});

test('a day is compared with the fund bill of the merchant, and a file that does not match its hash is ignored', async () => {
  await office.post(`${channelPath}/enable`, { id: channelId });
  const payNo = await startPayment();
  await waitForPayout(payNo, { provider_state: 'ACCEPTED' });
  wechat.end(payNo);
  await waitForPayout(payNo, { state: 2 });
  const day = '2026-01-15';
  await sql(`update payout set paid_time = '${day} 12:00:00+08' where pay_no = '${payNo}'`);
  const row = (business: string, direction: string, amount: string, voucher: string) => [
    `${day} 12:00:00`,
    '13300001',
    '1900001',
    business,
    business,
    direction,
    amount,
    '100.00',
    'system',
    '面包, 视频',
    voucher,
  ];
  wechat.fundBills.set(`${day} OPERATION`, [row('商家转账', '支出', '5.00', payNo), row('退款', '支出', '7.00', 'REF1')]);
  wechat.fundBills.set(`${day} BASIC`, [row('商家转账', '支出', '9.00', 'BYHAND'), row('商家转账', '收入', '2.00', 'BYHAND')]);
  const compare = async () => (await office.post('/api/things-task/reconciliation/compare', { day })).data;
  wechat.falseFile = 'something else';
  expect(await compare()).toMatchObject({ state: 0, note: 'the bill does not match its hash' });
  wechat.falseFile = undefined;
  expect(await compare()).toMatchObject({ state: 2, ourCount: 1, ourAmount: 500, theirCount: 2, theirAmount: 1200, open: 1 });
  const { data } = await office.get('/api/things-task/reconciliation/difference/list', {});
  expect(data.records).toMatchObject([{ kind: 2, payNo: 'BYHAND', theirAmount: 700 }]);
  expect(wechat.unsigned).toBe(0);
});

test('a payee who must confirm gets the data for their device, also after a lost first answer, and no other user does', async () => {
  const confirmPath = '/api/things-task/claim/payment';
  const bob = (await office.createMember('bob')).headers;
  wechat.awaitsPayee = true;
  for (const trouble of [undefined, 'dropped'] as const) {
    wechat.troubles.push(trouble);
    const payNo = await startPayment();
    const [{ id } = { id: '' }] = (await sql(`select submission_id::text as id from payout where pay_no = '${payNo}'`)) as { id: string }[];
    await waitForPayout(payNo, { provider_state: 'WAIT_USER_CONFIRM' });
    await expect
      .poll(
        async () => {
          await makeDue();
          return (await office.get(confirmPath, { id }, ann)).data.packageInfo;
        },
        { timeout: 15_000, interval: 200 },
      )
      .toBe(`package-of-${payNo}`);
    expect((await office.get(confirmPath, { id }, ann)).data).toMatchObject({ payNo, state: 1, amount: 500, mchId: wechat.mchId, appId: 'wx8888888888888888' });
    expect((await office.get(confirmPath, { id }, bob)).status).toBe(404);
    await sql(`update payout set next_try = now() + interval '1 hour' where pay_no = '${payNo}'`);
    wechat.end(payNo);
    expect((await office.post(`${confirmPath}/answered`, { id }, bob)).code).toBe(200);
    expect((await office.post(`${confirmPath}/answered`, { id }, ann)).code).toBe(200);
    await expect.poll(async () => (await bill(payNo))?.state, { timeout: 15_000, interval: 200 }).toBe(2);
    expect((await office.get(confirmPath, { id }, ann)).data).toMatchObject({ state: 2, packageInfo: null });
    expect(wechat.bills.get(payNo)).toMatchObject({ paidOut: 500 });
  }
  wechat.awaitsPayee = false;
  const { data } = await office.get(`${payPath}/list`, { channel_equal: '2' });
  expect(data.total).toBe((await sql("select 1 from payout where gateway like 'wechat:%'")).length);
});
