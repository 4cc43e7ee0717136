import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, rs, test } from '@rstest/core';
import { validateStatement } from '../../../../src/plugins/job/server/processors/sql-guard.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-job';
let server: TestServer;
let admin: Record<string, string>;
let application: string;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['job', 'tenant', 'transfers', 'inbox'], environment: { EGRESS_ALLOW: '127.0.0.1' }, timeScale: 8 });
  admin = await server.signIn();
  application = (await server.post(`${path}/job-server/submit`, { jobServerName: '本机', jobAppName: 'marquee' }, { headers: admin })).data.id;
});
afterAll(() => server.stop());

const form = { jobName: '作业', timeExpressionType: 1, enable: 1 };
const submit = (fields: object, headers = admin) => server.post(`${path}/job-info/submit`, { ...form, jobServerId: application, ...fields }, { headers });
const run = async (id: string, more: object = {}, headers = admin) => server.post(`${path}/job-info/run`, { id, ...more }, { headers });
const ended = async (fields: object) => {
  const saved = await submit(fields);
  expect(saved).toMatchObject({ code: 200 });
  const { data: runId } = await run(saved.data.id);
  const detail = async () => (await server.get(`${path}/job-instance/detail`, { headers: admin, query: { id: runId } })).data;
  await rs.waitUntil(async () => ![1, 3].includes((await detail()).state), { timeout: 15_000, interval: 50 });
  const { lines } = (await server.get(`${path}/job-instance/log-detail`, { headers: admin, query: { id: runId } })).data;
  return { ...(await detail()), text: lines.map(({ text }: { text: string }) => text).join('\n') };
};
const statement = (text: string, params: object = {}) => ({ processorInfo: 'job:sql', jobParams: JSON.stringify({ statement: text, ...params }) });
const call = (params: object, fields: object = {}) => ({ processorInfo: 'job:http-call', jobParams: JSON.stringify(params), ...fields });

test('a statement reads and changes rows; one that could do anything else is refused by its words', () => {
  for (const text of [
    "select job_name, count(*) from job_info where create_time > now() - interval '1 day' group by job_name order by 2 desc;",
    'with recent as (select id from job_instance limit 10) select count(*) filter (where id > 0) from recent',
    `insert into job_server (job_server_name, remark) values ('it''s -- no comment', "x"."y")`,
    'update job_info set enable = 0 where id in (1, 2) and coalesce(job_description, $q) is null'.replace('$q', "''"),
    'delete from job_log where extract(epoch from time) < 0',
    "select cast('1' as numeric(10, 2)), '5'::integer, 1e3, .5",
  ])
    expect(validateStatement(text)).toBe(text.replace(/;$/, ''));
  for (const text of [
    'select 1; drop table job_info',
    'drop table job_info',
    'set role postgres',
    'reset role',
    "do 'begin end'",
    "copy job_info to '/tmp/x'",
    "copy job_info from program 'id'",
    'select * into stolen from user_account',
    'call own_by_tenant(1)',
    'create table t (a int)',
    'explain analyze select 1',
    "select set_config('app.tenant', '000001', true)",
    `select "set_config"('app.tenant', '000001', true)`,
    `select pg_catalog . "set_config" ('app.tenant', '000001', true)`,
    `select U&"\\0073et_config"('app.tenant', '000001', true)`,
    "select set_config\n('role', 'postgres', false)",
    'select/**/set_config(1)',
    `select "'" -- ' , set_config(1)`,
    'select pg_sleep(10)',
    "select pg_read_file('/etc/passwd')",
    "select lo_import('/etc/passwd')",
    "select query_to_xml('select 1', true, true, '')",
    "select dblink('host=10.0.0.1', 'select 1')",
    "select current_setting('app.tenant')",
    'select * from pg_stat_activity',
    'select * from information_schema.tables',
    "select $$text$$, E'\\'', 1",
    "select nextval('job_number')",
    'select drop_old_log(1, 2)',
    'select 1 operator(pg_catalog.+) 1',
    "with x as (select set_config('app.tenant', 'x', true)) select 1",
    '',
  ])
    expect(() => ({ text, accepted: validateStatement(text) }), text).toThrow();
});

