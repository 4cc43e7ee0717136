import { afterAll, beforeAll, expect, rs, test } from '@rstest/core';
import { accountKinds, PayeeAccounts } from '#plugins/payment/contract';
import { defineServerPlugin, filterHandler } from '#server';
import { AlipayGateway } from '../../../../src/plugins/alipay/server/alipay-gateway.ts';
import { AlipaySdk } from '../../../support/alipay-sdk.ts';
import { AlipayServer, type AlipayTrouble, bareKey } from '../../../support/alipay-server.ts';
import { deployedWith } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const payPath = '/api/things-task/weixinpay';
const merchantPath = '/api/things-task/alipay-merchant';
type Headers = Record<string, string>;

let office: TaskOffice;
let alipay: AlipayServer;
let address: string;
let ann: { userId: string; headers: Headers };
let eve: Headers;
let merchantId: string;

/** A plugin that knows the Alipay account of one user. */
const payees = defineServerPlugin({
  id: 'payees',
  title: ['收款账户', 'Payees'],
  dependencies: ['payment'],
  setup: () => ({
    filters: [
      filterHandler(PayeeAccounts, ({ userIds, accounts }) => ({
        userIds,
        accounts: [
          ...accounts,
          ...userIds.filter((id) => id === ann.userId).map((userId) => ({ userId, kind: accountKinds.alipay, account: 'ann@example.com', name: '安小姐' })),
        ],
      })),
    ],
  }),
});

beforeAll(async () => {
  alipay = new AlipayServer();
  address = await alipay.listen();
  office = await openTaskOffice({ plugins: ['payment', deployedWith('alipay', { address }), payees] });
  ann = await office.createMember('ann');
  eve = (await office.createAuditor('eve')).headers;
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 10_000_000 });
  const added = await office.post(`${merchantPath}/submit`, merchant());
  expect(added.code, added.msg).toBe(200);
  merchantId = added.data.id;
  expect((await office.post(`${merchantPath}/enable`, { id: merchantId })).code).toBe(200);
});
afterAll(async () => {
  await office.server.stop();
  await alipay.close();
});

const merchant = (fields: object = {}) => ({
  name: '主应用',
  appId: alipay.appId,
  privateKey: bareKey(alipay.app.privateKey),
  publicKey: bareKey(alipay.publicKey),
  ...fields,
});
const sql = (statement: string) => office.server.sql(statement);
const payoutOf = async (payNo: string) =>
  (await sql(`select state, gateway, channel, provider_no, provider_state, note from payout where pay_no = '${payNo}'`))[0];
const entries = async (payNo: string) => (await sql(`select 1 from ledger_posting where pay_no = '${payNo}'`)).length;
const becomes = (payNo: string, expected: object) =>
  expect
    .poll(
      async () => {
        await sql('update payout set next_try = now() where state = 1');
        return payoutOf(payNo);
      },
      { timeout: 45_000, interval: 200 },
    )
    .toMatchObject(expected);
const notify = (form: string) =>
  office.server.app.inject({
    method: 'POST',
    url: '/api/things-task/alipay/notify',
    payload: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
  });

/** Starts to pay approved work, with the faults of its requests in order; returns the number of the payout. */
async function begun(amount = 500, troubles: readonly AlipayTrouble[] = []): Promise<string> {
  const id = await office.submitProof(await office.publishTask({ perUserLimit: 0 }), ann.headers);
  await office.post(`${taskPath}/doAudit`, { id, status: 1 }, eve);
  await sql(`update task_submission set audit_time = now() - interval '61 seconds', amount = ${amount} where id = ${id}`);
  alipay.troubles.push(...troubles);
  const reply = await office.post(payPath, { id });
  expect(reply.code, reply.msg).toBe(200);
  return reply.data.payNo;
}

/** Starts a payment that Alipay has accepted and that nothing queries for an hour. */
async function accepted(): Promise<string> {
  const payNo = await begun();
  await expect.poll(async () => (await payoutOf(payNo))?.provider_state, { timeout: 15_000, interval: 50 }).toBe('DEALING');
  await sql("update payout set next_try = now() + interval '1 hour' where state = 1");
  return payNo;
}

