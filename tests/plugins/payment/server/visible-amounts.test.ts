import { afterAll, beforeAll, expect, test } from '@rstest/core';
import {
  advertiserFunds,
  approvalTotal,
  ledger,
  type PaymentRunRow,
  payable,
  paymentRun,
  payTotal,
  receipt as receipts,
  statements,
} from '#plugins/payment/contract';
import { scopedUser } from '../../../support/scoped-users.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

type Headers = Record<string, string>;

const codes = ['task_pay', 'payout', 'payout_view', 'payout_approve', 'payment_run', 'payment_run_view', 'ledger', 'ledger_view', 'receipt_add', 'advertiser'];
const pages = ['task_pay', 'payout', 'payment_run', 'ledger', 'advertiser'];
const price = 90_000;

let office: TaskOffice;
let payer: Headers;
let advertiserA: string;
let advertiserB: string;
let ann: Headers;
let eve: Headers;

beforeAll(async () => {
  const gateway = new ScriptedGateway();
  gateway.outcome = 'processing';
  office = await openTaskOffice({ plugins: [paymentWith({ gateway })] });
  ann = (await office.createMember('ann')).headers;
  eve = (await office.createAuditor('eve')).headers;
  await office.server.createUser({ account: 'payer', codes });
  payer = await office.server.signIn('payer');
  advertiserA = office.requiredIds.advertiserId;
  advertiserB = (await office.post('/api/oms-system/base/addadvertiser', { name: '花店', contact_name: '李', contact_phone: '13800000002' })).data.id;
  for (const advertiserId of [advertiserA, advertiserB]) await office.post(receipts.submit.path, { advertiserId, amount: 1_000_000 }, payer);
});
afterAll(() => office.server.stop());

/** Creates a user who sees only the rows or the fields of an entity that the scope contains, on all pages. */
const createScopedUser = (account: string, entity: string, scope: { fields?: string; rule?: object }): Promise<Headers> =>
  scopedUser(office.server, { account, codes, pages, scopes: [{ of: entity, ...scope }] });

/** Submits and approves a proof that can be paid, and returns its id. */
async function approvedProof(advertiserId: string): Promise<string> {
  const id = await office.submitProof(await office.publishTask({ advertiserId, perUserLimit: 0 }), ann);
  await office.post(`${taskPath}/doAudit`, { id, status: 1 }, eve);
  await office.server.sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet', amount = ${price} where id = ${id}`);
  return id;
}

/** Starts a payment run that waits for approval, with one payment for each advertiser. */
async function startRun(...advertiserIds: string[]): Promise<PaymentRunRow> {
  const ids = [];
  for (const advertiserId of advertiserIds) ids.push(await approvedProof(advertiserId));
  expect((await office.post(payable.pay.path, { ids }, payer)).data.state).toBe(0);
  return (await office.get(paymentRun.list.path, { descs: 'create_time', size: '1' }, payer)).data.records[0];
}
const month = async () => String((await office.server.sql(`select to_char(now(), 'YYYY-MM') as month`))[0]?.month);
const fieldsWithout = (names: readonly string[], omitted: string) => names.filter((name) => name !== omitted).join(',');

test('a user from whom balances are hidden gets neither the funds of an advertiser nor statements', async () => {
  const restricted = await createScopedUser('no-balance', 'advertiser', { fields: 'id,name' });
  expect((await office.get(advertiserFunds.path, { advertiserId: advertiserA }, payer)).data).toMatchObject({ balance: expect.any(Number) });
  expect((await office.get(advertiserFunds.path, { advertiserId: advertiserA }, restricted)).status).toBe(403);
  expect((await office.get(statements.path, { month: await month() }, restricted)).status).toBe(403);
});

test('a user from whom the amounts of the ledger are hidden gets no statements', async () => {
  const restricted = await createScopedUser('no-postings', 'ledger_posting', { fields: 'id,kind,account,advertiserId,createTime' });
  expect((await office.get(statements.path, { month: await month() }, restricted)).status).toBe(403);
  expect((await office.get(statements.path, { month: await month() }, payer)).data.length).toBeGreaterThan(1);
});

test('a user who sees one advertiser gets the funds and the statement of only this one', async () => {
  const scoped = await createScopedUser('one-advertiser', 'advertiser', { rule: { field: 'id', is: advertiserA } });
  expect((await office.get(advertiserFunds.path, { advertiserId: advertiserA }, scoped)).data).toMatchObject({ advertiserId: advertiserA, name: '面包店' });
  expect((await office.get(advertiserFunds.path, { advertiserId: advertiserB }, scoped)).status).toBe(404);
  const all = await office.get(statements.path, { month: await month() }, scoped);
  expect(all.data.map(({ advertiserId }: { advertiserId: string }) => advertiserId)).toEqual([advertiserA]);
  expect((await office.get(statements.path, { month: await month(), advertiserId: advertiserB }, scoped)).data).toEqual([]);
});

