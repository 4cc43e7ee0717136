import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { accountKinds } from '#plugins/payment/contract';
import { alipayErrors } from '../../../../src/plugins/alipay/server/alipay-errors.ts';
import { AlipayServer, bareKey } from '../../../support/alipay-server.ts';
import { openPayoutDesk, type PayoutDesk } from '../../../support/payout-desk.ts';
import { deployedWith } from '../../../support/scripted-gateway.ts';

const merchantPath = '/api/things-task/alipay-merchant';
let alipay: AlipayServer;
let desk: PayoutDesk;

beforeAll(async () => {
  alipay = new AlipayServer();
  desk = await openPayoutDesk([deployedWith('alipay', { address: await alipay.listen() })]);
  const form = { name: '主应用', appId: alipay.appId, privateKey: bareKey(alipay.app.privateKey), publicKey: bareKey(alipay.publicKey) };
  const added = await desk.office.post(`${merchantPath}/submit`, form);
  await desk.office.post(`${merchantPath}/enable`, { id: added.data.id });
});
afterAll(async () => {
  await desk.office.server.stop();
  await alipay.close();
});

const words: Readonly<Record<string, readonly string[]>> = { ...alipayErrors.final, ...alipayErrors.temporary, ...alipayErrors.uncertain };
const kindOf = (call: string) => call.split(' ')[0];
const isSound = async () => expect((await desk.office.get('/api/things-task/ledger/check')).data).toEqual([]);

test('no code is listed twice, and the misspelled ones are as Alipay spells them', () => {
  const all = Object.values(alipayErrors).flatMap((one) => Object.keys(one));
  expect(new Set(all).size).toBe(all.length);
  expect(Object.keys(alipayErrors.final)).toEqual(
    expect.arrayContaining(['PAYEE_ACC_OCUPIED', 'PAYEE_ACCOUNT_NOT_EXSIT', 'BLOCK_USER_FORBBIDEN_RECIEVE', 'RELEASE_USER_FORBBIDEN_RECIEVE']),
  );
});

test('a final code ends the payout once a later query finds no order, any other code repeats the same request under the same number', async () => {
  const cases = [
    ...Object.entries(alipayErrors).flatMap(([kind, codes]) => Object.keys(codes).map((code) => ({ kind, code }))),
    ...['NEW_CODE', 'PAYEE_NOT_EXIST_V2', 'toString', 'isv.insufficient-isv-permissions'].map((code) => ({ kind: 'unknown', code })),
  ].map((one, index) => ({ ...one, amount: 100 + index }));
  for (const { code, amount } of cases) alipay.faults.set(amount, { code });
  const payNos = await desk.start(
    cases.map(({ amount }) => amount),
    accountKinds.alipay,
  );
  await desk.turn(payNos);
  const finals = payNos.filter((_, index) => cases[index]?.kind === 'final');
  const others = payNos.filter((payNo) => !finals.includes(payNo));
  for (const [index, { state, note, providerState, waitSeconds }] of (await desk.stored(payNos)).entries()) {
    const { code, kind } = cases[index] as (typeof cases)[number];
    expect({ code, state, providerState }).toEqual({ code, state: 1, providerState: kind === 'final' ? 'REFUSED' : null });
    expect(note).toContain(`${code} 说明`);
    expect(note).toContain(words[code]?.[1] ?? '');
    if (kind === 'final') expect(waitSeconds, code).toBeGreaterThan(240);
  }
  alipay.faults.clear();
  await desk.turn(payNos);
  expect((await desk.stored(finals)).map(({ state, payStatus, postings }) => [state, payStatus, postings])).toEqual(finals.map(() => [3, 3, 4]));
  for (const payNo of finals) expect(alipay.calls.get(payNo)?.map(kindOf)).toEqual(['transfer', 'query']);
  for (const payNo of others) {
    const [first, asked, again] = alipay.calls.get(payNo) ?? [];
    expect([payNo, asked, again]).toEqual([payNo, 'query', first]);
    alipay.end(payNo);
  }
  await desk.turn(others);
  expect((await desk.stored(others)).map(({ state, postings }) => [state, postings])).toEqual(others.map(() => [2, 4]));

  // The refused work is paid under other numbers, of which Alipay takes each once.
  const again = await desk.startAgain(finals);
  expect(again.filter((payNo) => payNos.includes(payNo))).toEqual([]);
  await desk.turn(again);
  for (const payNo of again) alipay.end(payNo);
  await desk.turn(again);
  expect((await desk.stored(again)).map(({ state }) => state)).toEqual(again.map(() => 2));
  expect([...alipay.orders.values()].reduce((sum, { paidOut }) => sum + paidOut, 0)).toBe(cases.reduce((sum, { amount }) => sum + amount, 0));
  await isSound();
}, 240_000);

test('a final code for an order that exists ends nothing, also when a query does not find the order at first', async () => {
  alipay.faults.set(900, { code: 'PAYEE_NOT_EXIST', takes: true });
  alipay.faults.set(901, { code: 'SYSTEM_ERROR', takes: true });
  const payNos = await desk.start([900, 901], accountKinds.alipay);
  const [refused, unknown] = payNos as [string, string];
  for (const payNo of payNos) alipay.hidden.add(payNo);
  await desk.turn(payNos);
  // The order appears while it is accepted, which is before the refusal is due for confirmation.
  alipay.hidden.clear();
  alipay.faults.clear();
  expect(await desk.stored(payNos)).toMatchObject([
    { state: 1, providerState: 'REFUSED' },
    { state: 1, providerState: null },
  ]);
  await desk.turn(payNos);
  expect(await desk.stored(payNos)).toMatchObject([
    { state: 1, providerState: 'DEALING', note: null },
    { state: 1, providerState: 'DEALING', note: null },
  ]);
  for (const payNo of payNos) alipay.end(payNo);
  await desk.turn(payNos);
  expect(await desk.stored(payNos)).toMatchObject([
    { state: 2, postings: 4 },
    { state: 2, postings: 4 },
  ]);
  for (const payNo of [refused, unknown]) expect(alipay.calls.get(payNo)?.filter((call) => kindOf(call) === 'transfer')).toHaveLength(1);
});

test('each state of an order is booked as documented, an unknown one as in process, with the reason in words', async () => {
  const states = { SUCCESS: 2, FAIL: 3, CLOSED: 3, REFUND: 3, WAIT_PAY: 1, DEALING: 1, NEW_STATE: 1 };
  const payNos = await desk.start(
    Object.values(states).map(() => 700),
    accountKinds.alipay,
  );
  await desk.turn(payNos);
  for (const [index, state] of Object.keys(states).entries())
    if (state !== 'DEALING')
      alipay.end(payNos[index] as string, state, state === 'FAIL' ? 'PAYEE_CERT_INFO_ERROR' : state === 'CLOSED' ? 'NEW_CODE' : undefined);
  await desk.turn(payNos);
  const stored = await desk.stored(payNos);
  expect(Object.fromEntries(stored.map(({ providerState, state }) => [providerState, state]))).toEqual(states);
  expect(stored[1]?.note).toBe('PAYEE_CERT_INFO_ERROR 收款人证件类型或证件号不一致 The identity document of the payee does not match.');
  expect(stored[2]?.note).toBe('NEW_CODE');
  expect(stored[3]?.note).toBe('收款账户异常');
  await isSound();
});
