import { describe, expect, test } from '@rstest/core';
import { transfers } from '#plugins/transfers/contract';
import { ware, warePlugin } from '../plugins/transfers/server/ware-plugin.ts';
import { openTestDatabase, serverUrl } from '../support/test-database.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { milliseconds, percentile, report, timed, times } from './report.ts';

const section = 'Lists while exports run';
const rows = 100_000;
/** Upper bound of the 99th percentile of a list while exports run, relative to the list alone. */
const maxTimes = 3;
const idleRequests = 1000;
const betweenRequestsMs = 5;
const tenants = ['000000', 'bakers', 'cooks'];
const codes = ['ware', 'ware_export'];

type Headers = Record<string, string>;

/** Creates five users of three tenants, each of whom can see 100,000 rows. */
async function fill(server: TestServer): Promise<Headers[]> {
  const users: Headers[] = [];
  for (const tenantId of tenants) {
    if (tenantId !== '000000') await server.createTenant(tenantId);
    await server.sql(`insert into ware (tenant_id, name, kind, price, pieces, opens_at)
      select '${tenantId}', 'ware ' || n, n % 2 + 1, n * 150, n % 1000, timestamptz '2026-01-31 08:00:00+08' + make_interval(secs => n) from generate_series(1, ${rows}) n`);
  }
  await server.sql('analyze ware');
  for (const [place, tenantId] of [...tenants, 'bakers', 'cooks'].entries()) {
    const account = `exporter${place}`;
    await server.createUser({ account, codes, tenantId });
    users.push(await server.signIn(account, tenantId));
  }
  return users;
}

async function listTimes(server: TestServer, headers: Headers, isOver: (count: number) => boolean): Promise<number[]> {
  const figures: number[] = [];
  while (!isOver(figures.length)) {
    figures.push(
      await timed(async () => {
        const reply = await server.get(ware.list.path, { headers });
        if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, betweenRequestsMs));
  }
  return figures;
}

async function ended(server: TestServer, headers: Headers, id: string): Promise<void> {
  for (;;) {
    const { data } = await server.get(transfers.detail.path, { headers, query: { id } });
    if (data.state === 'done') return void expect(data.progress).toBe(rows);
    if (data.state !== 'queued' && data.state !== 'running') throw new Error(JSON.stringify(data));
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function measure(server: TestServer, database: string): Promise<void> {
  const users = await fill(server);
  const reader = await server.signIn();
  await listTimes(server, reader, (count) => count >= 200);
  const idle = percentile(await listTimes(server, reader, (count) => count >= idleRequests), 99);
  let isOver = false;
  const start = performance.now();
  const exports = Promise.all(
    users.map(async (headers, index) => {
      const { data, msg } = await server.post(ware.export.path, { format: index % 2 === 0 ? 'xlsx' : 'csv' }, { headers });
      if (!data) throw new Error(msg);
      await ended(server, headers, data.id);
    }),
  ).finally(() => {
    isOver = true;
  });
  const figures = await listTimes(server, reader, () => isOver);
  await exports;
  const seconds = (performance.now() - start) / 1000;
  const busy = percentile(figures, 99);
  report({
    section,
    what: `99th percentile of a list on ${database}`,
    figure: `${milliseconds(busy)}, ${times(busy / idle)} the idle server (${milliseconds(idle)})`,
    bound: `${maxTimes} ×`,
    isMet: busy <= maxTimes * idle,
    at: `five exports of ${rows.toLocaleString('en')} rows by users of three tenants, done in ${seconds.toFixed(0)} s; ${figures.length} requests`,
  });
  expect(busy).toBeLessThanOrEqual(maxTimes * idle);
}

describe('lists while exports run', () => {
  test('on the embedded database', async () => {
    const server = await openTestServer({ plugins: [warePlugin, 'transfers'] });
    try {
      await measure(server, 'the embedded database');
    } finally {
      await server.stop();
    }
  });

  test.skipIf(serverUrl === undefined)('on PostgreSQL', async () => {
    const { db, drop } = await openTestDatabase();
    const server = await openTestServer({ plugins: [warePlugin, 'transfers'], db });
    try {
      await measure(server, 'PostgreSQL');
    } finally {
      await server.stop();
      await drop();
    }
  });
});
