import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { defaultLimits, journal, ledgerMonth, payable, paymentLimits, paymentRun, payout, receipt, trialBalance } from '#plugins/payment/contract';
import { transfers } from '#plugins/transfers/contract';
import { scopedUser } from '../../../support/scoped-users.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

type Headers = Record<string, string>;

const pages = ['task_pay', 'payout', 'payment_run', 'ledger', 'receipt', 'closing', 'advertiser'];
const codes = [
  ...[...pages, 'payout_view', 'payout_approve', 'payout_export', 'payment_run_view', 'payment_run_export', 'receipt_add', 'receipt_view', 'receipt_approve'],
  ...['receipt_export', 'closing_view', 'closing_export', 'ledger_close', 'task_pay_manual'],
];
const price = 90_000;

let office: TaskOffice;
let ann: Headers;
let eve: Headers;
let payer: Headers;
/** Sees the money of one advertiser alone. */
let operator: Headers;
let ours: string;
let theirs: string;

beforeAll(async () => {
  const gateway = new ScriptedGateway();
  gateway.outcome = 'processing';
  office = await openTaskOffice({ plugins: [paymentWith({ gateway }), 'transfers'] });
  ann = (await office.createMember('ann')).headers;
  eve = (await office.createAuditor('eve')).headers;
  await office.server.createUser({ account: 'payer', codes });
  payer = await office.server.signIn('payer');
  ours = office.requiredIds.advertiserId;
  theirs = (await office.post('/api/oms-system/base/addadvertiser', { name: '花店', contact_name: '李', contact_phone: '13800000002' })).data.id;
  for (const advertiserId of [ours, theirs]) await recorded(advertiserId, 1_000_000);
  expect((await office.post(paymentLimits.submit.path, { ...defaultLimits, receiptApprovalAbove: 10_000 })).code).toBe(200);
  const rule = { field: 'advertiserId', is: ours };
  // Receipts need no scope of their own: they follow from the advertiser and its postings.
  const scopes = ['payout', 'ledger_posting', 'task_submission'].map((of) => ({ of, rule }));
  operator = await scopedUser(office.server, { account: 'operator', codes, pages, scopes: [...scopes, { of: 'advertiser', rule: { field: 'id', is: ours } }] });
});
afterAll(() => office.server.stop());

const recorded = async (advertiserId: string, amount: number): Promise<{ id: string; state: number }> => {
  const reply = await office.post(receipt.submit.path, { advertiserId, amount }, payer);
  expect(reply.code, reply.msg).toBe(200);
  return reply.data;
};
const balanceOf = async (id: string) => (await office.server.sql(`select balance::float8 as balance from advertiser where id = ${id}`))[0]?.balance as number;
const statuses = async (calls: Record<string, Promise<{ status: number }>>) =>
  Object.fromEntries(await Promise.all(Object.entries(calls).map(async ([name, reply]) => [name, (await reply).status])));
const advertisersIn = (rows: readonly { advertiserId: string }[]) => [...new Set(rows.map(({ advertiserId }) => advertiserId))];

/** Exports a list and returns the number of its rows and the file. */
async function exported(path: string): Promise<{ total: number; text: string }> {
  const reply = await office.post(path, { format: 'csv', query: {} }, operator);
  expect(reply.code, reply.msg).toBe(200);
  const { link } = (await office.get(transfers.link.path, { id: reply.data.id }, operator)).data;
  return { total: reply.data.total, text: (await office.server.app.inject({ url: link })).payload };
}

/** Starts a payout that waits for approval for work of each of these advertisers, and returns them in that order. */
async function waiting(...advertiserIds: string[]): Promise<{ id: string; submissionId: string; batchNo: string }[]> {
  const ids: string[] = [];
  for (const advertiserId of advertiserIds) {
    const id = await office.submitProof(await office.publishTask({ advertiserId, perUserLimit: 0 }), ann);
    await office.post(`${taskPath}/doAudit`, { id, status: 1 }, eve);
    await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet', amount = ${price} where id = ${id}`);
    ids.push(id);
  }
  await office.server.sql('update payment_limits set approval_above = 0');
  const reply = await office.post(payable.pay.path, { ids }, payer);
  expect(reply.data, reply.msg).toMatchObject({ state: 0 });
  const rows = (await office.server.sql(
    `select id::text as id, submission_id::text as "submissionId", batch_no as "batchNo" from payout where submission_id in (${ids.join(',')})`,
  )) as { id: string; submissionId: string; batchNo: string }[];
  return ids.map((id) => rows.find(({ submissionId }) => submissionId === id) as (typeof rows)[number]);
}

test('receipts of other advertisers are neither listed, opened, exported, recorded, reversed nor decided', async () => {
  const [own, other] = [await recorded(ours, 20_000), await recorded(theirs, 20_000)];
  const entered = (await office.get(receipt.list.path, { advertiserId: theirs, state: '1' }, payer)).data.records[0];
  const { records } = (await office.get(receipt.list.path, { size: '200' }, operator)).data;
  expect(advertisersIn(records)).toEqual([ours]);
  expect(await exported(receipt.export.path)).toMatchObject({ total: records.length, text: expect.not.stringContaining('花店') });
  const before = await balanceOf(theirs);
  const calls = {
    detail: office.get(receipt.detail.path, { id: other.id }, operator),
    approve: office.post(receipt.approve.path, { id: other.id }, operator),
    reject: office.post(receipt.reject.path, { id: other.id, reason: '不看' }, operator),
    reverse: office.post(receipt.reverse.path, { id: entered.id, remark: '不看' }, operator),
    submit: office.post(receipt.submit.path, { advertiserId: theirs, amount: 1 }, operator),
    refund: office.post(receipt.submit.path, { advertiserId: theirs, amount: -99_999_999 }, operator),
  };
  expect(await statuses(calls)).toEqual({ detail: 404, approve: 404, reject: 404, reverse: 404, submit: 400, refund: 400 });
  expect((await calls.refund).msg).toBe('广告主不存在');
  expect(await balanceOf(theirs)).toBe(before);
  expect((await office.get(receipt.detail.path, { id: other.id }, payer)).data.state).toBe(0);
  expect((await office.post(receipt.approve.path, { id: own.id }, operator)).data).toMatchObject({ state: 1, approverName: 'operator' });
});

