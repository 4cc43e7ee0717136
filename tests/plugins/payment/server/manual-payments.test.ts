import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { approvalTotal, payable, paymentRun, payout, receipt } from '#plugins/payment/contract';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

let office: TaskOffice;
let gateway: ScriptedGateway;
let ann: Record<string, string>;
let eve: Record<string, string>;
let payer: Record<string, string>;
let checker: Record<string, string>;

beforeAll(async () => {
  gateway = new ScriptedGateway();
  office = await openTaskOffice({ plugins: [paymentWith({ gateway })] });
  ann = (await office.createMember('ann')).headers;
  eve = (await office.createAuditor('eve')).headers;
  const codes = ['task_pay', 'task_pay_manual', 'payout', 'payout_approve', 'ledger', 'receipt_add'];
  for (const account of ['payer', 'checker']) await office.server.createUser({ account, codes });
  [payer, checker] = [await office.server.signIn('payer'), await office.server.signIn('checker')];
  await office.post(receipt.submit.path, { advertiserId: office.requiredIds.advertiserId, amount: 1_000_000 }, payer);
});
afterAll(() => office.server.stop());

/** Submits and approves a proof of a user without a payment account, and returns its id; it can be paid. */
async function approvedProof(amount = 500, headers = ann): Promise<string> {
  const taskId = await office.publishTask({ quantity: 10, perUserLimit: 0, unitPrice: 500 });
  const id = await office.submitProof(taskId, headers);
  await office.post(`${taskPath}/doAudit`, { ids: [id], status: 1 }, eve);
  await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', amount = ${amount} where id = ${id}`);
  return id;
}
const recordPayment = (ids: readonly string[], by = payer) =>
  office.post(payable.payManually.path, { ids, voucher: ['https://files.example.com/slip.png'], remark: '现金支付' }, by);
const rowOf = async (submissionId: string) => (await office.get(payout.list.path, { submissionId, descs: 'createTime' }, payer)).data.records[0];
async function waitUntilPaid(submissionId: string): Promise<void> {
  const stateNow = async () => {
    await office.server.sql('update payout set next_try = now() where state = 1');
    return (await rowOf(submissionId)).state;
  };
  await expect.poll(stateNow, { timeout: 20_000, interval: 500 }).toBe(2);
}
const balance = async () =>
  (await office.server.sql(`select balance::float8 as balance from advertiser where id = ${office.requiredIds.advertiserId}`))[0]?.balance as number;
const expectSoundLedger = async () => expect((await office.get('/api/things-task/ledger/check', {}, payer)).data).toEqual([]);

test('a manual payment needs no account and no provider, has a voucher, and is booked once', async () => {
  const id = await approvedProof();
  const before = await balance();
  expect((await office.post(payable.pay.path, { id }, payer)).status).toBe(409);
  expect((await recordPayment([id], eve)).status).toBe(403);
  const replies = await Promise.all([recordPayment([id]), recordPayment([id]), recordPayment([id])]);
  expect(new Set(replies.map(({ data }) => data.payNo)).size).toBe(1);
  await waitUntilPaid(id);
  expect(await rowOf(id)).toMatchObject({ channel: 5, remark: '现金支付', voucher: [expect.stringContaining('slip.png')], providerState: 'RECORDED' });
  expect(await balance()).toBe(before - 500);
  expect(gateway.bills.size).toBe(0);
  await expectSoundLedger();
});

