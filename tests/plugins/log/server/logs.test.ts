import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { ApiLogEntry } from '#shared/api-log';
import { ErrorLogEntry } from '#shared/error-log';
import { SystemLogEntry } from '#shared/system-log';
import { compareTables } from '../../../../src/server/data/index.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-log';
let server: TestServer;
let admin: Record<string, string>;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['log', 'settings'] });
  admin = await server.signIn();
});
afterAll(() => server.stop());

async function found(kind: string, query: Record<string, string>, headers = admin) {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const { data } = await server.get(`${path}/${kind}/list`, { headers, query });
    if (data.total > 0) return data.records;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return [];
}

test('the tables match the entities', async () => {
  for (const entity of [ApiLogEntry, ErrorLogEntry, SystemLogEntry]) expect(await compareTables(server.db, entity)).toEqual([]);
});

test('a write is found by user, address, outcome and time; the list is short, the detail has old and new values', async () => {
  const submit = '/api/blade-system/param/submit';
  const { data: param } = await server.post(submit, { paramName: 'lamp', paramKey: 'lamp.colour', paramValue: 'red' }, { headers: admin });
  await server.post(submit, { id: param.id, paramName: 'lamp', paramKey: 'lamp.colour', paramValue: 'blue' }, { headers: admin });
  const query = { requestUri: 'param/submit', createBy: 'admin', statusCode_equal: '200', method_equal: 'POST', createTime_dategt: '2020-01-01 00:00:00' };
  const [line] = await found('api', query);
  expect(line).toMatchObject({ createBy: 'admin', requestUri: submit, statusCode: 200, serviceId: 'marquee', type: '1', methodName: 'submit' });
  expect([line.params, line.changes]).toEqual([undefined, undefined]);
  const { data } = await server.get(`${path}/api/detail`, { headers: admin, query: { id: line.id } });
  expect(JSON.parse(data.params)).toMatchObject({ id: param.id, paramValue: 'blue' });
  expect(data.changes).toMatchObject([{ entity: 'param', id: param.id, before: { paramValue: 'red' }, after: { paramValue: 'blue' } }]);
  expect((await server.get(`${path}/api/list`, { headers: admin, query: { ...query, createBy: 'somebody' } })).data.total).toBe(0);
});

test('a call has a title in the language of the reader; a removed call keeps its last title', async () => {
  await server.post('/api/blade-system/param/submit', { paramName: 'shade', paramKey: 'shade.colour', paramValue: 'red' }, { headers: admin });
  const query = { requestUri: 'param/submit' };
  const english = { ...admin, 'accept-language': 'en' };
  const [line] = await found('api', query, english);
  expect(line.title).toBe('Add or update');
  expect((await server.get(`${path}/api/detail`, { headers: english, query: { id: line.id } })).data.title).toBe('Add or update');
  expect((await found('api', query))[0].title).toBe('新增或修改');
  // The filter finds it by its name in either language.
  for (const title of ['add or up', '新增或修'])
    for (const headers of [english, admin]) expect((await found('api', { ...query, title }, headers)).length).toBeGreaterThan(0);
  const none = await server.get(`${path}/api/list`, { headers: english, query: { ...query, title_like: 'no such_call' } });
  expect(none.data.total).toBe(0);
  await server.sql(`insert into api_log (tenant_id, title, service_id, server_host, server_ip, env, method, request_uri, user_agent, remote_ip,
    method_class, method_name, params, time, create_by, status_code, request_id)
    values ('000000', '旧接口', 'm', 'h', '::1', 'test', 'GET', '/api/gone', '', '::1', 'gone', 'gone', '{}', '1', 'admin', 200, 'r')`);
  expect((await found('api', { requestUri: '/api/gone', title: '旧接' }, english))[0].title).toBe('旧接口');
});

const asked = { method: "'GET'", request_uri: "'/api/many'", user_agent: "''", remote_ip: "'::1'", method_name: "'many'", params: "'{}'", time: "'1'" };

