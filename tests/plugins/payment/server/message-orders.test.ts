import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { accountKinds } from '#plugins/payment/contract';
import { AlipayServer, bareKey } from '../../../support/alipay-server.ts';
import { openPayoutDesk, type PayoutDesk } from '../../../support/payout-desk.ts';
import { deployedWith } from '../../../support/scripted-gateway.ts';
import { serverUrl } from '../../../support/test-database.ts';
import { WechatPayServer } from '../../../support/wechat-pay-server.ts';

/** Returns the status of the reply to a notification. */
type Send = () => Promise<number>;
type Notice = 'early' | 'true' | 'forged' | 'foreign' | 'otherAmount' | 'otherPayout';

/** One of the providers, as the test sees it. */
interface Peer {
  readonly kind: keyof PayoutDesk['payees'];
  readonly orders: ReadonlyMap<string, { readonly paidOut: number }>;
  readonly calls: ReadonlyMap<string, readonly string[]>;
  readonly held: Map<string, Promise<void>>;
  end(payNo: string): void;
  readonly server: { isDown: boolean };
  /** Makes transfers of this amount end with a refusal or a fault, although the order is taken. */
  refuse(amount: number, code: string): void;
  /** Makes a notification, which can be sent several times. */
  notice(payNo: string, kind: Notice): Send;
}

/** Amounts in 分: the answer of the provider is lost behind a fault, or is a refusal of an order that exists. */
const amounts = { answered: 20, fault: 21, refused: 22 } as const;
const answers = Object.values(amounts);
const events = ['answer', 'early', 'late', 'twice', 'forged', 'query'] as const;
type Event = (typeof events)[number];
const forgeries = ['forged', 'foreign', 'otherAmount', 'otherPayout', 'replayed'] as const;

const ordersOf = <One>(rest: readonly One[]): One[][] =>
  rest.length === 0 ? [[]] : rest.flatMap((one, index) => ordersOf(rest.toSpliced(index, 1)).map((order) => [one, ...order]));

let desk: PayoutDesk;
let alipay: AlipayServer;
let wechat: WechatPayServer;

beforeAll(async () => {
  [alipay, wechat] = [new AlipayServer(), new WechatPayServer()];
  desk = await openPayoutDesk([deployedWith('alipay', { address: await alipay.listen() }), deployedWith('wechat-pay', { address: await wechat.listen() })]);
  const app = { name: '主应用', appId: alipay.appId, privateKey: bareKey(alipay.app.privateKey), publicKey: bareKey(alipay.publicKey) };
  for (const [path, form] of [
    ['/api/things-task/alipay-merchant', app],
    ['/api/things-task/pay-channel', wechat.channel()],
  ] as const) {
    const added = await desk.office.post(`${path}/submit`, form);
    expect((await desk.office.post(`${path}/enable`, { id: added.data.id })).code).toBe(200);
  }
});
afterAll(async () => {
  await desk.office.server.stop();
  await Promise.all([alipay.close(), wechat.close()]);
});

const alipayPeer = (): Peer => ({
  kind: accountKinds.alipay,
  orders: alipay.orders,
  calls: alipay.calls,
  held: alipay.held,
  end: (payNo) => alipay.end(payNo),
  server: alipay,
  refuse: (amount, code) => alipay.faults.set(amount, { code, takes: true }),
  notice(payNo, kind) {
    const changes = { early: { status: 'SUCCESS' }, otherAmount: { trans_amount: '0.01' }, otherPayout: { out_biz_no: 'P1000000000' } }[kind as string] ?? {};
    const outer: Record<string, string> = kind === 'foreign' ? { app_id: '2021000000000009' } : {};
    const form = alipay.notice(payNo, { ...(kind === 'true' ? {} : { status: 'SUCCESS' }), ...changes }, kind === 'forged' ? 'forger' : 'own', outer);
    const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    return async () => (await desk.office.server.app.inject({ method: 'POST', url: '/api/things-task/alipay/notify', payload: form, headers })).statusCode;
  },
});

const wechatPeer = (): Peer => ({
  kind: accountKinds.wechat,
  orders: wechat.bills,
  calls: wechat.calls,
  held: wechat.held,
  end: (payNo) => wechat.end(payNo),
  server: wechat,
  refuse: (amount, code) => wechat.faults.set(amount, { status: code === 'SYSTEM_ERROR' ? 500 : 400, code, takes: true }),
  notice(payNo, kind) {
    const changes =
      { foreign: { mch_id: '1900009999' }, otherAmount: { transfer_amount: 1 }, otherPayout: { out_bill_no: 'P1000000000' } }[kind as string] ?? {};
    const { body, headers } = wechat.notice(payNo, { ...(kind === 'true' ? {} : { state: 'SUCCESS' }), ...changes }, kind === 'forged' ? 'forger' : 'own');
    return async () => (await desk.office.server.post('/api/things-task/weixinpay/notify', body, { headers })).status;
  },
});

/** A payout with the events that happen to it, in this order. */
interface Course {
  readonly payNo: string;
  readonly order: readonly Event[];
  readonly forgery: (typeof forgeries)[number];
  readonly sending: Promise<void>;
  readonly answer: () => void;
}

