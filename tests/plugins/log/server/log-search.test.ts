import { afterAll, beforeAll, expect, test } from '@rstest/core';
import type { SQL } from 'drizzle-orm';
import { withBoundedSearch } from '../../../../src/plugins/log/server/log-search.ts';
import { repositoryOf } from '../../../../src/server/data/index.ts';
import type { ListInput, Page } from '../../../../src/shared/contract/contract.ts';
import { ApiLogLine } from '../../../../src/shared/platform/api-log.ts';
import { sentStatements } from '../../../support/sent-statements.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

let server: TestServer;
let admin: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['log'] });
  admin = await server.signIn();
  await server.sql(`
    insert into api_log (tenant_id, title, service_id, server_host, server_ip, env, method, request_uri, user_agent, remote_ip, method_class, method_name,
      params, time, create_by, status_code, request_id, create_time)
    select '000000', '灯', 'marquee', 'h', '::1', 'test', 'GET', '/api/lamp/' || n, 'b', '::1', 'lamp', 'list', '{}', '3', 'ann', 200, n::text,
      date_trunc('second', now() - make_interval(hours => n * 5))
    from generate_series(1, 40) n`);
});
afterAll(() => server.stop());

const search = async (query: Record<string, string>) => (await server.get('/api/blade-log/api/list', { headers: admin, query })).data;

test('a search by a part of a text without a time range covers the last 24 hours, and says so', async () => {
  const page = await search({ requestUri: '/api/lamp/', size: '30' });
  expect(page.records.map(({ requestUri }: { requestUri: string }) => requestUri)).toEqual([1, 2, 3, 4].map((n) => `/api/lamp/${n}`));
  expect(page).toMatchObject({ total: 4, totalExact: true });
  const { from, to, reached } = page.searched;
  expect(reached).toBe(from);
  expect((Date.parse(to) - Date.parse(from)) / 3_600_000).toBe(24);
});

test('a search within a range finds the latest rows first, and the following pages the others', async () => {
  const range = { requestUri: '/api/lamp/', createTime_ge: '2020-01-01 00:00:00', size: '25' };
  const first = await search(range);
  expect(first.records.map(({ requestUri }: { requestUri: string }) => requestUri)).toEqual(Array.from({ length: 25 }, (_, n) => `/api/lamp/${n + 1}`));
  expect(first).toMatchObject({ total: 26, totalExact: false });
  const second = await search({ ...range, current: '2' });
  expect(second.records).toHaveLength(15);
  expect(await search({ ...range, size: '0', exactTotal: 'true' })).toMatchObject({ total: 40, totalExact: true });
});

test('a search by a title or by conditions is bounded too, other filters are not', async () => {
  expect((await search({ title: '灯', size: '30' })).records).toHaveLength(4);
  const where = JSON.stringify({ or: [{ requestUri_like: 'lamp' }, { createBy_like: 'ann' }] });
  expect((await search({ where, size: '30' })).searched).toBeDefined();
  const equal = await search({ createBy_equal: 'ann', size: '50' });
  expect([equal.records.length, equal.searched]).toEqual([40, undefined]);
});