test.each([
  ['api', 'api_log', { ...asked, title: "'x'", status_code: '200', request_id: 'n::text' }],
  ['usual', 'usual_log', { log_level: "'info'", log_id: "'many'", log_data: "'{}'" }],
  ['error', 'error_log', { ...asked, exception_name: "'Many'", message: "'m'" }],
])('each page of the %s log has the number of entries', async (kind, table, own) => {
  const values = {
    tenant_id: "'000000'",
    service_id: "'m'",
    server_host: "'h'",
    server_ip: "'::1'",
    env: "'test'",
    method_class: "'many'",
    create_by: "'lister'",
    ...own,
  };
  await server.sql(`insert into ${table} (${Object.keys(values)}) select ${Object.values(values)} from generate_series(1, 1035) n`);
  const list = async (query: Record<string, string>) => (await server.get(`${path}/${kind}/list`, { headers: admin, query })).data;
  for (const query of [{}, { current: '2' }, { current: '104' }, { size: '0' }, { exactTotal: 'true' }])
    expect(await list({ createBy_equal: 'lister', ...query })).toMatchObject({ total: 1035, totalExact: true });
  const whole = await list({});
  expect(whole.totalExact).toBe(true);
  expect(whole.total).toBeGreaterThanOrEqual(1035);
  await server.sql(`delete from ${table} where create_by = 'lister' and id = (select max(id) from ${table} where create_by = 'lister')`);
  expect(await list({ createBy_equal: 'lister' })).toMatchObject({ total: 1034, totalExact: true });
  await server.sql(`delete from ${table} where create_by = 'lister'`);
});

test('the server logs its own start, and entries of other tenants are not found', async () => {
  const [started] = await found('usual', { logId: 'server:started' });
  expect(started).toMatchObject({ logLevel: 'info', methodClass: 'server' });
  expect(started.logData).toBeUndefined();
  const { data } = await server.get(`${path}/usual/detail`, { headers: admin, query: { id: started.id } });
  expect(JSON.parse(data.logData).plugins).toEqual(['log', 'settings']);

  await server.createTenant('rivals');
  await server.createUser({ account: 'rival', codes: ['log_usual', 'log_api'], roleAlias: 'admin', tenantId: 'rivals' });
  const rival = await server.signIn('rival', 'rivals');
  expect((await server.get(`${path}/usual/list`, { headers: rival })).data.total).toBe(0);
  const said = async (id: string) => {
    const { status, msg } = await server.get(`${path}/usual/detail`, { headers: rival, query: { id } });
    return { status, msg };
  };
  expect(await said(started.id)).toEqual(await said('999'));
  expect((await said(started.id)).status).toBe(404);
});

test('months older than the parameter of a log are dropped with their entries, newer ones stay', async () => {
  const months = () => server.sql("select inhrelid::regclass::text as name from pg_inherits where inhparent = 'api_log'::regclass order by 1");
  const prepared = await months();
  const make = (table: string, month: string, next: string) =>
    server.sql(`create table ${table}_${month.slice(0, 7).replace('-', '')} partition of ${table} for values from ('${month}') to ('${next}')`);
  for (const table of ['api_log', 'error_log', 'usual_log']) await make(table, '2023-03-01', '2023-04-01');
  await server.sql(`insert into error_log (tenant_id, create_time, request_uri, method, remote_ip, service_id, server_host, server_ip, env, method_class)
    values ('000000', '2023-03-05', '/old', 'GET', '::1', 'marquee', 'h', '::1', 'test', 'x'), ('000000', '2022-03-05', '/older', 'GET', '::1', 'marquee', 'h', '::1', 'test', 'x')`);
  const total = async () => (await server.get(`${path}/error/list`, { headers: admin })).data.total;
  expect(await total()).toBe(2);
  // One of the logs is kept longer than the others.
  await server.post(`/api/blade-system/param/submit`, { paramName: 'x', paramKey: 'log.usualKeepDays', paramValue: '36500' }, { headers: admin });

  const again = await openTestServer({ plugins: ['log', 'settings'], db: server.db });
  try {
    for (let attempt = 0; attempt < 40 && (await total()) > 0; attempt += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  } finally {
    await again.stop();
  }
  expect(await total()).toBe(0);
  const left = await server.sql(`select relname from pg_class where relname ~ '^(api|error|usual)_log_2' and relkind = 'r' and relname like '%202303'`);
  expect(left).toEqual([{ relname: 'usual_log_202303' }]);
  expect(prepared.length).toBeGreaterThanOrEqual(5);
  expect(await months()).toEqual(prepared);
});
