import { afterAll, beforeAll, describe, test } from '@rstest/core';
import type pg from 'pg';
import { plugins } from '#deployment/server';
import { searchRecords } from '#shared/record-uses';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { plainClient } from './million-params.ts';
import { inTurn, median, milliseconds, percentile, report, times } from './report.ts';

const rowCount = Number(process.env.BENCH_SEARCH_ROWS ?? 1_000_000);
const section = 'Search on PostgreSQL';
const at = `${rowCount.toLocaleString('en')} rows each of users, payouts and advertisers`;
const boundMs = 100;
const runs = 30;

const surnames = '赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏';
const given = '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂英华慧建文玲斌宇浩';
const character = (list: string, n: string) => `substr('${list}', (${n})::integer % 30 + 1, 1)`;
const nameOf = `${character(surnames, 'n')} || ${character(given, 'n / 30')} || ${character(given, 'n / 900')}`;

const searches: readonly (readonly [what: string, q: string])[] = [
  ['a person by name', '张伟芳'],
  ['a person by pinyin', 'zhangwei'],
  ['by initials, which very many rows share', 'zw'],
  ['by one letter', 'z'],
  ['a phone number', '13800500000'],
  ['the last four digits of phones', '0000'],
  ['a payment number', 'pay000000500000'],
  ['a part of a company name', '华明'],
  ['nothing found', 'qqqqqq'],
];

describe.skipIf(serverUrl === undefined)('a search of a million rows of each of three kinds', () => {
  let server: TestServer;
  let driver: pg.Client;
  let headers: Record<string, string>;
  let close = async () => {};

  beforeAll(async () => {
    const { db, url, drop } = await openTestDatabase();
    server = await openTestServer({ plugins: [...plugins], db });
    driver = await plainClient(url as string);
    await fill(driver);
    headers = await server.signIn();
    close = async () => {
      await server.stop();
      await driver.end();
      await drop();
    };
  }, 3_600_000);
  afterAll(() => close());

  const find = (q: string, as: Record<string, string>) => server.get(`${searchRecords.path}?q=${encodeURIComponent(q)}`, { headers: as });

  for (const [what, q] of searches)
    test(what, async () => {
      const [figures = []] = await inTurn(runs, () => find(q, headers));
      const [typical, worst] = [median(figures), percentile(figures, 95)];
      report({
        section,
        what: `${what}: “${q}”, of all sources`,
        figure: `${milliseconds(typical)}, p95 ${milliseconds(worst)}`,
        bound: `p95 ≤ ${boundMs} ms`,
        isMet: worst <= boundMs,
        at,
      });
    });

  test('a user who sees one row in a thousand', async () => {
    await server.createUser({ account: 'scoped', codes: ['user'], roleAlias: 'scoped' });
    await server.sql(`insert into data_scope (id, menu_id, scope_name, resource_code, scope_type, scope_value)
      select 1, id, 's', 's', 5, '{"field": "account", "is": "user0000001"}' from menu where code = 'user'`);
    await server.sql(`insert into role_scope (tenant_id, role_id, scope_category, scope_id) select '000000', id, 1, 1 from role where role_alias = 'scoped'`);
    const as = await server.signIn('scoped');
    const [figures = []] = await inTurn(runs, () => find('zw', as));
    const worst = percentile(figures, 95);
    report({
      section,
      what: 'by initials that very many rows share, a user who sees one of them',
      figure: `${milliseconds(median(figures))}, p95 ${milliseconds(worst)}`,
      bound: `p95 ≤ ${boundMs} ms`,
      isMet: worst <= boundMs,
      at,
    });
  });

  test('the cost of writing', async () => {
    let written = 0;
    const insert = () =>
      driver.query(
        `insert into user_account (tenant_id, account, password_hash, name, real_name, phone) values ('000000', $1, 'x', '张伟', '张伟芳', '13900000000')`,
        [`written${written++}`],
      );
    const touch = () => driver.query(`update user_account set update_time = now() where account = 'user0500000'`);
    const rename = () => driver.query(`update user_account set real_name = $1 where account = 'user0500000'`, [`张${written++}`]);
    const [inserted = [], touched = [], renamed = []] = await inTurn(runs, insert, touch, rename);
    await driver.query('alter table user_account disable trigger search_inserted, disable trigger search_updated');
    const [plainInserted = [], plainTouched = [], plainRenamed = []] = await inTurn(runs, insert, touch, rename);
    await driver.query('alter table user_account enable trigger search_inserted, enable trigger search_updated');
    for (const [what, kept, plain] of [
      ['adding a user', inserted, plainInserted],
      ['changing a field that is not searched', touched, plainTouched],
      ['renaming a user', renamed, plainRenamed],
    ] as const)
      report({
        section,
        what: `${what}, with and without terms`,
        figure: `${milliseconds(median(kept))} and ${milliseconds(median(plain))}, ${times(median(kept) / median(plain))}`,
        at,
      });
  });
});

/** Inserts the rows with their terms, in the order of the index, as the background work does it in small steps. */
async function fill(driver: pg.Client): Promise<void> {
  await driver.query('set session_replication_role = replica');
  await driver.query(`
    insert into user_account (tenant_id, account, password_hash, name, real_name, phone)
    select '000000', 'user' || lpad(n::text, 7, '0'), 'x', ${nameOf}, ${nameOf}, (13800000000 + n)::text from generate_series(1, ${rowCount}) n`);
  await driver.query(`
    insert into advertiser (tenant_id, name, contact_name, contact_phone)
    select '000000', ${nameOf} || '公司' || n, ${nameOf}, (13900000000 + n)::text from generate_series(1, ${rowCount}) n`);
  await driver.query(`
    insert into payout (tenant_id, pay_no, batch_no, submission_id, task_id, task_title, advertiser_id, user_id, nick_name, openid, amount, state, requester_name)
    select '000000', 'PAY' || lpad(n::text, 12, '0'), 'B' || n / 100, n, 1, '探店', 1, n, ${nameOf}, 'o' || n, 100, 2, '财务' from generate_series(1, ${rowCount}) n`);
  await driver.query('set session_replication_role = origin');
  await driver.query("update search_source set indexed_to = 0 where entity in ('user_account', 'payout', 'advertiser')");
  for (let hasMore = true; hasMore; ) hasMore = (await driver.query('select continue_search_terms(50000) as more')).rows[0].more;
  await driver.query('vacuum analyze');
}