test('a statement runs as the role of its tenant: it neither sees nor changes rows of others, and its first rows are logged', async () => {
  const tenantId = `q${Date.now() % 1e9}`;
  await server.createTenant(tenantId);
  await server.sql(`insert into job_server (tenant_id, job_server_name, job_app_name) values ('${tenantId}', '他人', 'secret-app')`);
  const read = await ended(statement('select job_app_name, tenant_id from job_server order by job_app_name'));
  expect(read).toMatchObject({ state: 5, result: '1 rows' });
  expect(read.text).toContain('marquee');
  expect(read.text).not.toContain('secret-app');
  const changed = await ended(statement("update job_server set job_remark = 'seen'", { mode: 'write' }));
  expect(changed).toMatchObject({ state: 5, result: '1 rows changed' });
  expect(await server.sql(`select job_remark from job_server where tenant_id = '${tenantId}'`)).toEqual([{ job_remark: null }]);
  const stolen = await ended(statement(`update job_server set tenant_id = '${tenantId}'`, { mode: 'write' }));
  expect(stolen.state).toBe(4);
  expect(await ended(statement("update job_server set job_remark = 'read only'"))).toMatchObject({ state: 4 });
  expect(await ended(statement('with w as (delete from job_server returning 1) select * from w'))).toMatchObject({ state: 4 });
  expect(await ended(statement('select n from generate_series(1, 50) n', { maxRows: 3 }))).toMatchObject({ state: 5, result: 'more than 3 rows' });
  expect(await submit(statement('select pg_sleep(60)'))).toMatchObject({ status: 400, body: { field: 'jobParams' } });
});

test('a request sends its headers, accepts the statuses that are expected, follows no redirect and reaches no internal address', async () => {
  const heard: IncomingHttpHeaders[] = [];
  const receiver = createServer((request, response) => {
    heard.push(request.headers);
    if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' });
    else response.statusCode = request.url === '/absent' ? 404 : 200;
    response.end('answer');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const jobSecret = 'Authorization: Bearer sealed-token';
  const greeting = await ended(call({ url, headers: 'X-Greeting: hello\n\nAccept: text/plain' }, { jobSecret }));
  expect(greeting).toMatchObject({ state: 5, result: 'HTTP 200' });
  expect(heard.at(-1)).toMatchObject({ 'x-greeting': 'hello', accept: 'text/plain', authorization: 'Bearer sealed-token' });
  expect(greeting.text).not.toContain('sealed-token');
  expect(JSON.stringify(await server.sql('select * from job_info'))).not.toContain('sealed-token');
  expect(JSON.stringify((await server.get(`${path}/job-info/list`, { headers: admin })).data)).not.toContain('sealed-token');
  expect(await ended(call({ url: `${url}/absent`, expectedStatus: '200-299,404' }))).toMatchObject({ state: 5, result: 'HTTP 404' });
  expect(await ended(call({ url: `${url}/away` }))).toMatchObject({ state: 4, result: expect.stringContaining('HTTP 302') });
  for (const internal of ['http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data', 'http://[::1]/', 'http://[::ffff:10.0.0.1]/'])
    expect(await submit(call({ url: internal }))).toMatchObject({ status: 400, body: { field: 'jobParams' } });
  expect(await submit(call({ url, headers: 'no header' }))).toMatchObject({ status: 400 });
  const { data } = await submit(call({ url }, { jobSecret }));
  const moved = { id: data.id, ...call({ url: 'https://elsewhere.example/' }) };
  expect(await submit(moved)).toMatchObject({ status: 400, body: { field: 'jobSecret' } });
  expect(await submit({ ...moved, jobSecret: 'Authorization: Bearer other' })).toMatchObject({ code: 200 });
  receiver.close();
});

test('without its permission a processor is not offered, and its jobs can be paused but neither saved, enabled nor given other content', async () => {
  const { data } = await submit(call({ url: 'https://example.com/' }));
  const codes = ['jobinfo', 'jobinfo_add', 'jobinfo_edit', 'jobinfo_delete', 'jobinfo_change', 'jobinfo_run'];
  await server.createUser({ account: 'clerk', codes });
  const clerk = await server.signIn('clerk');
  const offered = (await server.get(`${path}/job-info/processors`, { headers: clerk })).data.map(({ value }: { value: string }) => value);
  expect(offered).toContain('job:clean-runs');
  expect(offered.filter((value: string) => ['job:http-call', 'job:sql'].includes(value))).toEqual([]);
  for (const fields of [statement('select 1'), call({ url: 'https://example.com/' }), { id: data.id, jobName: '改名' }])
    expect(await submit(fields, clerk)).toMatchObject({ status: 403, body: { field: 'processorInfo' } });
  const change = (enable: number) => server.post(`${path}/job-info/change`, { id: data.id, enable }, { headers: clerk });
  expect(await change(0)).toMatchObject({ code: 200 });
  expect(await change(1)).toMatchObject({ status: 403 });
  expect(await run(data.id, { instanceParams: 'other body' }, clerk)).toMatchObject({ status: 403 });
  const bulk = await server.post(`${path}/job-info/bulk-submit`, { ids: [data.id], enable: 1 }, { headers: clerk });
  expect(bulk.code).not.toBe(200);
});
