import { afterAll, beforeAll, expect, test } from '@rstest/core';
import type { ServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { Processors } from '../../../../src/server/platform/jobs/processors.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const at = '/api/blade-system/tenant';
let server: TestServer;
let headers: Record<string, string>;
let jobs: Processors;

const take: ServerPlugin['setup'] = ({ get }) => {
  jobs = get(Processors);
  return {};
};

beforeAll(async () => {
  const probe = { id: 'probe', title: ['探针', 'Probe'] as const, setup: take };
  server = await openTestServer({ plugins: ['settings', 'dictionary', 'organization', 'tenant', 'access', probe] });
  headers = await server.signIn();
});
afterAll(() => server.stop());

const create = async (tenantName: string) =>
  (await server.post(`${at}/submit`, { tenantName, linkman: '王芳' }, { headers })).data as { id: string; tenantId: string };
const drop = async ({ id }: { id: string }, days: number) => {
  await server.post(`${at}/remove`, { ids: [id] }, { headers });
  await server.sql(`update tenant set update_time = now() - interval '${days} days' where id = ${id}`);
};
const lines: string[] = [];
const run = (params = '') =>
  jobs.of('tenant:purge')?.run({ params, signal: new AbortController().signal, log: (_: string, text: string) => void lines.push(text) } as never);

/** Counts the rows of a tenant in all tables. */
async function rowsLeft(tenantId: string): Promise<number> {
  const tables = await server.sql(
    "select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace",
  );
  const counts = await Promise.all(tables.map(({ name }) => server.sql(`select count(*)::integer as rows from "${name}" where tenant_id = '${tenantId}'`)));
  return counts.reduce((sum, [count]) => sum + Number(count?.rows), 0);
}

test('a tenant that can no longer be restored is purged with all of its rows, and no other tenant is affected', async () => {
  const [old, recent, living] = [await create('旧租户'), await create('新删租户'), await create('在用租户')];
  await drop(old, 31);
  await drop(recent, 29);
  const before = [await rowsLeft(recent.tenantId), await rowsLeft(living.tenantId)];
  expect(await rowsLeft(old.tenantId)).toBeGreaterThan(5);
  expect(await run()).toBe('1');
  expect(await rowsLeft(old.tenantId)).toBe(0);
  expect([await rowsLeft(recent.tenantId), await rowsLeft(living.tenantId)]).toEqual(before);
  expect(await server.post(`${at}/restore`, { ids: [recent.id] }, { headers })).toMatchObject({ code: 200 });
  expect(await run()).toBe('0');
});

test('no parameter purges what can still be restored', async () => {
  const one = await create('昨日删除');
  await drop(one, 1);
  expect(await run('{"days":0}')).toBe('0');
  expect(await server.post(`${at}/restore`, { ids: [one.id] }, { headers })).toMatchObject({ code: 200 });
});

test('rows that must never be deleted stay with the row of their tenant, and the run logs it', async () => {
  const one = await create('有账租户');
  await server.sql('create table kept_book (tenant_id varchar(12) not null)');
  await server.sql("create function keep_book() returns trigger language plpgsql as $$ begin raise exception 'the book is only ever added to'; end $$");
  await server.sql('create trigger keep_book before delete on kept_book for each row execute function keep_book()');
  await server.sql(`insert into kept_book values ('${one.tenantId}')`);
  await drop(one, 31);
  lines.length = 0;
  expect(await run()).toBe('0');
  expect(lines).toEqual([`${one.tenantId}: kept_book stays: the book is only ever added to`]);
  expect(await rowsLeft(one.tenantId)).toBe(2);
});
