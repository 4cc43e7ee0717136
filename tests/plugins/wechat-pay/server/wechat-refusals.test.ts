import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { accountKinds } from '#plugins/payment/contract';
import { openPayoutDesk, type PayoutDesk } from '../../../support/payout-desk.ts';
import { deployedWith } from '../../../support/scripted-gateway.ts';
import { WechatPayServer } from '../../../support/wechat-pay-server.ts';

const channelPath = '/api/things-task/pay-channel';
let wechat: WechatPayServer;
let desk: PayoutDesk;

beforeAll(async () => {
  wechat = new WechatPayServer();
  desk = await openPayoutDesk([deployedWith('wechat-pay', { address: await wechat.listen() })]);
  const added = await desk.office.post(`${channelPath}/submit`, wechat.channel());
  await desk.office.post(`${channelPath}/enable`, { id: added.data.id });
});
afterAll(async () => {
  await desk.office.server.stop();
  await wechat.close();
});

const kindOf = (call: string) => call.split(' ')[0];
const isSound = async () => expect((await desk.office.get('/api/things-task/ledger/check')).data).toEqual([]);

test('a refusal of a bill that is still being accepted ends nothing: the bill is found and paid once', async () => {
  wechat.faults.set(500, { status: 400, code: 'PARAM_ERROR', takes: true });
  const payNos = await desk.start([500], accountKinds.wechat);
  const [payNo] = payNos as [string];
  wechat.hidden.add(payNo);
  await desk.turn(payNos);
  expect(await desk.stored(payNos)).toMatchObject([{ state: 1, providerState: 'REFUSED', note: 'PARAM_ERROR 说明 of PARAM_ERROR' }]);
  // Neither the payee nor a user who pays again hastens the query that confirms the refusal.
  const [{ id = '' } = {}] = await desk.office.server.sql(`select submission_id::text as id from payout where pay_no = '${payNo}'`);
  expect((await desk.office.post('/api/things-task/claim/payment/answered', { id: String(id) }, desk.payees[accountKinds.wechat].headers)).code).toBe(200);
  expect((await desk.office.post('/api/things-task/weixinpay', { id })).data).toMatchObject({ payNo, state: 1 });
  expect((await desk.stored(payNos))[0]?.waitSeconds).toBeGreaterThan(240);
  wechat.hidden.clear();
  wechat.faults.clear();
  wechat.end(payNo);
  await desk.turn(payNos);
  expect(await desk.stored(payNos)).toMatchObject([{ state: 2, note: null, postings: 4 }]);
  expect(wechat.calls.get(payNo)?.map(kindOf)).toEqual(['transfer', 'query']);
});

test('a refusal whose confirmation cannot be queried keeps its reason and stays open', async () => {
  wechat.faults.set(501, { status: 400, code: 'INVALID_REQUEST' });
  const payNos = await desk.start([501], accountKinds.wechat);
  await desk.turn(payNos);
  wechat.isDown = true;
  await desk.turn(payNos);
  wechat.isDown = false;
  expect(await desk.stored(payNos)).toMatchObject([{ state: 1, providerState: 'REFUSED', note: 'INVALID_REQUEST 说明 of INVALID_REQUEST' }]);
  await desk.turn(payNos);
  expect(await desk.stored(payNos)).toMatchObject([{ state: 3, note: 'INVALID_REQUEST 说明 of INVALID_REQUEST', postings: 4 }]);
});

test('a bill that the provider may have forgotten is not sent again, and waits for a person with a note', async () => {
  wechat.faults.set(502, { status: 400, code: 'PARAM_ERROR', takes: true });
  const payNos = await desk.start([503, 502], accountKinds.wechat);
  await desk.turn(payNos);
  await desk.office.server.sql(`update payout set sent_time = now() - interval '29 days' where pay_no in ('${payNos.join("','")}')`);
  for (const payNo of payNos) wechat.hidden.add(payNo);
  for (let round = 0; round < 2; round += 1) {
    await desk.turn(payNos);
    const waiting = { state: 1, providerState: 'NOT_FOUND', note: expect.stringMatching(/不会重新发送.*not sent again/) };
    expect(await desk.stored(payNos)).toMatchObject([waiting, waiting]);
  }
  for (const payNo of payNos) expect(wechat.calls.get(payNo)?.map(kindOf)).toEqual(['transfer', 'query', 'query']);
  wechat.hidden.clear();
  for (const payNo of payNos) wechat.end(payNo);
  await desk.turn(payNos);
  expect(await desk.stored(payNos)).toMatchObject([{ state: 2 }, { state: 2 }]);
  await isSound();
});