test('a manual payment is reversed once, by another user, which returns the money and allows another payment', async () => {
  const id = await approvedProof();
  const before = await balance();
  await recordPayment([id]);
  await waitUntilPaid(id);
  const row = await rowOf(id);
  const reverse = (by: Record<string, string>) => office.post(payout.reverse.path, { id: row.id, remark: '付错了人' }, by);
  expect(await reverse(payer)).toMatchObject({ status: 403, msg: '不能冲销自己登记的付款' });
  const replies = await Promise.all([reverse(checker), reverse(checker)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await rowOf(id)).toMatchObject({ state: 5, remark: '付错了人' });
  expect(await balance()).toBe(before);
  await expectSoundLedger();
  const second = await recordPayment([id]);
  expect(second.data.payNo).not.toBe(row.payNo);
  await waitUntilPaid(id);
  expect(await balance()).toBe(before - 500);
  await expectSoundLedger();
});

test('a manual payment above the threshold waits for approval, and a payment through a provider cannot be reversed', async () => {
  const id = await approvedProof(150_000);
  expect((await recordPayment([id])).data.state).toBe(0);
  const row = await rowOf(id);
  expect((await office.post(payout.approve.path, { ids: [row.id] }, payer)).status).toBe(403);
  expect((await office.post(payout.approve.path, { ids: [row.id] }, checker)).code).toBe(200);
  await waitUntilPaid(id);
  const other = await approvedProof();
  await office.server.sql(`update task_submission set openid = 'wallet' where id = ${other}`);
  gateway.outcome = 'paid';
  await office.post(payable.pay.path, { id: other }, payer);
  await waitUntilPaid(other);
  const { id: payoutId } = await rowOf(other);
  expect(await office.post(payout.reverse.path, { id: payoutId, remark: '无' }, checker)).toMatchObject({ status: 409 });
  await expect(office.server.sql(`update payout set state = 5 where id = ${payoutId}`)).rejects.toThrow();
  await expectSoundLedger();
});

test('automatic payment skips a submission whose manual payment was reversed', async () => {
  const autoPay = async (auto_pay: number) =>
    expect((await office.post('/api/oms-system/miniapp/updatesetting', { app_name: '任务帮', auto_pay })).code).toBe(200);
  const withWallet = (id: string) => office.server.sql(`update task_submission set openid = 'wallet' where id = ${id}`);
  const payoutsOf = async (id: string) =>
    (await office.server.sql(`select state from payout where submission_id = ${id} order by id`)).map(({ state }) => state);
  const id = await approvedProof();
  await withWallet(id);
  await recordPayment([id]);
  await waitUntilPaid(id);
  expect((await office.post(payout.reverse.path, { id: (await rowOf(id)).id, remark: '付错了人' }, checker)).code).toBe(200);
  const before = await balance();
  await autoPay(1);
  // Submissions with higher ids are paid in order, so the reversed one has been skipped by then.
  for (const _ of [1, 2]) {
    const other = await approvedProof();
    await withWallet(other);
    await expect.poll(() => payoutsOf(other), { timeout: 20_000, interval: 100 }).toHaveLength(1);
    await waitUntilPaid(other);
  }
  await autoPay(0);
  expect(await payoutsOf(id)).toEqual([5]);
  expect(await balance()).toBe(before - 1000);
  await expectSoundLedger();
});

test('users cannot approve, reject or reverse payments to themselves, whether alone, among others or as a run', async () => {
  const payeeAccount = await office.createMember('payee');
  await office.server.sql(
    `insert into user_role (tenant_id, user_id, role_id) select '000000', ${payeeAccount.userId}, id from role where role_name = 'checker'`,
  );
  const payee = await office.server.signIn('payee');
  const [own, others] = [await approvedProof(150_000, payeeAccount.headers), await approvedProof(150_000)];
  expect((await recordPayment([own, others])).data.state).toBe(0);
  const [ownRow, othersRow] = [await rowOf(own), await rowOf(others)];
  const [run] = await office.server.sql(`select id::text as id from payment_run where run_no = '${ownRow.batchNo}'`);
  const refused = { status: 403, msg: '不能复核或冲销付给自己的款项' };
  const expectRefusal = async (path: string, input: object) => expect(await office.post(path, input, payee), path).toMatchObject(refused);
  await expectRefusal(payout.approve.path, { ids: [ownRow.id] });
  await expectRefusal(payout.approve.path, { ids: [othersRow.id, ownRow.id] });
  await expectRefusal(payout.reject.path, { id: ownRow.id, reason: '无' });
  await expectRefusal(paymentRun.approve.path, { id: run?.id });
  await expectRefusal(paymentRun.reject.path, { id: run?.id, reason: '无' });
  const refusedRow = { id: ownRow.id, code: 403, message: refused.msg };
  expect((await office.post(approvalTotal.path, { ids: [ownRow.id, othersRow.id] }, payee)).data).toMatchObject({ count: 1, rows: [refusedRow] });
  const { data } = await office.post(payout.approve.path, { ids: [ownRow.id, othersRow.id], partial: true }, payee);
  expect(data).toMatchObject({ done: 1, total: 2, rows: [refusedRow] });
  expect((await rowOf(own)).state).toBe(0);

  expect((await office.post(payout.approve.path, { ids: [ownRow.id] }, checker)).code).toBe(200);
  await waitUntilPaid(own);
  await expectRefusal(payout.reverse.path, { id: ownRow.id, remark: '付错了' });
  expect((await rowOf(own)).state).toBe(2);
  await expectSoundLedger();
});
