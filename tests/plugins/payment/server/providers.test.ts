import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { accountKinds } from '#plugins/payment/contract';
import { type PaymentProvider, PaymentProviders, ProviderPayouts } from '#plugins/payment/server-extension';
import { defineServerPlugin, filterHandler } from '#server';
import { ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const payPath = '/api/things-task/weixinpay';
type Headers = Record<string, string>;

class NamedGateway extends ScriptedGateway {
  constructor(
    override readonly name: string,
    feeFixed: number,
  ) {
    super();
    this.terms = { accountKinds: Object.values(accountKinds), payeeConfirms: false, isOffline: false, feeFixed };
  }

  override readonly terms: ScriptedGateway['terms'] & { feeFixed?: number };
}

const cheap = new NamedGateway('cheap:1', 10);
const expensive = new NamedGateway('expensive:1', 100);
const enabled = new Set([cheap, expensive]);
let payouts: ProviderPayouts;
let office: TaskOffice;
let ann: Headers;
let eve: Headers;

const provider = (gateway: NamedGateway): PaymentProvider => ({
  id: gateway.name.split(':')[0] as string,
  enabled: async () => (enabled.has(gateway) ? [gateway] : []),
  find: async (id) => (id === '1' ? gateway : undefined),
  ofDay: async () => [gateway],
});

/** A plugin with two providers, of which the first is more expensive. */
const couriers = defineServerPlugin({
  id: 'couriers',
  title: ['快递', 'Couriers'],
  dependencies: ['payment'],
  setup({ get }) {
    payouts = get(ProviderPayouts);
    return { filters: [filterHandler(PaymentProviders, (providers) => [...providers, provider(expensive), provider(cheap)])] };
  },
});

beforeAll(async () => {
  office = await openTaskOffice({ plugins: ['payment', couriers] });
  ann = (await office.createMember('ann')).headers;
  eve = (await office.createAuditor('eve')).headers;
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 10_000_000 });
});
afterAll(() => office.server.stop());

const sql = (statement: string) => office.server.sql(statement);
const payoutOf = async (payNo: string) => (await sql(`select state, gateway, channel, note from payout where pay_no = '${payNo}'`))[0];
/** Waits for the outcome of a payout, which is sent again without delay. */
const waitForPayout = (payNo: string, expected: object) =>
  expect
    .poll(
      async () => {
        await sql('update payout set next_try = now() where state = 1');
        return payoutOf(payNo);
      },
      { timeout: 20_000, interval: 200 },
    )
    .toMatchObject(expected);

/** Submits and approves a proof that can be paid, and returns its id. */
async function approvedProof(): Promise<string> {
  const id = await office.submitProof(await office.publishTask({ perUserLimit: 0 }), ann);
  await office.post(`${taskPath}/doAudit`, { id, status: 1 }, eve);
  await sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet' where id = ${id}`);
  return id;
}
async function pay(id: string): Promise<string> {
  const reply = await office.post(payPath, { id });
  expect(reply.code, reply.msg).toBe(200);
  return reply.data.payNo;
}
const sentTo = (gateway: NamedGateway, payNo: string) => gateway.sent.filter((one) => one.payNo === payNo).length;

test('the cheapest provider pays, and after its final refusal another one pays under another number', async () => {
  const id = await approvedProof();
  expect((await office.post(`${payPath}/sum`, { ids: [id] })).data.channels).toEqual([{ channel: 9, count: 1 }]);
  cheap.faults.push('refused');
  const refused = await pay(id);
  await waitForPayout(refused, { state: 3, gateway: 'cheap:1', channel: 9 });
  expect(sentTo(expensive, refused)).toBe(0);
  const second = await pay(id);
  expect(second).not.toBe(refused);
  await waitForPayout(second, { state: 2, gateway: 'expensive:1' });
  expect([sentTo(cheap, second), expensive.paidOut()]).toEqual([0, 500]);
  // Neither a late result of the first nor one of a gateway that did not send it moves money.
  await payouts.settle('000000', 'cheap:1', { payNo: refused, outcome: 'paid', state: 'LATE' });
  await payouts.settle('000000', 'cheap:1', { payNo: second, outcome: 'failed', state: 'LATE' });
  expect(await payoutOf(refused)).toMatchObject({ state: 3, note: 'LATE after the end' });
  expect(await payoutOf(second)).toMatchObject({ state: 2 });
  expect((await office.get('/api/things-task/ledger/check')).data).toEqual([]);
});

test('a payout whose request may still arrive is never sent through another provider', async () => {
  cheap.faults.push('lost');
  const payNo = await pay(await approvedProof());
  await expect.poll(async () => (await payoutOf(payNo))?.note, { timeout: 15_000, interval: 50 }).toBe('connection refused');
  enabled.delete(cheap);
  await waitForPayout(payNo, { state: 2, gateway: 'cheap:1' });
  expect(sentTo(expensive, payNo)).toBe(0);
  enabled.add(cheap);
});

test('a tenant without an enabled provider uses the sandbox, but is refused if it has ever had a real one', async () => {
  enabled.clear();
  const first = await pay(await approvedProof());
  await waitForPayout(first, { state: 2, gateway: 'sandbox' });
  await sql("insert into payment_provided (tenant_id) values ('000000')");
  const id = await approvedProof();
  expect(await office.post(payPath, { id })).toMatchObject({ status: 409, msg: '没有启用的支付配置，请先启用一个' });
  enabled.add(expensive);
  const payNo = await pay(id);
  await waitForPayout(payNo, { state: 2, gateway: 'expensive:1' });
});
