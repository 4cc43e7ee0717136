import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { plugins as deployed } from '#deployment/server';
import { type InboxEntry, inbox } from '#plugins/inbox/contract';
import {
  advertiserFunds,
  defaultLimits,
  ledger,
  type PaymentRunRow,
  paymentLimits,
  paymentRun,
  payout,
  type ReceiptRow,
  receipt,
  runStates,
  statements,
} from '#plugins/payment/contract';
import { defineServerPlugin, type ServerContext } from '#server';
import { AdvertiserFunds } from '../../../../src/plugins/payment/server/funds.ts';
import { FundsNotices } from '../../../../src/plugins/payment/server/funds-notices.ts';
import type { Database } from '../../../../src/server/data/index.ts';
import { kernelMigrations } from '../../../../src/server/host/kernel-migrations.ts';
import { paymentWith, ScriptedGateway } from '../../../support/scripted-gateway.ts';
import { openTestDatabase } from '../../../support/test-database.ts';
import { openTestServer, type TestServer, testServer } from '../../../support/test-server.ts';

/** First migrations of the reservation of money; earlier ones were released without it. */
const reservations: Readonly<Record<string, string>> = { payment: '0008', task: '0004' };
const base = ['settings', 'dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task', 'payment'];
const released = base.map((id) => {
  const { plugin, migrations } = deployed.find((entry) => entry.plugin.id === id) as (typeof deployed)[number];
  const isReleased = ([name]: [string, string]) => name < (reservations[id] ?? '9');
  return { plugin, migrations: Object.fromEntries(Object.entries(migrations).filter(isReleased)) };
});

let context: ServerContext;
const probe = defineServerPlugin({
  id: 'probe',
  title: ['探针', 'Probe'],
  dependencies: ['payment'],
  setup(given) {
    context = given;
    return {};
  },
});

const [bakery, florist] = ['1001', '1002'];
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let server: TestServer;
let headers: Record<string, string>;

/** Data of the release before: receipts, a refund, tasks, proof in every state, and payouts that are paid, failed, and wait for approval. */
async function fillReleased(db: Database): Promise<void> {
  const run = (statement: string) => db.asPlatform('fills a database of an earlier release', () => db.sql.execute(sql.raw(statement)));
  const move = (kind: number, from: number, to: number, amount: number, payNo?: string, advertiser = bakery) =>
    run(`select move_money(${kind}, ${from}, ${to}, ${advertiser}, ${amount}, ${payNo ? `'${payNo}'` : 'null'}, null, null)`);
  await run(`insert into param (param_name, param_key, param_value) values ('单笔', 'payment.singleLimit', '0'), ('复核', 'payment.approvalAbove', '500000')`);
  const columns =
    'id, tenant_id, title, platform_id, category_id, grade_id, unit_price, quantity, claimed, submitted, passed, advertiser_id, requirement, draft, status';
  await run(`insert into advertiser (id, tenant_id, name, contact_name, contact_phone)
    values (${bakery}, '000000', '面包店', '王', '13800000001'), (${florist}, '000000', '花店', '李', '13800000002')`);
  await run(`insert into task (${columns}) values
    (1, '000000', '拍面包', 1, 1, 1, 500, 10, 7, 6, 5, ${bakery}, '要', 0, 2), (2, '000000', '拍花', 1, 1, 1, 1000, 5, 0, 0, 0, ${florist}, '要', 0, 2)`);
  await move(1, 2, 1, 10_000);
  await move(2, 1, 2, 1000);
  await move(1, 2, 1, 2000, undefined, florist);
  // Claimed; submitted; approved; paid; failed; two wait for approval.
  const [claimed, submitted, approved] = [3, 0, 1];
  for (const [id, audit, pay] of [
    [11, claimed, 0],
    [12, submitted, 0],
    [13, approved, 0],
    [14, approved, 2],
    [15, approved, 3],
    [16, approved, 1],
    [17, approved, 1],
  ])
    await run(`insert into task_submission (id, tenant_id, task_id, task_title, user_id, nick_name, openid, deadline, amount, audit_status, pay_status, pay_no)
      values (${id}, '000000', 1, '拍面包', 50, '小王', 'wallet', now(), 500, ${audit}, ${pay}, ${Number(id) > 13 ? `'P${id}'` : 'null'})`);
  for (const [id, batch, state] of [
    [14, 'B1', 2],
    [15, 'B1', 3],
    [16, 'B2', 0],
    [17, 'B2', 0],
  ] as const) {
    await run(`insert into payout (tenant_id, pay_no, batch_no, submission_id, task_id, task_title, advertiser_id, user_id, nick_name, openid, amount, state, paid_time, requester_name)
      values ('000000', 'P${id}', '${batch}', ${id}, 1, '拍面包', ${bakery}, 50, '小王', 'wallet', 500, ${state}, ${state === 2 ? 'now()' : 'null'}, '出纳')`);
    await move(3, 1, 3, 500, `P${id}`);
    if (state === 2) await move(4, 3, 4, 500, `P${id}`);
    if (state === 3) await move(5, 3, 1, 500, `P${id}`);
  }
}

