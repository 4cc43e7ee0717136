import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import type pg from 'pg';
import { emptyTable } from '../../src/plugins/tenant/server/purge.ts';
import type { ListInput } from '../../src/shared/contract/contract.ts';
import { serverUrl } from '../support/test-database.ts';
import { fillSubmissions, type Submissions } from './many-submissions.ts';
import { plainClient } from './million-params.ts';
import { inTurn, median, milliseconds, report, times } from './report.ts';

const tenantCount = Number(process.env.SCALE_TENANTS ?? 200);
const rowsEach = Number(process.env.SCALE_ROWS ?? 10_000);
const maxTimes = 1.3;
const section = 'Many tenants on PostgreSQL';
const size = `${tenantCount} tenants × ${rowsEach.toLocaleString('en')} submissions`;
const tenantOf = (number: number) => `t${String(number).padStart(5, '0')}`;
const measured = tenantOf(Math.ceil(tenantCount / 2));

const lists: readonly { readonly what: string; readonly input: ListInput; readonly runs?: number }[] = [
  { what: 'first page', input: {} },
  { what: 'pending, oldest first', input: { auditStatus_equal: '0', ascs: 'submit_time' } },
  { what: 'of one claimer', input: { userId_equal: '77' } },
  { what: 'a page in the middle', input: { current: Math.ceil(rowsEach / 20) }, runs: 100 },
  { what: 'the counter alone', input: { size: 0 } },
];

describe.skipIf(serverUrl === undefined)('a tenant among many', () => {
  let crowd: Submissions;
  let alone: Submissions;
  let bytes = '';

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    crowd = await fillSubmissions(
      Array.from({ length: tenantCount }, (_, index) => tenantOf(index + 1)),
      rowsEach,
    );
    alone = await fillSubmissions([measured], rowsEach);
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
      // A long filtered list is counted later; until then its total is a lower bound.
      const exact = ({ total, totalExact }: typeof among) => (totalExact ? total : undefined);
      expect(among.records).toHaveLength(single.records.length);
      if (exact(among) !== undefined && exact(single) !== undefined) expect(among.total).toBe(single.total);
      const [ours, bare] = (
        await inTurn(
          runs,
          () => crowd.page(measured, input),
          () => alone.page(measured, input),
        )
      ).map(median) as [number, number];
      const ratio = ours / bare;
      const figure = `${times(ratio)} the same of a tenant alone in its database (${milliseconds(ours)} to ${milliseconds(bare)})`;
      report({ section, what, figure, bound: `${maxTimes} ×`, isMet: ratio <= maxTimes, at: `${size}, ${bytes}; ${runs} runs` });
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
async function whileOthersWork({ url, page }: Submissions, work: () => Promise<unknown>) {
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
