import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import type pg from 'pg';
import { PaymentRun, Payout } from '#plugins/payment/contract';
import { Submission } from '#plugins/task/contract';
import { AdvertiserFunds } from '../../src/plugins/payment/server/funds.ts';
import { payableSubmissions } from '../../src/plugins/payment/server/payment-routes.ts';
import { visibleRuns } from '../../src/plugins/payment/server/runs.ts';
import { readStatements } from '../../src/plugins/payment/server/statements.ts';
import { repositoryOf } from '../../src/server/data/index.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { type ComparedList, type ComparedTable, compareList } from './compared-lists.ts';
import { plainClient } from './million-params.ts';
import { inTurn, median, milliseconds, report, times } from './report.ts';

const payoutCount = Number(process.env.BENCH_PAYOUT_ROWS ?? 10_000_000);
const payeeCount = Math.max(1000, payoutCount / 10);
const advertiserCount = 1000;
const perRun = 100;
const owedCount = payeeCount / 10;
const scope = { tenantId: '000000' };
const section = 'Payments on PostgreSQL';
const plugins = ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task', 'payment'];
const maxTimes = 1.3;
const advertiserId = '1000000007';
/** Payouts are spread evenly over this time. */
const [begin, end] = ['2024-01-01 00:00:00+08', '2026-01-01 00:00:00+08'];
const at = `timestamptz '${begin}' + (timestamptz '${end}' - timestamptz '${begin}') * (n::float8 / ${payoutCount})`;

const payoutLists: readonly ComparedList[] = [
  { what: 'payouts, first page', input: {} },
  { what: 'payouts, page 1000', input: { current: 1000 }, offset: 9990, runs: 100 },
  { what: 'payouts of one advertiser of a thousand', input: { advertiserId_equal: advertiserId }, where: 'and advertiser_id = $1', values: [advertiserId] },
  { what: 'payouts of one payee of a million', input: { userId_equal: '77' }, where: 'and user_id = $1', values: ['77'] },
  { what: 'payouts that failed, one in a hundred', input: { state_equal: '3' }, where: 'and state = $1', values: ['3'] },
  { what: 'payouts that wait for approval, none', input: { state_equal: '0' }, where: 'and state = $1', values: ['0'] },
  { what: 'payouts, the latest paid first', input: { descs: 'paidTime' }, order: 'paid_time desc, id desc' },
  { what: 'payouts of one run', input: { batchNo_equal: 'B500' }, where: 'and batch_no = $1', values: ['B500'] },
];

const runLists: readonly ComparedList[] = [
  { what: 'payment runs, first page', input: {} },
  { what: 'payment runs with failures', input: { state_equal: '3' }, where: 'and state = $1', values: ['3'] },
];

const owedWhere = 'and audit_status = 1 and pay_status in (0, 3) and audit_time <= now() - make_interval(secs => 60)';
const owedLists: readonly ComparedList[] = [
  { what: 'pending payments, oldest approval first', input: {}, order: 'audit_time, id', where: owedWhere },
  {
    what: 'pending payments of one advertiser',
    input: { advertiserId_equal: advertiserId },
    order: 'audit_time, id',
    where: `${owedWhere} and advertiser_id = $1`,
    values: [advertiserId],
  },
];

/** Sums of one advertiser as they would be written by hand. */
const bareFunds = `
  select a.balance, a.credit_limit,
    (select sum(unit_price::bigint * (quantity - claimed)) from task where tenant_id = '000000' and advertiser_id = a.id and status = 2 and is_deleted = 0),
    (select sum(amount) from task_submission where tenant_id = '000000' and advertiser_id = a.id and is_deleted = 0 and audit_status in (0, 1, 3) and pay_status in (0, 3)),
    (select sum(balance) from ledger_account where tenant_id = '000000' and account = 3 and advertiser_id = a.id),
    (select sum(balance) from ledger_account where tenant_id = '000000' and account = 4 and advertiser_id = a.id)
  from advertiser a where a.tenant_id = '000000' and a.id = $1`;

/**
 * The statement of one advertiser and month as it would be written by hand. It answers what the reading answers, the name and the opening balance too, so that neither
 * side reads less than the other.
 */
