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

/** Approved work that can be paid, of a user without any account. */
async function approved(amount = 500, by = ann): Promise<string> {
  const taskId = await office.publishTask({ quantity: 10, perUserLimit: 0, unitPrice: 500 });
  const id = await office.submitProof(taskId, by);
  await office.post(`${taskPath}/doAudit`, { ids: [id], status: 1 }, eve);
  await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', amount = ${amount} where id = ${id}`);
  return id;
}
const record = (ids: readonly string[], by = payer) =>
  office.post(payable.payManually.path, { ids, voucher: ['https://files.example.com/slip.png'], remark: '现金支付' }, by);
const rowOf = async (submissionId: string) => (await office.get(payout.list.path, { submissionId, descs: 'createTime' }, payer)).data.records[0];
async function paid(submissionId: string): Promise<void> {
  const stateNow = async () => {
    await office.server.sql('update payout set next_try = now() where state = 1');
    return (await rowOf(submissionId)).state;
  };
  await expect.poll(stateNow, { timeout: 20_000, interval: 500 }).toBe(2);
}
const balance = async () =>
  (await office.server.sql(`select balance::float8 as balance from advertiser where id = ${office.requiredIds.advertiserId}`))[0]?.balance as number;
const isSound = async () => expect((await office.get('/api/things-task/ledger/check', {}, payer)).data).toEqual([]);

test('a manual payment needs no account and no provider, has a voucher, and is booked once', async () => {
  const id = await approved();
  const before = await balance();
  expect((await office.post(payable.pay.path, { id }, payer)).status).toBe(409);
  expect((await record([id], eve)).status).toBe(403);
  const replies = await Promise.all([record([id]), record([id]), record([id])]);
  expect(new Set(replies.map(({ data }) => data.payNo)).size).toBe(1);
  await paid(id);
  expect(await rowOf(id)).toMatchObject({ channel: 5, remark: '现金支付', voucher: [expect.stringContaining('slip.png')], providerState: 'RECORDED' });
  expect(await balance()).toBe(before - 500);
  expect(gateway.bills.size).toBe(0);
  await isSound();
});

test('a manual payment is reversed once by another user, its money returns, and the work can be paid again', async () => {
  const id = await approved();
  const before = await balance();
  await record([id]);
  await paid(id);
  const row = await rowOf(id);
  const reverse = (by: Record<string, string>) => office.post(payout.reverse.path, { id: row.id, remark: '付错了人' }, by);
  expect(await reverse(payer)).toMatchObject({ status: 403, msg: '不能冲销自己登记的付款' });
  const replies = await Promise.all([reverse(checker), reverse(checker)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await rowOf(id)).toMatchObject({ state: 5, remark: '付错了人' });
  expect(await balance()).toBe(before);
  await isSound();
  const again = await record([id]);
  expect(again.data.payNo).not.toBe(row.payNo);
  await paid(id);
  expect(await balance()).toBe(before - 500);
  await isSound();
});

test('above the threshold a manual payment waits for approval, and one through a provider is never reversed', async () => {
  const id = await approved(150_000);
  expect((await record([id])).data.state).toBe(0);
  const row = await rowOf(id);
  expect((await office.post(payout.approve.path, { ids: [row.id] }, payer)).status).toBe(403);
  expect((await office.post(payout.approve.path, { ids: [row.id] }, checker)).code).toBe(200);
  await paid(id);
  const other = await approved();
  await office.server.sql(`update task_submission set openid = 'wallet' where id = ${other}`);
  gateway.outcome = 'paid';
  await office.post(payable.pay.path, { id: other }, payer);
  await paid(other);
  const { id: payoutId } = await rowOf(other);
  expect(await office.post(payout.reverse.path, { id: payoutId, remark: '无' }, checker)).toMatchObject({ status: 409 });
  await expect(office.server.sql(`update payout set state = 5 where id = ${payoutId}`)).rejects.toThrow();
  await isSound();
});

test('automatic payment leaves work alone whose manual payment was reversed', async () => {
  const autoPay = async (auto_pay: number) =>
    expect((await office.post('/api/oms-system/miniapp/updatesetting', { app_name: '任务帮', auto_pay })).code).toBe(200);
  const withWallet = (id: string) => office.server.sql(`update task_submission set openid = 'wallet' where id = ${id}`);
  const payoutsOf = async (id: string) =>
    (await office.server.sql(`select state from payout where submission_id = ${id} order by id`)).map(({ state }) => state);
  const id = await approved();
  await withWallet(id);
  await record([id]);
  await paid(id);
  expect((await office.post(payout.reverse.path, { id: (await rowOf(id)).id, remark: '付错了人' }, checker)).code).toBe(200);
  const before = await balance();
  await autoPay(1);
  // Work of a higher id is paid by the same rounds, so that they have passed the reversed one.
  for (const _ of [1, 2]) {
    const other = await approved();
    await withWallet(other);
    await expect.poll(() => payoutsOf(other), { timeout: 20_000, interval: 100 }).toHaveLength(1);
    await paid(other);
  }
  await autoPay(0);
  expect(await payoutsOf(id)).toEqual([5]);
  expect(await balance()).toBe(before - 1000);
  await isSound();
});

test('users neither approve, reject nor reverse payments to themselves, alone, among others or as a run', async () => {
  const both = await office.createMember('both');
  await office.server.sql(`insert into user_role (tenant_id, user_id, role_id) select '000000', ${both.userId}, id from role where role_name = 'checker'`);
  const payee = await office.server.signIn('both');
  const [own, others] = [await approved(150_000, both.headers), await approved(150_000)];
  expect((await record([own, others])).data.state).toBe(0);
  const [ownRow, othersRow] = [await rowOf(own), await rowOf(others)];
  const [run] = await office.server.sql(`select id::text as id from payment_run where run_no = '${ownRow.batchNo}'`);
  const refused = { status: 403, msg: '不能复核或冲销付给自己的款项' };
  const refuses = async (path: string, input: object) => expect(await office.post(path, input, payee), path).toMatchObject(refused);
  await refuses(payout.approve.path, { ids: [ownRow.id] });
  await refuses(payout.approve.path, { ids: [othersRow.id, ownRow.id] });
  await refuses(payout.reject.path, { id: ownRow.id, reason: '无' });
  await refuses(paymentRun.approve.path, { id: run?.id });
  await refuses(paymentRun.reject.path, { id: run?.id, reason: '无' });
  const left = { id: ownRow.id, code: 403, message: refused.msg };
  expect((await office.post(approvalTotal.path, { ids: [ownRow.id, othersRow.id] }, payee)).data).toMatchObject({ count: 1, rows: [left] });
  const { data } = await office.post(payout.approve.path, { ids: [ownRow.id, othersRow.id], partial: true }, payee);
  expect(data).toMatchObject({ done: 1, total: 2, rows: [left] });
  expect((await rowOf(own)).state).toBe(0);

  expect((await office.post(payout.approve.path, { ids: [ownRow.id] }, checker)).code).toBe(200);
  await paid(own);
  await refuses(payout.reverse.path, { id: ownRow.id, remark: '付错了' });
  expect((await rowOf(own)).state).toBe(2);
  await isSound();
});
