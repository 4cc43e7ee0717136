import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { accountKinds } from '#plugins/payment/contract';
import { failReasons, wechatErrors } from '../../../../src/plugins/wechat-pay/server/wechat-errors.ts';
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
const amounts = (count: number, amount: number) => Array.from({ length: count }, () => amount);

test('a final code ends the payout once a later query finds no bill, any other code repeats the same request under the same number', async () => {
  const statuses = new Map([
    ['SIGN_ERROR', 401],
    ['NO_AUTH', 403],
    ['NOT_ENOUGH', 403],
    ['SYSTEM_ERROR', 500],
    ['NOT_FOUND', 404],
  ]);
  const statusOf = (code: string) => statuses.get(code) ?? (/LIMIT/.test(code) ? 429 : 400);
  const cases = [
    ...Object.entries(wechatErrors).flatMap(([kind, codes]) => codes.map((code) => ({ kind, code }) as { kind: string; code: string })),
    // No refusal: an unknown transfer, and codes that are not documented.
    ...['NOT_FOUND', 'NEW_CODE', 'toString'].map((code) => ({ kind: 'unknown', code })),
  ].map((one, index) => ({ ...one, amount: 100 + index }));
  for (const { code, amount } of cases) wechat.faults.set(amount, { status: statusOf(code), code });
  const payNos = await desk.start(
    cases.map(({ amount }) => amount),
    accountKinds.wechat,
  );
  await desk.turn(payNos);
  const finals = payNos.filter((_, index) => cases[index]?.kind === 'final');
  const others = payNos.filter((payNo) => !finals.includes(payNo));
  for (const [index, { state, note, providerState, waitSeconds }] of (await desk.stored(payNos)).entries()) {
    const { code, kind } = cases[index] as (typeof cases)[number];
    expect({ code, state, providerState, note }).toEqual({
      code,
      state: 1,
      providerState: kind === 'final' ? 'REFUSED' : null,
      note: `${code} 说明 of ${code}`,
    });
    if (kind === 'final') expect(waitSeconds, code).toBeGreaterThan(240);
  }
  wechat.faults.clear();
  await desk.turn(payNos);
  expect((await desk.stored(finals)).map(({ state, payStatus, postings }) => [state, payStatus, postings])).toEqual(finals.map(() => [3, 3, 4]));
  for (const payNo of finals) expect(wechat.calls.get(payNo)?.map(kindOf)).toEqual(['transfer', 'query']);
  for (const payNo of others) {
    const [first, asked, again] = wechat.calls.get(payNo) ?? [];
    expect([payNo, asked, again]).toEqual([payNo, 'query', first]);
    wechat.end(payNo);
  }
  await desk.turn(others);
  expect((await desk.stored(others)).map(({ state, postings }) => [state, postings])).toEqual(others.map(() => [2, 4]));
  const again = await desk.startAgain(finals);
  expect(again.filter((payNo) => payNos.includes(payNo))).toEqual([]);
  await desk.turn(again);
  for (const payNo of again) wechat.end(payNo);
  await desk.turn(again);
  expect((await desk.stored(again)).map(({ state }) => state)).toEqual(again.map(() => 2));
  expect([...wechat.bills.values()].reduce((sum, { paidOut }) => sum + paidOut, 0)).toBe(cases.reduce((sum, { amount }) => sum + amount, 0));
  await isSound();
}, 120_000);

test('each state of a bill is booked as documented, an unknown one as in process', async () => {
  const open = { ACCEPTED: 1, PROCESSING: 1, WAIT_USER_CONFIRM: 1, TRANSFERING: 1, CANCELING: 1, NEW_STATE: 1 };
  const states = { ...open, SUCCESS: 2, FAIL: 3, CANCELLED: 3 };
  const payNos = await desk.start(amounts(Object.keys(states).length, 700), accountKinds.wechat);
  await desk.turn(payNos);
  for (const [index, state] of Object.keys(states).entries()) wechat.end(payNos[index] as string, state);
  await desk.turn(payNos);
  expect(Object.fromEntries((await desk.stored(payNos)).map(({ providerState, state }) => [providerState, state]))).toEqual(states);
});

test('each documented reason of a failure is stored in words, an unknown one as it is', async () => {
  const reasons = [...Object.keys(failReasons), 'NEW_REASON', 'toString'];
  const payNos = await desk.start(amounts(reasons.length, 600), accountKinds.wechat);
  await desk.turn(payNos);
  for (const [index, reason] of reasons.entries()) wechat.end(payNos[index] as string, 'FAIL', reason);
  await desk.turn(payNos);
  const notes = (await desk.stored(payNos)).map(({ note }) => note);
  expect(notes).toEqual(reasons.map((reason) => [reason, ...(Object.hasOwn(failReasons, reason) ? (failReasons[reason] as readonly string[]) : [])].join(' ')));
  expect(notes[2]).toBe('NAME_NOT_CORRECT 收款人姓名与微信实名不一致 The name does not match the identity of the payee in WeChat.');
  await isSound();
}, 60_000);

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