const bareStatement = `
  select a.id, a.name, coalesce(o.balance_after, 0) as opening, l.*
  from advertiser a left join lateral (
    select balance_after from ledger_posting where tenant_id = '000000' and account = 1 and advertiser_id = a.id and create_time < $2::date
    order by create_time desc, id desc limit 1) o on true
  left join lateral (
    select to_char(p.create_time, 'YYYY-MM-DD') as day, p.kind, w.task_title, case when p.pay_no is null then p.remark end, count(*), sum(p.amount), max(p.id) as last
    from ledger_posting p left join payout w on w.pay_no = p.pay_no
    where p.tenant_id = '000000' and p.account = 1 and p.advertiser_id = a.id and p.create_time >= $2::date and p.create_time < $2::date + interval '1 month'
    group by 1, 2, 3, 4, case when p.pay_no is null then p.id end) l on true
  where a.tenant_id = '000000' and a.id = $1 and a.is_deleted <> 1 order by l.day, l.last`;

/** The latest balance before a date, against which the statements are checked. */
const bareBalance = `
  select balance_after from ledger_posting where tenant_id = '000000' and account = 1 and advertiser_id = $1 and create_time < $2::date
  order by create_time desc, id desc limit 1`;

describe.skipIf(serverUrl === undefined)('payments of a million payees', () => {
  let server: TestServer;
  let driver: pg.Client;
  let payouts: ComparedTable;
  let runs: ComparedTable;
  let owed: ComparedTable;
  let close = async () => {};

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    const { db, url, drop } = await openTestDatabase();
    // The work of the server, which would read all advertisers every two minutes, rests.
    server = await openTestServer({ plugins, db, timeScale: 0.1 });
    driver = await plainClient(url as string);
    await fill(driver);
    const size = `${payoutCount.toLocaleString('en')} payouts to ${payeeCount.toLocaleString('en')} payees, ${owedCount.toLocaleString('en')} pending`;
    const [payoutRows, runRows] = [repositoryOf(db, Payout), visibleRuns(db)];
    payouts = { section, entity: Payout, driver, size, page: (input) => db.read(scope, () => payoutRows.page(input)) };
    runs = { section, entity: PaymentRun, driver, size, page: (input) => db.read(scope, () => runRows.page(input)) };
    const listOwed = payableSubmissions(db);
    owed = { section, entity: Submission, driver, size, page: (input) => db.read(scope, () => listOwed(input)) };
    close = async () => {
      await server.stop();
      await driver.end();
      await drop();
    };
  });
  afterAll(() => close());

  for (const list of payoutLists) test(list.what, () => compareList(payouts, list));
  for (const list of runLists) test(list.what, () => compareList(runs, list));
  for (const list of owedLists) test(list.what, () => compareList(owed, list));

  /** Measures a reading beside the statement that is its greatest part. */
  async function compare(what: string, read: () => Promise<unknown>, text: string, values: readonly string[], rounds = 200): Promise<void> {
    const [ours, alone] = (
      await inTurn(
        rounds,
        () => server.db.read(scope, read),
        () => driver.query({ text, values: [...values] }),
      )
    ).map(median) as [number, number];
    const ratio = ours / alone;
    const figure = `${times(ratio)} the bare statement (${milliseconds(ours)} to ${milliseconds(alone)})`;
    report({ section, what, figure, bound: `${maxTimes} ×`, isMet: ratio <= maxTimes, at: `${payouts.size}; ${rounds} runs` });
    expect(ratio).toBeLessThanOrEqual(maxTimes);
  }

  test('the statement of a month', async () => {
    const read = () => readStatements(server, { month: '2025-03', advertiserId });
    const [statement] = await server.db.read(scope, read);
    const { rows } = await driver.query(bareStatement, [advertiserId, '2025-03-01']);
    expect(statement?.lines).toHaveLength(rows.length);
    expect(statement?.closing).toBe((statement?.opening ?? 0) - (statement?.paid ?? 0));
    const [last] = (await driver.query(bareBalance, [advertiserId, '2025-04-01'])).rows;
    expect(statement?.closing).toBe(Number(last.balance_after));
    await compare('the statement of a month', read, bareStatement, [advertiserId, '2025-03-01'], 50);
  });

  test('the balance at a date', async () => {
    const read = () => readStatements(server, { month: '2026-03', advertiserId });
    const [statement] = await server.db.read(scope, read);
    const [last] = (await driver.query(bareBalance, [advertiserId, '2026-03-01'])).rows;
    expect(statement).toMatchObject({ opening: Number(last.balance_after), lines: [] });
    await compare('the balance at a date: the statement of a month without business', read, bareStatement, [advertiserId, '2026-03-01']);
  });

  test('the money of an advertiser', async () => {
    const funds = new AdvertiserFunds(server.db);
    const read = () => funds.detail(advertiserId);
    expect(await server.db.read(scope, read)).toMatchObject({ owed: (owedCount / advertiserCount) * 500 });
    await compare('the money of an advertiser', read, bareFunds, [advertiserId]);
  });
});

