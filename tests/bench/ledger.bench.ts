import { afterAll, beforeAll, describe, test } from '@rstest/core';
import type pg from 'pg';
import { LedgerPosting } from '#plugins/payment/contract';
import { repositoryOf } from '../../src/server/data/index.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { type ComparedList, type ComparedTable, compareList } from './compared-lists.ts';
import { plainClient } from './million-params.ts';

const rowCount = Number(process.env.BENCH_LEDGER_ROWS ?? 1_000_000);
const scope = { tenantId: '000000' };
const plugins = ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task', 'payment'];

const lists: readonly ComparedList[] = [
  { what: 'postings, first page', input: {} },
  { what: 'postings, oldest first', input: { ascs: 'createTime' }, order: 'create_time, id' },
  { what: 'postings of payouts, one in two', input: { kind_equal: '4' }, where: 'and kind = $1', values: ['4'] },
  { what: 'postings of one advertiser of a hundred', input: { advertiserId_equal: '1000000007' }, where: 'and advertiser_id = $1', values: ['1000000007'] },
  { what: 'postings of one bill', input: { payNo_equal: 'P500000' }, where: 'and pay_no = $1', values: ['P500000'] },
];

describe.skipIf(serverUrl === undefined)('a ledger of a million postings', () => {
  let server: TestServer;
  let driver: pg.Client;
  let table: ComparedTable;
  let close = async () => {};

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    const { db, url, drop } = await openTestDatabase();
    server = await openTestServer({ plugins, db });
    driver = await plainClient(url as string);
    // The aggregates are not measured here, and updating them would take most of the time.
    await driver.query(`
      insert into advertiser (id, tenant_id, name, contact_name, contact_phone)
        select 1000000000 + n, '000000', '客户' || n, '王', '13800000001' from generate_series(0, 99) n;
      alter table ledger_posting disable trigger add_up_ledger;
      alter table ledger_posting disable trigger balance_ledger;
      insert into ledger_posting (tenant_id, entry_id, kind, account, advertiser_id, amount, pay_no, create_time)
        select '000000', n / 2 + 1, case n / 2 % 2 when 0 then 4 else 3 end, case n / 2 % 2 when 0 then 3 + n % 2 else 1 + 2 * (n % 2) end,
          1000000000 + n / 4 % 100, case n % 2 when 0 then -500 else 500 end, 'P' || n / 4,
          timestamptz '2024-01-01 00:00:00+08' + make_interval(secs => n * 30.0)
        from generate_series(0, ${rowCount - 1}) n;
      alter table ledger_posting enable trigger add_up_ledger;
      alter table ledger_posting enable trigger balance_ledger`);
    await driver.query('vacuum analyze ledger_posting');
    const postings = repositoryOf(db, LedgerPosting);
    table = {
      section: 'The ledger on PostgreSQL',
      entity: LedgerPosting,
      driver,
      size: `${rowCount.toLocaleString('en')} postings`,
      page: (input) => db.read(scope, () => postings.page(input)),
    };
    close = async () => {
      await server.stop();
      await driver.end();
      await drop();
    };
  });
  afterAll(() => close());

  for (const list of lists) test(list.what, () => compareList(table, list));
});
