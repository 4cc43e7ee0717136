import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { Gateways } from '../../../../src/plugins/payment/server/gateways.ts';
import { Ledger } from '../../../../src/plugins/payment/server/ledger.ts';
import { Reconciliations } from '../../../../src/plugins/payment/server/reconciliations.ts';
import { Settlement } from '../../../../src/plugins/payment/server/settlement.ts';
import { SubmissionPay } from '../../../../src/plugins/task/server/submission-pay.ts';
import { noWebhooks } from '../../../support/no-webhooks.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const path = '/api/things-task/reconciliation';
type Headers = Record<string, string>;

let office: TaskOffice;
let gateway: ScriptedGateway;
let ann: Headers;
let eve: Headers;
let checker: Headers;

beforeAll(async () => {
  gateway = new ScriptedGateway();
  // The server also compares days by itself, which must not happen before the tests do.
  office = await openTaskOffice({ timeScale: 2, plugins: ['dashboard', paymentWith({ gateway }), 'transfers'] });
  ann = (await office.createMember('ann')).headers;
  eve = (await office.createAuditor('eve')).headers;
  await office.server.createUser({ account: 'checker', codes: ['reconciliation', 'reconciliation_compare', 'reconciliation_handle', 'reconciliation_export'] });
  checker = await office.server.signIn('checker');
  await office.post('/api/things-task/ledger/submit', { advertiserId: office.requiredIds.advertiserId, amount: 1_000_000 });
});
afterAll(() => office.server.stop());

const sql = (statement: string) => office.server.sql(statement);
const dayBefore = async (days: number) => String((await sql(`select (current_date - ${days})::text as day`))[0]?.day);

/** Creates bills of work that was paid so many days ago. */
async function paidBefore(days: number, count: number): Promise<string[]> {
  const taskId = await office.publishTask({ quantity: 100, perUserLimit: 0 });
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await office.submitProof(taskId, ann));
  await office.post(`${taskPath}/doAudit`, { ids, status: 1 }, eve);
  await sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet' where id in (${ids.join(',')})`);
  const { data } = await office.post('/api/things-task/weixinpay', { ids });
  const bills = data.payouts.map(({ payNo }: { payNo: string }) => payNo) as string[];
  const named = bills.map((payNo) => `'${payNo}'`).join(',');
  await expect
    .poll(
      async () => {
        await sql('update payout set next_try = now() where state = 1');
        return (await sql(`select 1 from payout where pay_no in (${named}) and state = 2`)).length;
      },
      { timeout: 20_000, interval: 200 },
    )
    .toBe(count);
  await sql(
    `update payout set paid_time = paid_time - interval '${days} days', create_time = create_time - interval '${days} days' where pay_no in (${named})`,
  );
  return bills;
}
const line = (payNo: string, amount = 500) => ({ payNo, amount });
const compare = async (day: string) => (await office.post(`${path}/compare`, { day }, checker)).data;
const differences = async (day: string) => (await office.get(`${path}/difference/list`, { day_equal: day, size: '50' }, checker)).data.records;

test('a day agrees where both say the same, and waits where the provider has no bill yet', async () => {
  const day = await dayBefore(20);
  const bills = await paidBefore(20, 2);
  expect(await compare(day)).toMatchObject({ day, state: 0, note: 'STATEMENT_CREATING the bill is being made' });
  gateway.books.set(
    day,
    bills.map((payNo) => line(payNo)),
  );
  expect(await compare(day)).toMatchObject({
    state: 1,
    ourCount: 2,
    ourAmount: 1000,
    theirCount: 2,
    theirAmount: 1000,
    differences: 0,
    open: 0,
    note: null,
  });
  expect(await office.post(`${path}/compare`, { day: await dayBefore(-1) }, checker)).toMatchObject({ status: 400, msg: '只能核对今天及以前的账单' });
});

test('each kind of difference is found, with what either side says', async () => {
  const day = await dayBefore(21);
  const [good, missing, wrong, returned, twice] = (await paidBefore(21, 5)) as [string, string, string, string, string];
  gateway.books.set(day, [
    line(good),
    line(wrong, 400),
    line(returned),
    line(returned, -500),
    line(twice),
    line(twice),
    { payNo: 'BY-HAND-1', providerNo: 'W1', amount: 900 },
  ]);
  expect(await compare(day)).toMatchObject({ state: 2, differences: 5, open: 5 });
  const found = Object.fromEntries((await differences(day)).map((row: { payNo: string }) => [row.payNo, row]));
  expect(found[missing]).toMatchObject({ kind: 1, ourAmount: 500, theirAmount: null, ourState: 2 });
  expect(found['BY-HAND-1']).toMatchObject({ kind: 2, ourAmount: null, theirAmount: 900, providerNo: 'W1' });
  expect(found[wrong]).toMatchObject({ kind: 3, ourAmount: 500, theirAmount: 400 });
  expect(found[twice]).toMatchObject({ kind: 3, ourAmount: 500, theirAmount: 1000 });
  expect(found[returned]).toMatchObject({ kind: 4, ourState: 2, theirAmount: 0 });
  expect(found[good]).toBeUndefined();
  const { alerts } = (await office.get('/api/blade-desk/dashboard/figures', {}, checker)).data;
  const [{ title, rows }] = alerts.filter(({ id }: { id: string }) => id === 'differences');
  const listed = (await office.get(rows.list, { state_equal: String(rows.filters.state) }, checker)).data;
  expect(title[0]).toBe(`${listed.total} 天有对账差异待处理，共 5 笔`);
});

