import { afterAll, beforeAll, describe, test } from '@rstest/core';
import type pg from 'pg';
import { UserAccount } from '#plugins/organization/contract';
import { repositoryOf } from '../../src/server/data/index.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { type ComparedList, type ComparedTable, compareList } from './compared-lists.ts';
import { plainClient } from './million-params.ts';

const rowCount = Number(process.env.BENCH_USER_ROWS ?? 1_000_000);
const scope = { tenantId: '000000' };

const lists: readonly ComparedList[] = [
  { what: 'users, first page', input: {} },
  { what: 'users by account, descending', input: { descs: 'account' }, order: 'account desc, id desc' },
  { what: 'users whose name contains “明”, one in ten', input: { realName: '明' }, where: 'and real_name like $1', values: ['%明%'] },
  { what: 'users whose account contains “12”, one in twenty', input: { account: '12' }, where: 'and account like $1', values: ['%12%'] },
  { what: 'users whose phone contains “00500000”, one of all', input: { phone: '00500000' }, where: 'and phone like $1', values: ['%00500000%'], runs: 6 },
  { what: 'users whose phone is “13800500000”', input: { phone_equal: '13800500000' }, where: 'and phone = $1', values: ['13800500000'] },
];

describe.skipIf(serverUrl === undefined)('a list of a million users', () => {
  let server: TestServer;
  let driver: pg.Client;
  let table: ComparedTable;
  let close = async () => {};

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    const { db, url, drop } = await openTestDatabase();
    server = await openTestServer({ plugins: ['organization'], db });
    driver = await plainClient(url as string);
    await driver.query(`
      insert into user_account (tenant_id, account, password_hash, name, real_name, phone, create_time)
      select '000000', 'user' || lpad(n::text, 7, '0'), 'x', 'n' || n, case n % 10 when 0 then '张明' else '李华' end || n, (13800000000 + n)::text,
        timestamptz '2024-01-01 00:00:00+08' + make_interval(secs => n * 30.0)
      from generate_series(1, ${rowCount}) n`);
    await driver.query('vacuum analyze user_account');
    const users = repositoryOf(db, UserAccount);
    table = {
      section: 'Users on PostgreSQL',
      entity: UserAccount,
      driver,
      size: `${rowCount.toLocaleString('en')} users`,
      page: (input) => db.read(scope, () => users.page(input)),
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