async function forge(peer: Peer, { payNo, forgery }: Course): Promise<void> {
  const name = `${payNo} ${forgery}`;
  if (forgery === 'replayed') {
    const again = peer.notice(payNo, 'otherAmount');
    expect([await again(), await again()], name).toEqual([200, 401]);
  } else expect(await peer.notice(payNo, forgery)(), name).toBe(forgery === 'otherAmount' ? 200 : 401);
}

async function happen(peer: Peer, course: Course, event: Event): Promise<void> {
  const { payNo } = course;
  if (event === 'answer') {
    course.answer();
    await course.sending;
  }
  if (event === 'early') expect(await peer.notice(payNo, 'early')()).toBe(200);
  if (event === 'late') {
    peer.end(payNo);
    expect(await peer.notice(payNo, 'true')()).toBe(200);
  }
  if (event === 'twice') {
    const notice = peer.notice(payNo, 'true');
    expect((await Promise.all([notice(), notice()])).sort()).toEqual([200, 401]);
  }
  if (event === 'forged') await forge(peer, course);
}

/** Sends a payout, whose answer waits until it is one of the events. */
async function begin(peer: Peer, payNo: string, index: number, order: readonly Event[]): Promise<Course> {
  let answer = () => {};
  peer.held.set(payNo, new Promise((resolve) => (answer = resolve)));
  const sending = desk.turn([payNo]);
  let isOver = false;
  void sending.then(() => (isOver = true));
  await expect.poll(() => isOver || peer.orders.has(payNo), { timeout: 10_000, interval: 2 }).toBe(true);
  if (isOver) throw new Error(`the payout was not sent: ${JSON.stringify(await desk.stored([payNo]))}`);
  return { payNo, order, forgery: forgeries[index % forgeries.length] as Course['forgery'], sending, answer };
}

/** Lets a group of payouts go through their events in step. */
async function runGroup(peer: Peer, payNos: readonly string[], orders: readonly (readonly Event[])[], first: number): Promise<void> {
  const courses: Course[] = [];
  for (const [index, payNo] of payNos.entries()) courses.push(await begin(peer, payNo, first + index, orders[index] ?? []));
  for (const step of events.keys()) {
    const queried = courses.filter(({ order }) => order[step] === 'query').map(({ payNo }) => payNo);
    if (queried.length > 0) await desk.turn(queried);
    await Promise.all(courses.map((course) => happen(peer, course, course.order[step] as Event)));
  }
  await desk.turn(payNos);
  const stored = await desk.stored(payNos);
  for (const [index, { payNo, state, postings }] of stored.entries()) {
    const amount = answers[(first + index) % answers.length];
    const transfers = peer.calls.get(payNo)?.filter((call) => call !== 'query');
    expect({ order: orders[index], state, postings, paidOut: peer.orders.get(payNo)?.paidOut, transfers: transfers?.length }).toEqual({
      order: orders[index],
      state: 2,
      postings: 4,
      paidOut: amount,
      transfers: 1,
    });
  }
}

/** All orders take minutes: CI runs them on PostgreSQL; elsewhere every fifth group is taken, of both providers. */
const share = process.env.CI && serverUrl ? 1 : 5;

test(`in ${720 / share} orders of answer, query and notices, forged ones among them, money moves exactly once`, async () => {
  const peers = [alipayPeer(), wechatPeer()] as const;
  for (const peer of peers) peer.refuse(amounts.fault, 'SYSTEM_ERROR');
  peers[0].refuse(amounts.refused, 'PAYEE_NOT_EXIST');
  peers[1].refuse(amounts.refused, 'PARAM_ERROR');
  const all = ordersOf(events);
  expect(all).toHaveLength(720);
  const groupSize = 18;
  const firsts = Array.from({ length: all.length / groupSize / share }, (_, index) => index * share * groupSize);
  for (const first of firsts) {
    const orders = all.slice(first, first + groupSize);
    const peer = peers[(first / groupSize) % 2] as Peer;
    const due = orders.map((_, index) => answers[(first + index) % answers.length] as number);
    await runGroup(peer, await desk.start(due, peer.kind), orders, first);
  }
  const paid = peers.flatMap(({ orders }) => [...orders.values()]).reduce((sum, { paidOut }) => sum + paidOut, 0);
  expect(paid).toBe((240 / share) * (amounts.answered + amounts.fault + amounts.refused));
  expect((await desk.office.get('/api/things-task/ledger/check')).data).toEqual([]);
}, 600_000);

test('a notification whose query failed is asked for again, and its repetitions settle the payout once', async () => {
  for (const peer of [alipayPeer(), wechatPeer()]) {
    const payNos = await desk.start([30], peer.kind);
    const [payNo] = payNos as [string];
    await desk.turn(payNos);
    peer.end(payNo);
    const notice = peer.notice(payNo, 'true');
    peer.server.isDown = true;
    expect([await notice(), await notice()]).toEqual([503, 503]);
    expect(await desk.stored(payNos)).toMatchObject([{ state: 1, postings: 2 }]);
    peer.server.isDown = false;
    expect((await Promise.all([notice(), notice(), notice()])).sort()).toEqual([200, 401, 401]);
    expect(await notice()).toBe(401);
    await desk.turn(payNos);
    expect(await desk.stored(payNos)).toMatchObject([{ state: 2, note: null, postings: 4 }]);
    expect(peer.orders.get(payNo)?.paidOut).toBe(30);
  }
  expect((await desk.office.get('/api/things-task/ledger/check')).data).toEqual([]);
});
