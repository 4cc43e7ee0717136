import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { transfers } from '#plugins/transfers/contract';
import { ware, warePlugin } from '../plugins/transfers/server/ware-plugin.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer, type Reply, type TestServer } from '../support/test-server.ts';
import { sheetOf } from '../support/workbook.ts';
import { report } from './report.ts';

const section = 'Exports and imports on PostgreSQL';
const smallCount = 50_000;
const largeCount = 200_000;
const badEvery = 100;
/** Additional memory in megabytes that four times as many rows may use. The tolerance is small enough to show that memory does not grow with the list. */
const liveGrowth = 8;
const residentGrowth = 48;
/** Limits above which the run fails; a missed bound is only reported. */
const failureLimits = { live: 40, resident: 96 };

const megabytes = (bytes: number) => bytes / 1_000_000;
const inMegabytes = (figure: number) => `${figure.toFixed(1)} MB`;

function collect(): void {
  const { gc } = globalThis as { gc?: () => void };
  if (!gc) throw new Error('Memory is measured with --expose-gc.');
  gc();
}

/** Returns the memory of this process, which runs both server and test. */
function memoryUse(): { resident: number; live: number } {
  const { rss, heapUsed, external } = process.memoryUsage();
  return { resident: megabytes(rss), live: megabytes(heapUsed + external) };
}