test('the journal has the lines of the own advertiser alone, and users who see a part of the ledger get no trial balance and close no month', async () => {
  const all = (await office.get(journal.list.path, { size: '200' }, payer)).data.records;
  expect(advertisersIn(all)).toHaveLength(2);
  const { records } = (await office.get(journal.list.path, { size: '200' }, operator)).data;
  expect(advertisersIn(records)).toEqual([ours]);
  const file = await exported(journal.export.path);
  expect(file.total).toBe(records.length);
  expect(file.text).toContain('面包店');
  expect(file.text).not.toContain('花店');
  const day = String((await office.server.sql('select current_date::text as day'))[0]?.day);
  const month = day.slice(0, 7);
  const calls = (by: Headers) => ({
    balance: office.get(trialBalance.path, { day }, by),
    account: office.get(trialBalance.path, { day, account: '5' }, by),
    checks: office.get(ledgerMonth.checks.path, { month }, by),
    close: office.post(ledgerMonth.close.path, { month }, by),
    reopen: office.post(ledgerMonth.reopen.path, { id: '1', reason: '不看' }, by),
  });
  expect(await statuses(calls(operator))).toEqual({ balance: 403, account: 403, checks: 403, close: 403, reopen: 403 });
  expect(await statuses(calls(payer))).toEqual({ balance: 200, account: 200, checks: 200, close: 409, reopen: 404 });
});

test('a user who sees one advertiser, but all postings, finds no line with the name of another in the journal', async () => {
  const half = await scopedUser(office.server, { account: 'half', codes, pages, scopes: [{ of: 'advertiser', rule: { field: 'id', is: ours } }] });
  const { records } = (await office.get(journal.list.path, { size: '200' }, half)).data;
  expect(advertisersIn(records)).toEqual([ours]);
});

test('payouts of other advertisers are neither listed, opened, exported nor decided, one by one or among the own', async () => {
  const [own = { id: '' }, other = { id: '' }] = await waiting(ours, theirs);
  const { records } = (await office.get(payout.list.path, { size: '200' }, operator)).data;
  expect(advertisersIn(records)).toEqual([ours]);
  expect(await exported(payout.export.path)).toMatchObject({ total: records.length, text: expect.not.stringContaining('花店') });
  expect((await office.get(payout.list.path, { ids: other.id }, operator)).data.total).toBe(0);
  const decisions = {
    approve: office.post(payout.approve.path, { ids: [other.id] }, operator),
    approveMixed: office.post(payout.approve.path, { ids: [own.id, other.id] }, operator),
    approveSingleInPart: office.post(payout.approve.path, { ids: [other.id], partial: true }, operator),
    reject: office.post(payout.reject.path, { id: other.id, reason: '不看' }, operator),
    reverse: office.post(payout.reverse.path, { id: other.id, remark: '不看' }, operator),
  };
  expect(await statuses(decisions)).toEqual({ approve: 404, approveMixed: 404, approveSingleInPart: 404, reject: 404, reverse: 404 });
  const states = async () => (await office.server.sql(`select state from payout where id in (${own.id}, ${other.id}) order by id`)).map(({ state }) => state);
  expect(await states()).toEqual([0, 0]);
  const { data } = await office.post(payout.approve.path, { ids: [own.id, other.id], partial: true }, operator);
  expect(data).toMatchObject({ done: 1, total: 2, rows: [{ id: other.id, code: 404, title: null }] });
  expect(await states()).toEqual([1, 0]);
});

test('runs with payouts of other advertisers are neither listed, exported nor decided', async () => {
  const [mixed] = await waiting(ours, theirs);
  const [own] = await waiting(ours);
  const { records } = (await office.get(paymentRun.list.path, { size: '200' }, operator)).data;
  const numbers = records.map(({ runNo }: { runNo: string }) => runNo);
  expect(numbers).toContain(own?.batchNo);
  expect(numbers).not.toContain(mixed?.batchNo);
  const { text } = await exported(paymentRun.export.path);
  expect(text).toContain(own?.batchNo);
  expect(text).not.toContain(mixed?.batchNo);
  const { id } = (await office.get(paymentRun.list.path, { runNo: mixed?.batchNo ?? '' }, payer)).data.records[0];
  const calls = {
    shares: office.get(paymentRun.shares.path, { id }, operator),
    payees: office.get(paymentRun.payees.path, { id }, operator),
    approve: office.post(paymentRun.approve.path, { id }, operator),
    reject: office.post(paymentRun.reject.path, { id, reason: '不看' }, operator),
  };
  expect(await statuses(calls)).toEqual({ shares: 404, payees: 404, approve: 404, reject: 404 });
  const seen = (await office.get(paymentRun.list.path, { runNo: own?.batchNo ?? '' }, operator)).data.records[0];
  expect((await office.get(paymentRun.payees.path, { id: seen.id }, operator)).data).toMatchObject({ total: 1, records: [{ payouts: 1, amount: price }] });
});
