import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { advertiserFunds, ledger, type PaymentRunRow, payable, paymentRun, payTotal, receipt, runStates } from '#plugins/payment/contract';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice } from '../../../support/task-office.ts';

type Headers = Record<string, string>;

const size = 1200;
const price = 100;
const expected = { count: size, amount: size * price };

let office: TaskOffice;
let gateway: ScriptedGateway;
let payer: Headers;
let checker: Headers;

beforeAll(async () => {
  gateway = new ScriptedGateway();
  gateway.outcome = 'processing';
  office = await openTaskOffice({ plugins: [paymentWith({ gateway })] });
  const codes = ['task_pay', 'payout', 'payout_approve', 'payment_run', 'payment_run_view', 'ledger', 'receipt_add'];
  for (const account of ['payer', 'checker']) await office.server.createUser({ account, codes });
  [payer, checker] = [await office.server.signIn('payer'), await office.server.signIn('checker')];
  await office.post(receipt.submit.path, { advertiserId: office.requiredIds.advertiserId, amount: 10_000_000 }, payer);
});
afterAll(() => office.server.stop());

/** Inserts approved work of as many payees. */
async function approvedWork(): Promise<string[]> {
  const { id } = await office.addTask({ quantity: size, perUserLimit: 0 });
  const made = await office.server.sql(
    `insert into task_submission (tenant_id, task_id, task_title, user_id, nick_name, openid, deadline, amount, submit_time, audit_status, audit_time)
     select '000000', ${id}, '拍', n, '小王' || n, 'wallet-' || n, now(), ${price}, now(), 1, now() - interval '2 minutes' from generate_series(1, ${size}) n returning id::text as id`,
  );
  return made.map((row) => String(row.id));
}
const latest = async (): Promise<PaymentRunRow> => (await office.get(paymentRun.list.path, { descs: 'create_time', size: '1' }, checker)).data.records[0];
const funds = async () => (await office.get(advertiserFunds.path, { advertiserId: office.requiredIds.advertiserId }, payer)).data;
const isSound = async () => expect((await office.get(ledger.check.path, {}, payer)).data).toEqual([]);

test('more than a thousand selected rows are paid in one run, rejected as a whole, paid again and approved by their sum', { timeout: 120_000 }, async () => {
  const ids = await approvedWork();
  expect((await office.post(payTotal.path, { ids }, payer)).data).toMatchObject({ ...expected, people: size, rows: [], needsApproval: true });
  const pay = () => office.post(payable.pay.path, { ids, partial: true, expected }, payer);
  expect((await pay()).data).toMatchObject({ done: size, total: size, rows: [] });
  const first = await latest();
  expect(first).toMatchObject({ state: runStates.awaiting, payouts: size, awaiting: size, people: size, amount: expected.amount });
  expect(await funds()).toMatchObject({ balance: 10_000_000 - expected.amount, owed: 0, inTransit: expected.amount });
  await isSound();

  expect((await office.post(paymentRun.reject.path, { id: first.id, reason: '金额不对' }, checker)).data).toEqual({ count: size });
  expect(await funds()).toMatchObject({ balance: 10_000_000, owed: expected.amount, inTransit: 0 });
  expect(await office.server.sql(`select count(*)::integer as count from task_submission where pay_status = 0 and pay_no is null`)).toEqual([{ count: size }]);
  await isSound();

  expect((await pay()).data).toMatchObject({ done: size });
  const second = await latest();
  expect((await office.post(paymentRun.total.path, { id: second.id }, checker)).data).toMatchObject(expected);
  expect((await office.post(paymentRun.approve.path, { id: second.id, expected: { ...expected, count: size - 1 } }, checker)).status).toBe(409);
  expect((await office.post(paymentRun.approve.path, { id: second.id, expected }, checker)).data).toEqual({ count: size });
  expect(await latest()).toMatchObject({ state: runStates.processing, awaiting: 0, processing: size, approverName: 'checker' });
  await isSound();
});

test('each posting of a batch has the balance of its account after it, in the order of their ids', async () => {
  const wrong = await office.server.sql(
    `select p.id from (
       select id, balance_after, sum(amount) over (partition by account, advertiser_id order by id) as added, create_time,
         max(create_time) over (partition by account, advertiser_id order by id) as latest
       from ledger_posting) p where p.balance_after <> p.added or p.create_time < p.latest`,
  );
  expect(wrong).toEqual([]);
});

test('a stopping server finishes the payments it is sending and leaves the rest of the run to the next start', async () => {
  await expect.poll(() => gateway.sent.length, { timeout: 30_000 }).toBeGreaterThan(0);
  await office.server.host.stop();
  const sent = gateway.sent.length;
  expect(sent).toBeLessThan(size);
  const [{ unsent }] = (await office.server.sql(`select count(*)::integer as unsent from payout where state = 1 and sendings = 0`)) as [{ unsent: number }];
  expect(unsent).toBe(size - sent);
});
