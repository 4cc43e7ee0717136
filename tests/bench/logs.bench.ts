import { afterAll, beforeAll, describe, test } from '@rstest/core';
import type pg from 'pg';
import { ApiLogLine } from '#shared/api-log';
import { repositoryOf } from '../../src/server/data/index.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { type ComparedList, type ComparedTable, compareList } from './compared-lists.ts';
import { plainClient } from './million-params.ts';

const rowCount = Number(process.env.BENCH_LOG_ROWS ?? 10_000_000);
const scope = { tenantId: '000000' };
const seconds = (150 * 86_400) / rowCount;

const from = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
const oneDay = [`${from} 00:00:00`, `${from} 23:59:59`] as const;
const within = { createTime_dategt: oneDay[0], createTime_datelt: oneDay[1] };

const lists: readonly ComparedList[] = [
  { what: 'calls, first page', input: {} },
  { what: 'calls by user, equal', input: { createBy_equal: 'user77' }, where: 'and create_by = $1', values: ['user77'], runs: 100 },
  {
    what: 'calls whose address contains “param/submit”, one in twenty',
    input: { requestUri: 'param/submit' },
    where: 'and request_uri like $1',
    values: ['%param/submit%'],
  },
  { what: 'calls that failed, one in a thousand', input: { statusCode_equal: '500' }, where: 'and status_code = $1', values: ['500'], runs: 40 },
  {
    what: 'calls of one day whose address contains “rare/call”, 3 rows',
    input: { ...within, requestUri: 'rare/call' },
    where: 'and create_time > $1 and create_time < $2 and request_uri like $3',
    values: [...oneDay, '%rare/call%'],
    runs: 10,
  },
  {
    what: 'calls of all months whose address contains “rare/call”, 500 rows',
    input: { requestUri: 'rare/call' },
    where: 'and request_uri like $1',
    values: ['%rare/call%'],
    runs: 4,
  },
];

describe.skipIf(serverUrl === undefined)('a list of ten million log lines', () => {
  let server: TestServer;
  let driver: pg.Client;
  let table: ComparedTable;
  let close = async () => {};

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    const { db, url, drop } = await openTestDatabase();
    server = await openTestServer({ db });
    driver = await plainClient(url as string);
    await driver.query(`do $$ begin for step in 1..6 loop
      execute format('create table api_log_%s partition of api_log for values from (%L) to (%L)',
        to_char(date_trunc('month', now()) - make_interval(months => step), 'YYYYMM'),
        (date_trunc('month', now()) - make_interval(months => step))::date, (date_trunc('month', now()) - make_interval(months => step - 1))::date);
    end loop; end $$`);
    await driver.query(`
      insert into api_log (tenant_id, title, service_id, server_host, server_ip, env, method, request_uri, user_agent, remote_ip,
        method_class, method_name, params, time, create_by, status_code, request_id, create_time)
      select '000000', 'x', 'marquee', 'h', '::1', 'bench', case n % 20 when 0 then 'POST' else 'GET' end,
        case when n % 20 = 0 then '/api/blade-system/param/submit' when n % 20000 = 1 then '/api/rare/call' else '/api/blade-system/param/list' end,
        'bench browser', '::1', 'settings', 'list', '{}', '3', 'user' || n % 1000, case n % 1000 when 3 then 500 else 200 end, n::text,
        date_trunc('second', now() - make_interval(secs => n * ${seconds}))
      from generate_series(1, ${rowCount}) n`);
    await driver.query('vacuum analyze api_log');
    const lines = repositoryOf(db, ApiLogLine, { noTotal: true });
    table = {
      section: 'Users and logs on PostgreSQL',
      entity: ApiLogLine,
      driver,
      size: `${rowCount.toLocaleString('en')} lines of the api log`,
      page: (input) => db.read(scope, () => lines.page(input)),
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
