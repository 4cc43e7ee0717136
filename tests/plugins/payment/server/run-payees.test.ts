import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { type PayeeSum, type PaymentRunRow, payable, paymentRun, payoutStates, receipt } from '#plugins/payment/contract';
import { scopedUser } from '../../../support/scoped-users.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice } from '../../../support/task-office.ts';

type Headers = Record<string, string>;

const codes = ['task_pay', 'payout', 'payment_run', 'payment_run_view', 'ledger', 'receipt_add'];
const payeeCount = 25;

let office: TaskOffice;
let payer: Headers;
let run: PaymentRunRow;

beforeAll(async () => {
  const gateway = new ScriptedGateway();
  gateway.outcome = 'processing';
  office = await openTaskOffice({ plugins: [paymentWith({ gateway })] });
  await office.server.createUser({ account: 'payer', codes });
  payer = await office.server.signIn('payer');
  await office.post(receipt.submit.path, { advertiserId: office.requiredIds.advertiserId, amount: 10_000_000 }, payer);
  await startRun(1);
  run = await startRun(payeeCount);
});
afterAll(() => office.server.stop());

/** Starts a run with this number of payees. Payee n gets n yuan for a submission, the first one for two. */
async function startRun(count: number): Promise<PaymentRunRow> {
  const { id } = await office.addTask({ quantity: count + 1, perUserLimit: 0 });
  const submissions = await office.server.sql(
    `insert into task_submission (tenant_id, task_id, task_title, user_id, nick_name, openid, deadline, amount, submit_time, audit_status, audit_time)
     select '000000', ${id}, '拍', work.payee, 'Payee_' || work.payee || '%', 'wallet-' || work.payee, now(), 100 * work.payee, now(), 1, now() - interval '2 minutes'
     from (select n as payee from generate_series(1, ${count}) n union all select 1) work returning id::text as id`,
  );
  const reply = await office.post(payable.pay.path, { ids: submissions.map((row) => row.id) }, payer);
  expect(reply.code, reply.msg).toBe(200);
  return (await office.get(paymentRun.list.path, { descs: 'create_time', size: '1' }, payer)).data.records[0];
}
const payeesOf = async (query: Record<string, string> = {}, headers = payer, id = run.id): Promise<{ records: PayeeSum[]; total: number }> => {
  const reply = await office.get(paymentRun.payees.path, { id, ...query }, headers);
  expect(reply.code, reply.msg).toBe(200);
  return reply.data;
};

test('the payees of a run are listed with their sums, the largest first, in pages and without the payouts of other runs', async () => {
  const pages = [await payeesOf(), await payeesOf({ current: '2' }), await payeesOf({ current: '3' })];
  expect(pages.map(({ total }) => total)).toEqual([payeeCount, payeeCount, payeeCount]);
  const all = pages.flatMap(({ records }) => records);
  // The first payee has two payouts of one yuan, and therefore the same sum as the second.
  const inOrder = [...Array(payeeCount - 2).keys()].map((n) => String(payeeCount - n));
  expect(all.map(({ userId }) => userId)).toEqual([...inOrder, '1', '2']);
  expect(all[0]).toEqual({
    ...{ userId: '25', name: 'Payee_25%', payouts: 1, amount: 2500, withheld: 0, net: 2500 },
    states: [{ state: payoutStates.processing, count: 1 }],
  });
  expect(all.at(-2)).toMatchObject({ userId: '1', payouts: 2, amount: 200, states: [{ state: payoutStates.processing, count: 2 }] });
  expect(all.reduce((sum, { amount }) => sum + (amount ?? 0), 0)).toBe(run.amount);
});

test('payees are found by a part of their name, in which wildcards are literal', async () => {
  expect((await payeesOf({ name: 'payee_2' })).total).toBe(7);
  expect((await payeesOf({ name: '_25%' })).records).toMatchObject([{ userId: '25' }]);
  expect(await payeesOf({ name: '__' })).toEqual({ records: [], total: 0 });
  expect((await office.get(paymentRun.payees.path, { id: run.id, size: '201' }, payer)).status).toBe(400);
});

test('states and tax of the payouts are added up by payee', async () => {
  await office.server.sql(`alter table payout disable trigger user`);
  await office.server.sql(`update payout set state = 3, withheld = 20 where id = (select min(id) from payout where batch_no = '${run.runNo}' and user_id = 1)`);
  await office.server.sql(`alter table payout enable trigger user`);
  const [first] = (await payeesOf({ name: 'payee_1%' })).records;
  expect(first).toMatchObject({ amount: 200, withheld: 20, net: 180 });
  expect(first?.states).toEqual([
    { state: payoutStates.processing, count: 1 },
    { state: payoutStates.failed, count: 1 },
  ]);
});

test('values that are hidden from a user are missing, and neither the order nor a search reveals them', async () => {
  const visible = ['id', 'payNo', 'batchNo', 'submissionId', 'advertiserId', 'userId', 'nickName', 'amount', 'withheld', 'netAmount', 'state', 'createUser'];
  const createUserWithout = (account: string, ...names: string[]) =>
    scopedUser(office.server, {
      ...{ account, codes, pages: ['payout', 'payment_run'] },
      scopes: [{ of: 'payout', fields: visible.filter((name) => !names.includes(name)).join() }],
    });
  const noAmounts = await payeesOf({}, await createUserWithout('no-amounts', 'amount', 'withheld', 'netAmount'));
  for (const { amount, withheld, net } of noAmounts.records) expect([amount, withheld, net]).toEqual([null, null, null]);
  const names = noAmounts.records.map(({ name }) => name);
  expect(names).toEqual([...names].sort());
  const nameless = await createUserWithout('nameless', 'nickName', 'userId', 'state');
  for (const row of (await payeesOf({}, nameless)).records) expect(row).toMatchObject({ userId: null, name: null, states: [], amount: expect.any(Number) });
  expect((await office.get(paymentRun.payees.path, { id: run.id, name: 'Payee' }, nameless)).status).toBe(400);
});

test('users without the page and users of other tenants get no payees', async () => {
  await office.server.createUser({ account: 'other', codes: ['payout'] });
  expect((await office.get(paymentRun.payees.path, { id: run.id }, await office.server.signIn('other'))).status).toBe(403);
  await office.server.createTenant('100001');
  await office.server.createUser({ account: 'stranger', codes, tenantId: '100001' });
  expect((await office.get(paymentRun.payees.path, { id: run.id }, await office.server.signIn('stranger', '100001'))).status).toBe(404);
});
