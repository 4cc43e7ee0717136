import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { type PaymentRunRow, paymentRun, runStates } from '#plugins/payment/contract';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const payPath = '/api/things-task/weixinpay';
type Headers = Record<string, string>;

let office: TaskOffice;
let gateway: ScriptedGateway;
let ann: Headers;
let eve: Headers;
let payer: Headers;
let checker: Headers;

beforeAll(async () => {
  gateway = new ScriptedGateway();
  office = await openTaskOffice({ plugins: [paymentWith({ gateway })] });
  ann = (await office.createMember('ann')).headers;
  eve = (await office.createAuditor('eve')).headers;
  const codes = ['task_pay', 'payout', 'payout_approve', 'payment_run', 'payment_run_view', 'ledger', 'receipt_add'];
  for (const account of ['payer', 'checker']) await office.server.createUser({ account, codes });
  [payer, checker] = [await office.server.signIn('payer'), await office.server.signIn('checker')];
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 10_000_000 }, payer);
});
afterAll(() => office.server.stop());
beforeEach(() => {
  gateway.outcome = 'paid';
});

/** Creates approved work that can be paid; the amounts of large work exceed what one person can pay in a day without approval. */
async function approved(count: number, amount = 100): Promise<string[]> {
  const taskId = await office.publishTask({ quantity: 100, perUserLimit: 0 });
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await office.submitProof(taskId, ann));
  await office.post(`${taskPath}/doAudit`, { ids, status: 1 }, eve);
  await office.server.sql(
    `update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet', amount = ${amount} where id in (${ids.join(',')})`,
  );
  return ids;
}
const large = 90_000;
const latest = async (): Promise<PaymentRunRow> => (await office.get(paymentRun.list.path, { descs: 'create_time', size: '1' }, checker)).data.records[0];
const pay = (ids: readonly string[]) => office.post(payPath, { ids }, payer);
const settled = (id: string, state: number) =>
  expect
    .poll(
      async () => {
        await office.server.sql('update payout set next_try = now() where state = 1');
        return (await office.get(paymentRun.detail.path, { id }, checker)).data.state;
      },
      { timeout: 20_000, interval: 100 },
    )
    .toBe(state);
const balance = async () => Number((await office.server.sql(`select balance from advertiser where id = ${office.requiredIds.advertiserId}`))[0]?.balance);

test('the payouts of one request are one run with its sums, which follow them until all are paid', async () => {
  expect((await pay(await approved(3))).code).toBe(200);
  const run = await latest();
  expect(run).toMatchObject({ payouts: 3, people: 1, advertisers: 1, amount: 300, requesterName: 'payer' });
  const shares = await office.get(paymentRun.shares.path, { id: run.id }, checker);
  expect(shares.data).toEqual([{ advertiserId: office.requiredIds.advertiserId, name: '面包店', payouts: 3, people: 1, amount: 300 }]);
  await settled(run.id, runStates.done);
  expect(await latest()).toMatchObject({ paid: 3, paidAmount: 300, awaiting: 0, processing: 0, failed: 0 });
});

test('a run above the limit is approved once by another user, and its own requester is refused', async () => {
  expect((await pay(await approved(2, large))).data.state).toBe(0);
  const run = await latest();
  expect(run).toMatchObject({ state: runStates.awaiting, awaiting: 2 });
  expect(await office.post(paymentRun.approve.path, { id: run.id }, payer)).toMatchObject({ status: 403 });
  expect(await office.post(paymentRun.approve.path, { id: run.id }, checker)).toMatchObject({ code: 200, data: { count: 2 } });
  expect(await office.post(paymentRun.approve.path, { id: run.id }, checker)).toMatchObject({ status: 409 });
  await settled(run.id, runStates.done);
  expect(await latest()).toMatchObject({ approverName: 'checker' });
});

test('a rejected run returns all of its money, and its work can be paid again', async () => {
  const ids = await approved(2, large);
  const before = await balance();
  await pay(ids);
  expect(await balance()).toBe(before - 2 * large);
  const run = await latest();
  expect(await office.post(paymentRun.reject.path, { id: run.id, reason: '金额不对' }, checker)).toMatchObject({ code: 200, data: { count: 2 } });
  expect(await balance()).toBe(before);
  expect(await latest()).toMatchObject({ state: runStates.refused, refused: 2, reason: '金额不对' });
  expect((await pay(ids)).code).toBe(200);
});

test('failed payouts are paid again in a run of their own, or the run is marked as handled', async () => {
  gateway.outcome = 'failed';
  await pay(await approved(2));
  const [first] = [await latest()];
  await office.server.sql(`update payout set state = 1 where state = 0 and batch_no = '${first?.runNo}'`);
  await settled(first.id, runStates.failed);
  gateway.outcome = 'paid';
  expect(await office.post(paymentRun.retry.path, { id: first.id }, payer)).toMatchObject({ code: 200, data: { done: 2, total: 2, rows: [] } });
  expect((await office.get(paymentRun.detail.path, { id: first.id }, checker)).data.state).toBe(runStates.done);
  const second = await latest();
  expect(second).toMatchObject({ payouts: 2 });
  expect(second.id).not.toBe(first.id);
  expect(await office.post(paymentRun.retry.path, { id: first.id }, payer)).toMatchObject({ status: 409 });

  gateway.outcome = 'failed';
  await pay(await approved(1));
  const third = await latest();
  await office.server.sql(`update payout set state = 1 where state = 0 and batch_no = '${third.runNo}'`);
  await settled(third.id, runStates.failed);
  expect((await office.post(paymentRun.close.path, { id: third.id }, payer)).code).toBe(200);
  expect((await office.get(paymentRun.detail.path, { id: third.id }, checker)).data.state).toBe(runStates.done);
});