test('Alipay’s own SDK accepts what the peer signs, and the peer accepts what the SDK signs', async () => {
  alipay.paysAtOnce = true;
  const sdk = new AlipaySdk({
    appId: alipay.appId,
    keyType: 'PKCS8',
    privateKey: bareKey(alipay.app.privateKey),
    alipayPublicKey: bareKey(alipay.publicKey),
    gateway: `${address}/gateway.do`,
  });
  const bizContent = { out_biz_no: 'P1000000000', trans_amount: '1.00', order_title: '测试', payee_info: { identity: 'a@b.cn', name: '安' } };
  expect(await sdk.exec('alipay.fund.trans.uni.transfer', { bizContent }, { validateSign: true })).toMatchObject({ code: '10000', status: 'SUCCESS' });
  expect(await sdk.exec('alipay.fund.trans.common.query', { bizContent: { out_biz_no: 'P2' } }, { validateSign: true })).toMatchObject({
    subCode: 'ORDER_NOT_EXIST',
  });
  const form = Object.fromEntries(new URLSearchParams(alipay.notice('P1000000000')));
  expect(sdk.checkNotifySignV2(form)).toBe(true);
  expect(sdk.checkNotifySignV2({ ...form, biz_content: `${form.biz_content} ` })).toBe(false);
  alipay.paysAtOnce = false;
});

test('keys that are none are refused, no reply shows one, and replaced keys disable the merchant', async () => {
  expect(await office.post(`${merchantPath}/submit`, merchant({ privateKey: 'secret' }))).toMatchObject({ status: 400, body: { field: 'privateKey' } });
  expect(await office.post(`${merchantPath}/submit`, merchant({ publicKey: 'AAAA' }))).toMatchObject({ status: 400, body: { field: 'publicKey' } });
  const shown =
    JSON.stringify((await office.get(`${merchantPath}/detail`, { id: merchantId })).body) + JSON.stringify(await sql('select * from alipay_merchant'));
  expect(shown).not.toContain(bareKey(alipay.app.privateKey).slice(20, 200));
  const edit = async (fields: object) => office.post(`${merchantPath}/submit`, { id: merchantId, ...merchant(fields) });
  expect((await edit({ remark: '备注', privateKey: '' })).data.status).toBe(2);
  expect(await edit({ appId: '2021000000000002' })).toMatchObject({ status: 409, body: { field: 'appId' } });
  expect((await edit({ publicKey: alipay.forgersKey })).data.status).toBe(1);
  expect((await edit({})).data.status).toBe(1);
  await office.post(`${merchantPath}/enable`, { id: merchantId });
  expect(await office.post(`${merchantPath}/remove`, { ids: [merchantId] })).toMatchObject({ status: 409 });
});

test('a payout is sent to the Alipay account of the payee with the name of its holder, and paid once', async () => {
  const payNo = await accepted();
  expect(alipay.orders.get(payNo)).toMatchObject({ trans_amount: '5.00', identity: 'ann@example.com', identity_type: 'ALIPAY_LOGON_ID', name: '安小姐' });
  expect(await payoutOf(payNo)).toMatchObject({ state: 1, gateway: `alipay:${merchantId}`, channel: 3 });
  alipay.end(payNo);
  await becomes(payNo, { state: 2, provider_state: 'SUCCESS' });
  expect(await entries(payNo)).toBe(4);
  expect(alipay.unsigned).toBe(0);
  const listed = (await office.get(`${payPath}/list`, { payNo })).body.data.records;
  expect(listed).toMatchObject([{ accountKind: 2, accountMask: '****.com' }]);
  expect(JSON.stringify(listed)).not.toContain('ann@example.com');
  expect(await sql(`update payout set account = 'eve@example.com' where pay_no = '${payNo}'`).catch((error: Error) => String(error.cause))).toContain(
    'is not changed',
  );
});