test('payments still unknown here are queried before the comparison', async () => {
  const day = await dayBefore(22);
  gateway.outcome = 'processing';
  const id = await office.submitProof(await office.publishTask({ perUserLimit: 0 }), ann);
  await office.post(`${taskPath}/doAudit`, { id, status: 1 }, eve);
  await sql(`update task_submission set audit_time = now() - interval '61 seconds', openid = 'wallet' where id = ${id}`);
  const { payNo } = (await office.post('/api/things-task/weixinpay', { id })).data;
  await expect.poll(() => gateway.bills.get(payNo), { timeout: 10_000 }).toBeTruthy();
  gateway.outcome = 'paid';
  gateway.bills.set(payNo, { payNo, outcome: 'paid', state: 'SUCCESS', amount: 500, paidOut: 500 });
  gateway.books.set(day, [line(payNo)]);
  expect(await compare(day)).toMatchObject({ state: 1, theirCount: 1, differences: 0 });
  expect(await sql(`select state from payout where pay_no = '${payNo}'`)).toEqual([{ state: 2 }]);
});

test('a difference is resolved by querying the provider, by a later bill, or closed by a user with a reason', async () => {
  const [day, next] = [await dayBefore(24), await dayBefore(23)];
  const [asked, late, lost] = (await paidBefore(24, 3)) as [string, string, string];
  gateway.books.set(day, [{ payNo: 'BY-HAND-2', amount: 100 }]);
  gateway.books.set(next, [line(late)]);
  const { id } = await compare(day);
  const byBill = async () => Object.fromEntries((await differences(day)).map((row: { payNo: string }) => [row.payNo, row]));
  const first = await byBill();
  expect(await office.post(`${path}/difference/query`, { id: first[asked].id }, checker)).toMatchObject({ data: { state: 1, answer: 'SUCCESS' } });
  expect(await office.post(`${path}/difference/query`, { id: first['BY-HAND-2'].id }, checker)).toMatchObject({ status: 409 });
  gateway.bills.delete(lost);
  expect(await office.post(`${path}/difference/query`, { id: first[lost].id }, checker)).toMatchObject({ data: { state: 0, answer: 'NOT_FOUND' } });
  await compare(next);
  expect((await byBill())[late]).toMatchObject({ state: 1 });
  expect((await office.post(`${path}/difference/close`, { id: first[lost].id }, checker)).status).toBe(400);
  for (const payNo of [lost, 'BY-HAND-2'])
    expect((await office.post(`${path}/difference/close`, { id: first[payNo].id, remark: '已向渠道核实' }, checker)).code).toBe(200);
  expect(await office.post(`${path}/difference/close`, { id: first[lost].id, remark: '再次' }, checker)).toMatchObject({ status: 409, msg: '该差异已处理' });
  expect((await byBill())[lost]).toMatchObject({ state: 2, remark: '已向渠道核实', handlerName: 'checker' });
  const { data } = await office.get(`${path}/list`, { ids: id }, checker);
  expect(data.records[0]).toMatchObject({ state: 3, open: 0, differences: 4 });
  expect(await compare(day)).toMatchObject({ state: 3, open: 0, differences: 4 });
});

test('every day is compared automatically once it is over, and its lists can be exported', async () => {
  const [day] = [await dayBefore(3)];
  const [payNo] = (await paidBefore(3, 1)) as [string];
  gateway.books.set(day, [line(payNo, 1)]);
  for (let days = 1; days <= 7; days += 1) if (days !== 3) gateway.books.set(await dayBefore(days), []);
  // The server may have asked for some of the days before they had statements.
  await office.server.sql('update payment_reconciliation set next_try = now() where state = 0');
  const { db } = office.server;
  const settlement = new Settlement(db, new Ledger(db), new SubmissionPay(db), noWebhooks);
  const gateways = new Gateways({ db, applyFilters: async (_, value) => value }, gateway);
  // The server's own round may have looked before there were statements.
  await office.server.sql('update payment_reconciliation set next_try = now() where state = 0');
  const rounds = [1, 2].map(() => new Reconciliations(db, settlement, gateways));
  for (let turn = 0; turn < 2; turn += 1) await Promise.all(rounds.map((one) => one.runOnce()));
  const { data } = await office.get(`${path}/list`, { day_equal: day }, checker);
  expect(data.records).toMatchObject([{ day, state: 2, open: 1 }]);
  const others = await office.get(`${path}/list`, { day_equal: await dayBefore(2) }, checker);
  expect(others.data.records).toMatchObject([{ state: 1, theirCount: 0 }]);
  const sheet = await office.post(`${path}/difference/export`, { format: 'csv', query: { day_equal: day } }, checker);
  expect(sheet.data.total).toBe(1);
});