test('a slow search replies with what it has found and the time reached, and continues from there without gap or repetition', async () => {
  const { db } = server;
  const hours = [2, 30, 31, 100];
  const now = Date.parse(
    `${String((await server.sql(`select to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') as now`))[0]?.now).replace(' ', 'T')}Z`,
  );
  const rows = hours.map((hour) => ({ id: String(hour), at: now - hour * 3_600_000 }));
  const slices: [string, string][] = [];
  const slow = async (input: ListInput): Promise<Page<{ id: string }>> => {
    const [start, end] = [String(input.createTime_ge), String(input.createTime_lt)];
    slices.push([start, end]);
    await new Promise((resolve) => setTimeout(resolve, 310));
    const [from, to] = [start, end].map((time) => Date.parse(`${time.replace(' ', 'T')}Z`)) as [number, number];
    const records = rows.filter(({ at }) => at >= from && at < to).slice(0, Number(input.size));
    return { records, total: records.length, totalExact: true, size: Number(input.size), current: 1, pages: 1 };
  };
  const page = withBoundedSearch(db, ApiLogLine, slow);
  const input = { requestUri: 'x', size: 10, createTime_ge: new Date(now - 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ') };
  const read = (more: ListInput) => db.read({ tenantId: '000000' }, () => page({ ...input, ...more }));
  let reply = await read({});
  const found = [...reply.records];
  expect(reply).toMatchObject({ totalExact: false });
  expect(slices).toHaveLength(3);
  for (let requests = 1; (reply.searched?.reached ?? '') > (reply.searched?.from ?? ''); requests += 1) {
    expect(requests).toBeLessThan(20);
    reply = await read({ searchedTo: reply.searched?.reached });
    found.push(...reply.records);
  }
  expect(found.map(({ id }) => id)).toEqual(['2']);
  for (const [index, [start]] of slices.slice(0, -1).entries()) expect(slices[index + 1]?.[1]).toBe(start);
});

test('a search takes one statement for each slice of time, and none for a total', async () => {
  const { db } = server;
  const lines = repositoryOf(db, ApiLogLine, { noTotal: true });
  let slices = 0;
  const page = withBoundedSearch(db, ApiLogLine, (input, where: SQL | undefined, options) => {
    slices += 1;
    return lines.page(input, where, options);
  });
  const statementsOf = (input: ListInput) => sentStatements(db, () => db.read({ tenantId: '000000' }, () => page({ requestUri: '/api/lamp/', ...input })));
  // The latest row is 5 hours old, and the first slice has one hour. Only the first search reads the time of the database.
  const first = await statementsOf({ size: 1 });
  expect(slices).toBeGreaterThan(1);
  expect(first).toHaveLength(1 + slices);
  slices = 0;
  const second = await statementsOf({ size: 1 });
  expect(second).toHaveLength(slices);
  for (const text of [...first.slice(1), ...second]) {
    expect(text).toContain('api_log');
    expect(text).not.toMatch(/count\(|^explain/);
  }
});

test('a search begins with a slice as long as one that was read in a short time for the same tenant', async () => {
  const { db } = server;
  const slices: number[] = [];
  const delays = new Map([['000000', 0]]);
  const page = withBoundedSearch(db, ApiLogLine, async (input: ListInput): Promise<Page<{ id: string }>> => {
    const [start, end] = [input.createTime_ge, input.createTime_lt].map((time) => Date.parse(`${String(time).replace(' ', 'T')}Z`)) as [number, number];
    slices.push((end - start) / 3_600_000);
    await new Promise((resolve) => setTimeout(resolve, delays.get(db.tenantId ?? '') ?? 310));
    return { records: [], total: 0, totalExact: true, size: Number(input.size), current: 1, pages: 0 };
  });
  const search = async (tenantId: string) => {
    slices.length = 0;
    await db.read({ tenantId }, () => page({ requestUri: 'x', size: 10 }));
    return [...slices];
  };
  const first = await search('000000');
  expect(first[0]).toBe(1);
  expect(first.reduce((sum, length) => sum + length)).toBeCloseTo(24);
  const second = await search('000000');
  expect(second[0]).toBeGreaterThan(1);
  expect(second.length).toBeLessThan(first.length);
  const slow = await search('slow');
  expect(slow[0]).toBe(1);
  expect(slow[1]).toBeLessThan(1);
});

test('an entry is found by its id, also if it was written at another time than its id states', async () => {
  const [row] = await server.sql(`select id::text as id from api_log where request_uri = '/api/lamp/30'`);
  const { data } = await server.get('/api/blade-log/api/detail', { headers: admin, query: { id: String(row?.id) } });
  expect(data).toMatchObject({ requestUri: '/api/lamp/30', params: '{}' });
  expect(await server.get('/api/blade-log/api/detail', { headers: admin, query: { id: 'x' } })).toMatchObject({ status: 400 });
});