beforeAll(async () => {
  database = await openTestDatabase({ kernelMigrations, installed: released });
  await fillReleased(database.db);
  const gateway = new ScriptedGateway();
  gateway.outcome = 'processing';
  server = await openTestServer({ db: database.db, timeScale: 0.1, plugins: ['inbox', ...base.slice(0, -1), paymentWith({ gateway }), probe] });
  await server.createUser({
    account: 'cashier',
    codes: ['ledger', 'receipt', 'receipt_add', 'payment_limit', 'payout', 'payout_approve', 'payment_run', 'payment_run_view', 'advertiser'],
  });
  headers = await server.signIn('cashier');
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const get = async (path: string, query: Record<string, string> = {}) => (await server.get(path, { headers, query })).data;

test('an upgrade keeps the balances, adds them up by advertiser, and reserves the money of published tasks and open work', async () => {
  expect(await get(ledger.check.path)).toEqual([]);
  // 10,000 received, 1,000 refunded, 500 paid, 1,000 waiting; three free places and two open claims; one approved, one failed.
  expect(await get(advertiserFunds.path, { advertiserId: bakery })).toMatchObject({
    balance: 7500,
    reserved: 3 * 500 + 2 * 500,
    owed: 2 * 500,
    inTransit: 2 * 500,
    paid: 500,
    available: 4000,
    isLow: false,
  });
  expect(await get(advertiserFunds.path, { advertiserId: florist })).toMatchObject({ balance: 2000, reserved: 5000, owed: 0, available: -3000, isLow: true });
});

test('receipts and refunds before an upgrade have records, and parameters of payments became limits', async () => {
  const { records } = await get(receipt.list.path, { size: '10' });
  expect(records.map(({ kind, amount, state }: ReceiptRow) => [kind, amount, state]).sort()).toEqual([
    [1, 10_000, 1],
    [1, 2000, 1],
    [2, -1000, 1],
  ]);
  expect(await get(paymentLimits.read.path)).toMatchObject({ ...defaultLimits, perPayment: null, approvalAbove: 500_000 });
  expect(await server.sql("select param_key from param where param_key like 'payment.%' and is_deleted = 0")).toEqual([]);
});

test('statements contain the business before an upgrade', async () => {
  const month = String((await server.sql(`select to_char(now(), 'YYYY-MM') as month`))[0]?.month);
  const [statement] = await get(statements.path, { month, advertiserId: bakery });
  expect(statement).toMatchObject({ opening: 0, received: 10_000, refunded: 1000, paid: 1500, closing: 7500 });
  expect(statement.lines.at(-1).balance).toBe(7500);
});

test('payouts before an upgrade are runs, which are approved as a whole', async () => {
  const { records } = await get(paymentRun.list.path, { size: '10' });
  const run = (runNo: string) => records.find((one: PaymentRunRow) => one.runNo === runNo);
  expect(run('B1')).toMatchObject({ state: runStates.failed, payouts: 2, paid: 1, failed: 1, amount: 1000, paidAmount: 500, people: 1, advertisers: 1 });
  expect(run('B2')).toMatchObject({ state: runStates.awaiting, payouts: 2, awaiting: 2, amount: 1000, requesterName: '出纳' });
  const expected = { count: 2, amount: 1000 };
  expect((await server.post(paymentRun.approve.path, { id: run('B2').id, expected }, { headers })).data).toEqual({ count: 2 });
  expect((await get(payout.list.path, { batchNo_equal: 'B2' })).records.map(({ state }: { state: number }) => state)).toEqual([1, 1]);
  expect(await get(ledger.check.path)).toEqual([]);
});

test('advertisers whose published tasks cost more than they have are reported after an upgrade', async () => {
  await new FundsNotices(context, new AdvertiserFunds(context.db)).runOnce();
  const { entries } = await get(inbox.list.path, { kind: 'message' });
  expect(entries.map(({ title }: InboxEntry) => title)).toEqual(['「花店」可用资金不足']);
});

test('an upgrade from a version without receipts gives the roles with the ledger their page, but no permission to approve them', async () => {
  const { plugin, migrations } = paymentWith({ gateway: new ScriptedGateway() });
  const menus = (plugin.menus ?? []).flatMap((menu) => {
    if (menu.code === 'receipt') return [];
    return [menu.code === 'ledger' ? { ...menu, buttons: ['add' as const, ...(menu.buttons ?? [])] } : menu];
  });
  const others = base.slice(0, -1);
  const earlier = await openTestServer({ plugins: [...others, { plugin: { ...plugin, menus }, migrations }] });
  try {
    await earlier.createUser({ account: 'bookkeeper', codes: ['ledger', 'ledger_add', 'ledger_view', 'ledger_export', 'ledger_close', 'payout_approve'] });
    const later = await testServer({ plugins: [...others, { plugin, migrations }], db: earlier.db });
    const bookkeeper = await later.signIn('bookkeeper');
    const codesOf = (items: readonly { code: string; children?: [] }[]): string[] => items.flatMap(({ code, children = [] }) => [code, ...codesOf(children)]);
    const codes = codesOf((await later.get('/api/blade-system/menu/buttons', { headers: bookkeeper })).data);
    expect(codes.filter((code) => code.startsWith('receipt')).sort()).toEqual(['receipt', 'receipt_add', 'receipt_export', 'receipt_view']);
    expect((await later.get(receipt.list.path, { headers: bookkeeper })).status).toBe(200);
    for (const { path } of [receipt.approve, receipt.reject]) expect((await later.post(path, { id: '1' }, { headers: bookkeeper })).status).toBe(403);
  } finally {
    await earlier.stop();
  }
}, 90_000);