test('a day that was compared before its end is not finished, whatever is queried meanwhile, until its whole statement is compared', async () => {
  const today = await dayBefore(0);
  const day = await dayBefore(10);
  const [payNo, told] = (await paidBefore(0, 2)) as [string, string];
  gateway.books.set(today, [line(told)]);
  const early = await compare(today);
  expect(early).toMatchObject({ state: 0, comparedTime: expect.any(String) });
  expect(early.open).toBeGreaterThan(0);
  const { alerts } = (await office.get('/api/blade-desk/dashboard/figures', {}, checker)).data;
  const mismatched = (await office.get(`${path}/list`, { state_equal: '2' }, checker)).data.total;
  expect(alerts.find(({ id }: { id: string }) => id === 'differences').title[0]).toContain(`${mismatched} 天`);

  // Ten days pass, in which the provider has no statement.
  await sql(`update payment_reconciliation set day = day - 10, compared_time = compared_time - interval '10 days' where day = '${today}'`);
  await sql(`update payment_difference set day = day - 10 where day = '${today}'`);
  await sql(`update payout set paid_time = paid_time - interval '10 days', create_time = create_time - interval '10 days' where pay_no = '${payNo}'`);
  const reconciliations = new Reconciliations(
    office.server.db,
    new Settlement(office.server.db, new Ledger(office.server.db), new SubmissionPay(office.server.db), noWebhooks),
    new Gateways({ db: office.server.db, applyFilters: async (_, value) => value }, gateway),
  );
  const row = async () => (await office.get(`${path}/list`, { day_equal: day }, checker)).data.records[0];
  await reconciliations.runOnce();
  const difference = (await differences(day)).find((one: { payNo: string }) => one.payNo === payNo);
  expect((await office.post(`${path}/difference/query`, { id: difference.id }, checker)).data).toMatchObject({ state: 1, answer: 'SUCCESS' });
  expect(await row()).toMatchObject({ state: 0, comparedTime: expect.stringContaining(day) });
  const checks = async () => (await office.get('/api/things-task/ledger/month/checks', { month: day.slice(0, 7) })).data.uncomparedDays;
  expect(await checks()).toContain(day);
  gateway.books.set(day, [line(payNo)]);
  await sql(`update payment_reconciliation set next_try = null where day = '${day}'`);
  await reconciliations.runOnce();
  await expect.poll(async () => (await row()).state, { timeout: 10_000 }).toBe(1);
  expect(await checks()).not.toContain(day);
});

test('another tenant sees none of it, and a bill of another tenant’s is not compared with ours', async () => {
  await office.server.createTenant('guests');
  const codes = ['reconciliation', 'reconciliation_compare', 'reconciliation_handle'];
  await office.server.createUser({ account: 'guest', codes, roleAlias: 'admin', tenantId: 'guests' });
  const guest = await office.server.signIn('guest', 'guests');
  const day = await dayBefore(20);
  expect((await office.get(`${path}/list`, {}, guest)).data.total).toBe(0);
  expect(await office.post(`${path}/compare`, { day }, guest)).toMatchObject({ data: { state: 1, theirCount: 0, differences: 0 } });
  const [row] = await sql('select id::text as id from payment_difference where state = 0 limit 1');
  expect((await office.post(`${path}/difference/close`, { id: row?.id, remark: 'x' }, guest)).status).toBe(404);
});

test('an empty statement is not believed for three days while the books have paid payouts of its day', async () => {
  const [day, old] = [await dayBefore(1), await dayBefore(9)];
  const [payNo] = (await paidBefore(1, 1)) as [string];
  const [lost] = (await paidBefore(9, 1)) as [string];
  gateway.books.set(day, []);
  // From ten o'clock on, the server may have compared the day before its payout was there.
  await sql(`delete from payment_reconciliation where day = '${day}'`);
  expect(await compare(day)).toMatchObject({ state: 0, note: expect.stringMatching(/^渠道账单为空.*statement is empty/) });
  // A day that was compared before keeps its result, and says that its new statement is not believed.
  gateway.books.set(await dayBefore(3), []);
  expect(await compare(await dayBefore(3))).toMatchObject({ state: 2, open: 1, note: expect.stringMatching(/^渠道账单为空/) });
  gateway.books.set(day, [line(payNo)]);
  expect(await compare(day)).toMatchObject({ state: 1, differences: 0, note: null });
  // After that the payout is a difference, which a user resolves.
  gateway.books.set(old, []);
  expect(await compare(old)).toMatchObject({ state: 2, open: 1 });
  expect((await differences(old)).map((row: { payNo: string; kind: number }) => [row.payNo, row.kind])).toEqual([[lost, 1]]);
});
