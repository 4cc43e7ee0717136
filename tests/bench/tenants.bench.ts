import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import type pg from 'pg';
import { Submission } from '#plugins/task/contract';
import { emptyTable } from '../../src/plugins/tenant/server/purge.ts';
import { repositoryOf } from '../../src/server/data/index.ts';
import type { ListInput, Page } from '../../src/shared/contract/contract.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer } from '../support/test-server.ts';
import { plainClient } from './million-params.ts';
import { inTurn, median, milliseconds, report, times } from './report.ts';

const tenantCount = Number(process.env.SCALE_TENANTS ?? 200);
const rowsEach = Number(process.env.SCALE_ROWS ?? 10_000);
const chunk = 10_000;
const maxTimes = 1.3;
const section = 'Many tenants on PostgreSQL';
const size = `${tenantCount} tenants × ${rowsEach.toLocaleString('en')} submissions`;
const tenantOf = (number: number) => `t${String(number).padStart(5, '0')}`;
const measured = tenantOf(Math.ceil(tenantCount / 2));

type Filled = Awaited<ReturnType<typeof fill>>;

/** Fills a database with the submissions of some tenants, whose rows lie among each other in chunks of 10,000. */
async function fill(tenants: readonly string[]) {
  const { db, url, drop } = await openTestDatabase();
  const server = await openTestServer({ plugins: ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task'], db });
  const driver = await plainClient(url as string);
  const { rows: indexes } = await driver.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(indexrelid) as definition from pg_index join pg_class c on c.oid = indexrelid
     where indrelid = 'task_submission'::regclass and not indisprimary`,
  );
  for (const { name } of indexes) await driver.query(`drop index ${name}`);
  for (const [index, tenant] of tenants.entries())
    await driver.query(
      `insert into task (id, tenant_id, title, platform_id, category_id, grade_id, unit_price, quantity, advertiser_id, requirement, status)
       select ${(index + 1) * 1000} + n, '${tenant}', '探店' || n, 1, 1, 1, 500, 1000, n, '要', 2 from generate_series(0, 99) n`,
    );
  for (let from = 1; from <= rowsEach; from += chunk)
    for (const [index, tenant] of tenants.entries())
      await driver.query(
        `insert into task_submission (tenant_id, task_id, task_title, user_id, nick_name, deadline, amount, link, submit_time, create_time, audit_status, audit_user, audit_time)
         select '${tenant}', ${(index + 1) * 1000} + n % 100, '探店' || n % 100, n % 1000, 'n' || n % 1000, at + interval '1 day', 500, 'https://video.example/' || n, at, at,
           case when n % 20 = 0 then 0 else 1 end, case when n % 20 > 0 then n % 40 end, case when n % 20 > 0 then at end
         from (select n, timestamptz '2025-01-01 00:00:00+08' + make_interval(secs => n * 10.0) as at
           from generate_series(${from}, ${Math.min(rowsEach, from + chunk - 1)}) n) made`,
      );
  for (const { definition } of indexes) await driver.query(definition);
  await driver.query('vacuum analyze');
  const submissions = repositoryOf(db, Submission);
  const page = (tenantId: string, input: ListInput): Promise<Page<{ id: string }>> => db.read({ tenantId }, () => submissions.page(input));
  const close = async () => {
    await server.stop();
    await driver.end();
    await drop();
  };
  return { db, url: url as string, driver, page, close };
}

const lists: readonly { readonly what: string; readonly input: ListInput; readonly runs?: number }[] = [
  { what: 'first page', input: {} },
  { what: 'pending, oldest first', input: { auditStatus_equal: '0', ascs: 'submit_time' } },
  { what: 'of one claimer', input: { userId_equal: '77' } },
  { what: 'a page in the middle', input: { current: Math.ceil(rowsEach / 20) }, runs: 100 },
  { what: 'the counter alone', input: { size: 0 } },
];

describe.skipIf(serverUrl === undefined)('a tenant among many', () => {
  let crowd: Filled;
  let alone: Filled;
  let bytes = '';

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    crowd = await fill(Array.from({ length: tenantCount }, (_, index) => tenantOf(index + 1)));
    alone = await fill([measured]);
    const { rows } = await crowd.driver.query<{ bytes: string }>(`select pg_size_pretty(pg_total_relation_size('task_submission')) as bytes`);
    bytes = rows[0]?.bytes ?? '';
  });
  afterAll(async () => {
    await crowd?.close();
    await alone?.close();
  });

  for (const { what, input, runs = 300 } of lists)
    test(what, async () => {
      const [among, single] = [await crowd.page(measured, input), await alone.page(measured, input)];
      expect([among.records.length, among.total]).toEqual([single.records.length, single.total]);
      const [ours, bare] = (
        await inTurn(
          runs,
          () => crowd.page(measured, input),
          () => alone.page(measured, input),
        )
      ).map(median) as [number, number];
      const ratio = ours / bare;
      const figure = `${times(ratio)} the same of a tenant alone in its database (${milliseconds(ours)} to ${milliseconds(bare)})`;
      report({ section, what, figure, bound: `${maxTimes} ×`, kept: ratio <= maxTimes, at: `${size}, ${bytes}; ${runs} runs` });
      expect(ratio).toBeLessThanOrEqual(maxTimes);
    });

  test('an index is built and a tenant is purged while others read and write', async () => {
    const quiet = await whileOthersWork(crowd, () => new Promise((resolve) => setTimeout(resolve, 5000)));
    const building = await whileOthersWork(crowd, () =>
      crowd.driver.query('create index concurrently bench_by_link on task_submission (tenant_id, link) where is_deleted = 0'),
    );
    expect((await crowd.driver.query(`select indisvalid from pg_index where indexrelid = 'bench_by_link'::regclass`)).rows).toEqual([{ indisvalid: true }]);
    let purged = 0;
    const purging = await whileOthersWork(crowd, async () => {
      purged = await emptyTable(crowd.db, { name: 'task_submission', isMarked: true }, tenantOf(1));
    });
    expect(purged).toBe(rowsEach);
    const others = `${milliseconds(quiet.longest)} with nothing beside them`;
    report({
      section,
      what: 'longest wait of others while an index is built',
      figure: `${milliseconds(building.longest)}, ${others}`,
      at: `${size}; ${building.count} requests in ${milliseconds(building.took)}`,
    });
    report({
      section,
      what: 'longest wait of others while a tenant is purged',
      figure: `${milliseconds(purging.longest)}, ${others}`,
      at: `${size}; ${purging.count} requests in ${milliseconds(purging.took)}`,
    });
    expect(Math.max(building.longest, purging.longest)).toBeLessThan(5000);
  });
});

/** Reads and writes as another tenant while a work runs; returns the longest time that one of its requests took. */
async function whileOthersWork({ url, page }: Filled, work: () => Promise<unknown>) {
  const writer: pg.Client = await plainClient(url);
  const other = tenantOf(tenantCount);
  let isRunning = true;
  let [count, longest] = [0, 0];
  const request = async (run: () => Promise<unknown>) => {
    const started = performance.now();
    await run();
    longest = Math.max(longest, performance.now() - started);
    count += 1;
  };
  const started = performance.now();
  const others = (async () => {
    while (isRunning) {
      await request(() => page(other, {}));
      await request(() =>
        writer.query(
          `update task_submission set amount = amount + 1 where id = (select id from task_submission where tenant_id = $1 and is_deleted = 0 order by create_time desc, id desc limit 1)`,
          [other],
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await work();
  const took = performance.now() - started;
  isRunning = false;
  await others;
  await writer.end();
  return { count, longest, took };
}