/** Fills the tables without their triggers, which would take most of the time, except for those that count rows; and the tables that the others keep, at once. */
async function fill(driver: pg.Client): Promise<void> {
  await driver.query("set maintenance_work_mem = '512MB'; set synchronous_commit = off");
  await driver.query(`
    insert into advertiser (id, tenant_id, name, contact_name, contact_phone) select 1000000000 + n, '000000', '客户' || n, '王', '13800000001' from generate_series(0, ${advertiserCount - 1}) n;
    alter table task disable trigger user;
    insert into task (id, tenant_id, title, platform_id, category_id, grade_id, unit_price, quantity, advertiser_id, requirement, status)
    select 1000000 + n, '000000', '短视频' || n, 1, 1, 1, 500, 100, 1000000000 + n % ${advertiserCount}, '要', 2 from generate_series(0, 9999) n;
    alter table task enable trigger user`);
  await filled(
    driver,
    'task_submission',
    `
    insert into task_submission (id, tenant_id, task_id, task_title, user_id, nick_name, deadline, amount, submit_time, create_time, audit_status, audit_time, pay_status, advertiser_id)
    select n, '000000', 1000000 + n % 10000, '短视频' || n % 10000, n, 'n' || n, now(), 500, made, made, 1, made + interval '1 hour', case when n < ${payeeCount - owedCount} then 2 else 0 end,
      1000000000 + n % ${advertiserCount}
    from (select n, timestamptz '${begin}' + make_interval(secs => n * 60.0) as made from generate_series(0, ${payeeCount - 1}) n) made`,
  );
  await filled(
    driver,
    'payout',
    `
    insert into payout (id, tenant_id, pay_no, batch_no, submission_id, task_id, task_title, advertiser_id, user_id, nick_name, openid, amount, state, create_time, paid_time, next_try, requester_name)
    select n, '000000', 'P' || n, 'B' || n / ${perRun}, n, 1000000 + n % 10000, '短视频' || n % 10000, 1000000000 + n % ${advertiserCount}, n * 7919 % ${payeeCount},
      'n' || n * 7919 % ${payeeCount}, 'o', 500, case when n % 100 = 50 then 3 else 2 end, ${at}, case when n % 100 <> 50 then ${at} + interval '1 minute' end, now() + interval '1 year', '财务'
    from generate_series(0::bigint, ${payoutCount - 1}) n`,
  );
  await filled(
    driver,
    'payment_run',
    `
    insert into payment_run (tenant_id, run_no, requester_name, create_time, payouts, people, advertisers, amount, awaiting, processing, paid, failed, refused, paid_amount, resolved)
    select '000000', 'B' || n / ${perRun}, '财务', ${at}, ${perRun}, ${perRun}, ${perRun}, ${500 * perRun}, 0, 0, ${perRun - 1}, 1, 0, ${500 * (perRun - 1)}, n / ${perRun} % 50 > 0
    from generate_series(0::bigint, ${payoutCount - 1}, ${perRun}) n`,
  );
  await filled(
    driver,
    'ledger_posting',
    `
    insert into ledger_posting (id, tenant_id, entry_id, kind, account, advertiser_id, amount, balance_after, pay_no, create_time)
    select n, '000000', n, 3, 1, 1000000000 + n % ${advertiserCount}, -500, 1000000000000 - 500 * (n / ${advertiserCount} + 1), 'P' || n, ${at}
    from generate_series(0::bigint, ${payoutCount - 1}) n`,
  );
  await driver.query(`
    insert into ledger_account (tenant_id, account, advertiser_id, balance)
    select '000000', account, 1000000000 + n, ${500 * (payoutCount / advertiserCount)} from generate_series(0, ${advertiserCount - 1}) n cross join unnest(array[1, 2, 3, 4]) account`);
  await driver.query('vacuum analyze');
  await driver.query('checkpoint');
}

/** Fills a table without its triggers, except for those that count rows, and builds its indexes afterwards. */
async function filled(driver: pg.Client, table: string, statement: string): Promise<void> {
  const { rows } = await driver.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  );
  for (const { name } of rows) await driver.query(`drop index ${name}`);
  await driver.query(`alter table ${table} disable trigger all`);
  await driver.query(`alter table ${table} enable trigger count_inserted`);
  await driver.query(statement);
  await driver.query(`alter table ${table} enable trigger all`);
  for (const { definition } of rows) await driver.query(definition);
}