test('a final error ends the payout, and the work can be paid again', async () => {
  const codes = ['PAYEE_NOT_EXIST', 'PAYEE_USER_INFO_ERROR', 'PAYEE_ACC_OCUPIED', 'PAYEE_ACCOUNT_STATUS_ERROR', 'EXCEED_LIMIT_SM_AMOUNT', 'INVALID_PARAMETER'];
  // Payouts that are sent at the same time differ in their amounts, so that each gets its own error.
  for (const [index, code] of codes.entries()) alipay.faults.set(501 + index, { code });
  const payNos: string[] = [];
  for (const index of codes.keys()) payNos.push(await begun(501 + index));
  for (const [index, code] of codes.entries()) {
    await becomes(payNos[index] as string, { state: 3, note: expect.stringContaining(code) });
    expect(alipay.orders.has(payNos[index] as string)).toBe(false);
  }
  alipay.faults.clear();
  expect((await office.get('/api/things-task/ledger/check')).data).toEqual([]);
}, 60_000);

test('an error that may pass leaves the payout in process under its number, and it is paid once', async () => {
  const troubles: AlipayTrouble[] = [
    ...['PAYER_BALANCE_NOT_ENOUGH', 'BALANCE_IS_NOT_ENOUGH', 'EXCEED_LIMIT_DM_MAX_AMOUNT', 'REQUEST_PROCESSING', 'SYSTEM_ERROR'].map((code) => ({ code })),
    { code: 'SYSTEM_ERROR', takes: true },
    'dropped',
    'fails',
    'forged',
    'unsigned',
    'otherOrder',
  ];
  for (const trouble of troubles) {
    const payNo = await begun(500, [trouble]);
    await expect.poll(async () => (await payoutOf(payNo))?.note, { timeout: 15_000, interval: 50 }).toBeTruthy();
    expect({ trouble, ...(await payoutOf(payNo)) }).toMatchObject({ trouble, state: 1 });
    await becomes(payNo, { state: 1, provider_state: 'DEALING' });
    alipay.end(payNo);
    await becomes(payNo, { state: 2 });
    expect(alipay.orders.get(payNo)).toMatchObject({ paidOut: 500 });
    expect(await entries(payNo)).toBe(4);
  }
}, 120_000);

test('a final error after a request that may still arrive ends nothing', async () => {
  const payNo = await begun(500, [{ code: 'SYSTEM_ERROR' }, ...Array.from({ length: 100 }, () => ({ code: 'PAYEE_NOT_EXIST' }))]);
  await becomes(payNo, { state: 1, note: expect.stringContaining('PAYEE_NOT_EXIST') });
  alipay.troubles.length = 0;
  await becomes(payNo, { provider_state: 'DEALING' });
  alipay.end(payNo);
  await becomes(payNo, { state: 2 });
});

test('forged, foreign, incomplete and repeated notifications change nothing; a valid one makes the server ask, in any order', async () => {
  const payNo = await accepted();
  const good = alipay.notice(payNo, { status: 'SUCCESS' });
  const forged: [string, string][] = [
    ['other key', alipay.notice(payNo, { status: 'SUCCESS' }, 'forger')],
    ['changed', good.replace('SUCCESS', 'FAIL')],
    ['no signature', good.replace(/&?sign=[^&]*/, '')],
    ['other algorithm', alipay.notice(payNo, { status: 'SUCCESS' }, 'own', { sign_type: 'RSA' })],
    ['other app', alipay.notice(payNo, { status: 'SUCCESS' }, 'own', { app_id: '2021000000000009' })],
    ['other message', alipay.notice(payNo, { status: 'SUCCESS' }, 'own', { msg_method: 'alipay.trade.paid' })],
    ['other product', alipay.notice(payNo, { status: 'SUCCESS', product_code: 'STD_RED_PACKET' })],
    ['no amount', alipay.notice(payNo, { status: 'SUCCESS', trans_amount: undefined })],
    ['unknown payout', alipay.notice(payNo, { status: 'SUCCESS', out_biz_no: 'P1' })],
    ['no form', '{}'],
  ];
  const asked = alipay.asked;
  for (const [name, form] of forged) expect((await notify(form)).statusCode, name).toBe(401);
  expect(alipay.asked).toBe(asked);
  // A signed notification that anticipates a result is not believed: the order is still in process.
  const early = await notify(good);
  expect([early.statusCode, early.body]).toEqual([200, 'success']);
  expect(await payoutOf(payNo)).toMatchObject({ state: 1, provider_state: 'DEALING' });
  expect((await notify(good)).statusCode).toBe(401);
  await notify(alipay.notice(payNo, { status: 'SUCCESS', trans_amount: '0.01' }));
  expect(await payoutOf(payNo)).toMatchObject({ state: 1, note: 'SUCCESS: 1 ≠ 500' });
  alipay.end(payNo);
  const replies = await Promise.all([alipay.notice(payNo), alipay.notice(payNo), alipay.notice(payNo, { status: 'DEALING' })].map(notify));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(await payoutOf(payNo)).toMatchObject({ state: 2 });
  await notify(alipay.notice(payNo, { status: 'FAIL' }));
  expect(await payoutOf(payNo)).toMatchObject({ state: 2, note: 'FAIL after the end' });
  expect(await entries(payNo)).toBe(4);

  const failing = await accepted();
  alipay.end(failing, 'FAIL');
  expect((await notify(alipay.notice(failing, { status: 'SUCCESS' }))).statusCode).toBe(200);
  expect(await payoutOf(failing)).toMatchObject({ state: 3, note: '收款账户异常' });
  await office.post(`${merchantPath}/disable`, { id: merchantId });
  expect((await notify(alipay.notice(failing))).statusCode).toBe(401);
  await office.post(`${merchantPath}/enable`, { id: merchantId });
});