/** Returns the peak of memory while `work` runs. `live` is measured right after a garbage collection, so that it counts reachable objects only. */
async function peakOf(kind: 'resident' | 'live', work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const sample = () => {
    if (kind === 'live') collect();
    peak = Math.max(peak, memoryUse()[kind]);
  };
  const timer = setInterval(sample, kind === 'live' ? 400 : 10);
  try {
    await work();
    sample();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

describe.skipIf(serverUrl === undefined)('exports and imports', () => {
  let server: TestServer;
  let headers: Record<string, string>;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    if (serverUrl === undefined) return;
    const database = await openTestDatabase();
    drop = database.drop;
    server = await openTestServer({ plugins: [warePlugin, 'transfers'], db: database.db });
    headers = await server.signIn();
  });
  afterAll(async () => {
    await server?.stop();
    await drop?.();
  });

  async function waitUntilEnded(id: string): Promise<Reply['data']> {
    for (;;) {
      const { data } = await server.get(transfers.detail.path, { headers, query: { id } });
      if (!['queued', 'running'].includes(data.state)) return data;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function insertWares(from: number, to: number): Promise<void> {
    await server.sql(`insert into ware (tenant_id, name, kind, price, pieces, opens_at)
      select '000000', 'ware ' || n, n % 2 + 1, n * 150, n % 1000, timestamptz '2026-01-31 08:00:00+08' + make_interval(secs => n) from generate_series(${from}, ${to}) n`);
    await server.sql('analyze ware');
  }

  async function exportList(format: string, rows: number): Promise<void> {
    const { data } = await server.post(ware.export.path, { format }, { headers });
    expect(await waitUntilEnded(data.id)).toMatchObject({ state: 'done', progress: rows });
    await server.post(transfers.remove.path, { ids: [data.id] }, { headers });
  }

  test('the memory of an export does not grow with the list: 50,000 and 200,000 rows', async () => {
    await insertWares(1, 1000);
    // Code that is loaded and compiled once must not count as the cost of rows.
    for (const format of ['csv', 'xlsx']) await exportList(format, 1000);
    collect();
    const base = memoryUse();
    const peaks = new Map<string, { resident: number; live: number; seconds: number }>();
    for (const rows of [smallCount, largeCount]) {
      await insertWares(rows === smallCount ? 1001 : smallCount + 1, rows);
      for (const format of ['csv', 'xlsx']) {
        const start = performance.now();
        // Both runs export the same number of rows and produce the same garbage. A single file would keep all rows in memory where they are not released.
        const resident = await peakOf('resident', async () => {
          for (let written = 0; written < largeCount; written += rows) await exportList(format, rows);
        });
        const seconds = (performance.now() - start) / 1000;
        peaks.set(`${format} ${rows}`, {
          resident: resident - base.resident,
          seconds,
          live: (await peakOf('live', () => exportList(format, rows))) - base.live,
        });
      }
    }
    for (const format of ['csv', 'xlsx']) {
      const [small, large] = [peaks.get(`${format} ${smallCount}`), peaks.get(`${format} ${largeCount}`)];
      if (!small || !large) throw new Error('Nothing was measured.');
      const grown = { resident: large.resident - small.resident, live: large.live - small.live };
      const at = `${largeCount.toLocaleString('en')} rows; four times ${smallCount.toLocaleString('en')} ${inMegabytes(small.live)} and ${inMegabytes(small.resident)}`;
      report({
        section,
        what: `${format}: increase of used memory since before the first export, and resident memory, at most`,
        figure: `${inMegabytes(large.live)}, ${inMegabytes(large.resident)}`,
        bound: `${liveGrowth} and ${residentGrowth} MB more than with lists of a quarter`,
        isMet: grown.live <= liveGrowth && grown.resident <= residentGrowth,
        at,
      });
      report({
        section,
        what: `${format}: rows a second`,
        figure: Math.round(largeCount / large.seconds).toLocaleString('en'),
        at: `${largeCount.toLocaleString('en')} rows`,
      });
      expect(grown.live, `${format}: live`).toBeLessThanOrEqual(failureLimits.live);
      expect(grown.resident, `${format}: resident`).toBeLessThanOrEqual(failureLimits.resident);
    }
  });

  test('an import of 50,000 rows with one in a hundred invalid reports every invalid one', async () => {
    const invalidLine = (n: number) => [`bad ${n},many`, `,${n}`, `ware ${n},1`][(n / badEvery) % 3] as string;
    const lines = Array.from({ length: smallCount }, (_, index) =>
      (index + 1) % badEvery === 0 ? invalidLine(index + 1) : `item ${index + 1},${index % 1000}`,
    );
    const content = `名称,件数\r\n${lines.join('\r\n')}\r\n`;
    const expected = lines.flatMap((_, index) => ((index + 1) % badEvery === 0 ? [index + 2] : []));
    for (const mode of ['good', 'all'] as const) {
      await server.sql("delete from ware where name like 'item %'");
      const { data } = await server.upload(ware.importPreview.path, { name: 'wares.csv', content }, { headers });
      let outcome: Reply['data'];
      const start = performance.now();
      collect();
      const before = memoryUse().resident;
      const peak = await peakOf('resident', async () => {
        const reply = await server.post(ware.import.path, { fileId: data.fileId, mapping: data.mapping, mode }, { headers });
        outcome = await waitUntilEnded(reply.data.id);
      });
      const seconds = (performance.now() - start) / 1000;
      const [{ rows } = {}] = await server.sql("select count(*)::integer as rows from ware where name like 'item %'");
      const found = await rowsReported(outcome.id);
      if (mode === 'good') {
        expect(outcome).toMatchObject({ state: 'done', total: smallCount, good: smallCount - expected.length, bad: expected.length });
        expect(found).toEqual(expected);
        expect(rows).toBe(smallCount - expected.length);
      } else {
        expect(outcome).toMatchObject({ state: 'failed', total: smallCount, good: 0, bad: expected.length });
        expect(found).toEqual(expected);
        expect(rows).toBe(0);
      }
      report({
        section,
        what: mode === 'good' ? 'import of valid rows: each invalid one reported' : 'import, all or nothing: no row stored, each invalid one reported',
        figure: `${found.length.toLocaleString('en')} of ${smallCount.toLocaleString('en')} rows, ${seconds.toFixed(1)} s, ${inMegabytes(peak - before)} resident memory at most`,
        at: `CSV, ${smallCount.toLocaleString('en')} rows, 1 % wrong: no number, no name, a name that is taken`,
      });
    }
  });

  async function rowsReported(id: string): Promise<number[]> {
    const { data: link } = await server.get(transfers.link.path, { headers, query: { id, part: 'problems' } });
    const [, ...rows] = await sheetOf((await server.get(link.link)).body.bytes);
    return rows.filter(([, , , reason]) => reason).map(([, , row]) => Number(row));
  }
});