test('shares and totals of a run, and totals of payments, leave out amounts that are hidden from the user, who can still approve by their number', async () => {
  const run = await startRun(advertiserA, advertiserB);
  const payoutFields = ['id', 'payNo', 'batchNo', 'submissionId', 'taskId', 'taskTitle', 'advertiserId', 'userId', 'nickName', 'amount', 'state', 'createUser'];
  const restricted = await createScopedUser('no-payout-amounts', 'payout', { fields: fieldsWithout(payoutFields, 'amount') });
  const allShares = (await office.get(paymentRun.shares.path, { id: run.id }, payer)).data;
  expect(allShares.map(({ amount }: { amount: number }) => amount)).toEqual([price, price]);
  const shares = (await office.get(paymentRun.shares.path, { id: run.id }, restricted)).data;
  expect(shares).toHaveLength(2);
  for (const share of shares) expect(share).toMatchObject({ payouts: 1, people: 1, amount: null });
  expect((await office.post(paymentRun.total.path, { id: run.id }, restricted)).data).toMatchObject({ count: 2, amount: null });
  const ids = (await office.server.sql(`select id::text as id from payout where batch_no = '${run.runNo}'`)).map(({ id }) => id);
  expect((await office.post(approvalTotal.path, { ids }, restricted)).data).toMatchObject({ count: 2, amount: null });
  expect((await office.post(approvalTotal.path, { ids }, payer)).data).toMatchObject({ count: 0, withheld: 0, net: 0 });
  for (const name of ['withheld', 'net']) expect((await office.post(approvalTotal.path, { ids }, restricted)).data).not.toHaveProperty(name);

  const submissionFields = ['id', 'taskId', 'taskTitle', 'advertiserId', 'userId', 'nickName', 'auditStatus', 'payStatus'];
  const restrictedPayer = await createScopedUser('no-work-amounts', 'task_submission', { fields: submissionFields.join(',') });
  const proof = await approvedProof(advertiserA);
  expect((await office.post(payTotal.path, { ids: [proof] }, payer)).data).toMatchObject({ count: 1, amount: price });
  expect((await office.post(payTotal.path, { ids: [proof] }, restrictedPayer)).data).toMatchObject({ count: 1, amount: null });
  expect((await office.post(payTotal.path, { ids: [proof] }, payer)).data).toMatchObject({ withheld: 0, net: price });
  for (const name of ['withheld', 'net']) expect((await office.post(payTotal.path, { ids: [proof] }, restrictedPayer)).data).not.toHaveProperty(name);

  expect((await office.post(paymentRun.approve.path, { id: run.id, expected: { count: 1, amount: null } }, restricted)).status).toBe(409);
  expect((await office.post(paymentRun.approve.path, { id: run.id, expected: { count: 2, amount: null } }, restricted)).data).toEqual({ count: 2 });
});

test('only users who see all payouts of a run can open, total and decide it', async () => {
  const [mixed, single] = [await startRun(advertiserA, advertiserB), await startRun(advertiserA, advertiserA)];
  const scoped = await createScopedUser('own-payouts', 'payout', { rule: { field: 'advertiserId', is: advertiserA } });
  const listed = (await office.get(paymentRun.list.path, { size: '200' }, scoped)).data.records.map(({ id }: PaymentRunRow) => id);
  expect(listed).toContain(single.id);
  expect(listed).not.toContain(mixed.id);
  const statuses = async (id: string) => ({
    detail: (await office.get(paymentRun.detail.path, { id }, scoped)).status,
    shares: (await office.get(paymentRun.shares.path, { id }, scoped)).status,
    payees: (await office.get(paymentRun.payees.path, { id }, scoped)).status,
    total: (await office.post(paymentRun.total.path, { id }, scoped)).status,
    close: (await office.post(paymentRun.close.path, { id }, scoped)).status,
    reject: (await office.post(paymentRun.reject.path, { id, reason: '不看' }, scoped)).status,
    approve: (await office.post(paymentRun.approve.path, { id }, scoped)).status,
  });
  expect(await statuses(mixed.id)).toEqual({ detail: 404, shares: 404, payees: 404, total: 404, close: 404, reject: 404, approve: 404 });
  expect((await office.get(paymentRun.detail.path, { id: mixed.id }, payer)).data).toMatchObject({ awaiting: 2 });
  expect((await office.post(paymentRun.total.path, { id: single.id }, scoped)).data).toMatchObject({ count: 2, amount: 2 * price });
  expect((await office.post(paymentRun.approve.path, { id: single.id }, scoped)).data).toEqual({ count: 2 });
});

test('concurrent refunds and publications of one advertiser never spend the same money', async () => {
  const { data } = await office.post('/api/oms-system/base/addadvertiser', { name: '书店', contact_name: '赵', contact_phone: '13800000003' });
  const advertiserId = data.id as string;
  const receipt = 2000;
  for (let round = 0; round < 3; round += 1) {
    await office.post(receipts.submit.path, { advertiserId, amount: receipt }, payer);
    const before = (await office.get(advertiserFunds.path, { advertiserId }, payer)).data;
    const drafts = await Promise.all(Array.from({ length: 4 }, async () => (await office.addTask({ advertiserId, unitPrice: 300, quantity: 1 })).id));
    const publications = drafts.map((id) => office.post(`${taskPath}/publish`, { ids: [id] }));
    const refunds = Array.from({ length: 4 }, () => office.post(receipts.submit.path, { advertiserId, amount: -500 }, payer));
    const [published, refunded] = await Promise.all([Promise.all(publications), Promise.all(refunds)]);
    for (const { code } of [...published, ...refunded]) expect([200, 409]).toContain(code);
    const done = (replies: typeof published) => replies.filter(({ code }) => code === 200).length;
    const spent = 300 * done(published) + 500 * done(refunded);
    const after = (await office.get(advertiserFunds.path, { advertiserId }, payer)).data;
    expect(after.available).toBe(before.available - spent);
    expect(after.available).toBeGreaterThanOrEqual(0);
    // A request was refused only if the remaining money did not suffice.
    if (done(published) < 4) expect(after.available).toBeLessThan(300);
    if (done(refunded) < 4) expect(after.available).toBeLessThan(500);
  }
  expect((await office.get(ledger.check.path, {}, payer)).data).toEqual([]);
});