test('a day is compared with the account bill of the app, and another file counts for nothing', async () => {
  const payNo = await accepted();
  alipay.end(payNo);
  await becomes(payNo, { state: 2 });
  const day = '2026-01-15';
  await sql(`update payout set paid_time = '${day} 12:00:00+08' where pay_no = '${payNo}'`);
  const row = (no: string, income: string, expense: string, kind: string) => [
    '1',
    `B${no}`,
    no,
    '佣金',
    `${day} 12:00:00`,
    'ann***',
    income,
    expense,
    '100.00',
    '支付宝',
    kind,
    '面包 视频',
  ];
  alipay.bills.set(day, [
    row(payNo, ' ', '-5.00', '转账'),
    row(payNo, ' ', '-0.03', '收费'),
    row('BYHAND', ' ', '-9.00', '转账'),
    row('BYHAND', '2.00', ' ', '转账'),
    row('SALE1', '7.00', ' ', '交易付款'),
  ]);
  const compare = async () => (await office.post('/api/things-task/reconciliation/compare', { day })).data;
  alipay.falseFile = Buffer.from('something else');
  expect(await compare()).toMatchObject({ state: 0 });
  alipay.falseFile = undefined;
  expect(await compare()).toMatchObject({ state: 2, ourCount: 1, ourAmount: 500, theirCount: 2, theirAmount: 1200, open: 1 });
  expect(alipay.unsigned).toBe(0);
});

test('a missing bill is not ready before noon of the next day in China and an empty day afterwards; other errors never are one', async () => {
  const gateway = new AlipayGateway({ id: '1', appId: alipay.appId, privateKey: alipay.app.privateKey, publicKey: alipay.publicKey }, address);
  const day = '2026-01-20';
  const at = (time: string) => rs.setSystemTime(new Date(`${time}+08:00`));
  rs.useFakeTimers({ toFake: ['Date'] });
  try {
    for (const code of ['isp.bill_not_exist', 'BILL_NOT_EXIST']) {
      alipay.noBillCode = code;
      for (const time of ['2026-01-20T23:00:00', '2026-01-21T09:00:01', '2026-01-21T11:59:59']) {
        at(time);
        await expect(gateway.statement(day), time).rejects.toThrow('has not generated the bill');
      }
      at('2026-01-21T12:00:00');
      expect(await gateway.statement(day)).toEqual([]);
    }
    for (const code of ['INVAILID_ARGUMENTS', 'UNKNOW_ERROR', 'NEW_CODE']) {
      alipay.noBillCode = code;
      await expect(gateway.statement(day), code).rejects.toThrow(code);
    }
  } finally {
    rs.useRealTimers();
    alipay.noBillCode = 'isp.bill_not_exist';
  }
  const [{ today } = { today: '' }] = (await sql('select current_date::text as today')) as { today: string }[];
  expect((await office.post('/api/things-task/reconciliation/compare', { day: today })).data).toMatchObject({
    state: 0,
    note: '支付宝账单尚未生成 Alipay has not generated the bill of the day yet.',
  });
});
