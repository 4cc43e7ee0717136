import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { sentStatements } from '../../../support/sent-statements.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-job';
let server: TestServer;
let admin: Record<string, string>;
let application: string;

beforeAll(async () => {
  server = await openTestServer({ plugins: ['job', 'tenant', 'transfers', 'inbox'], timeScale: 8 });
  admin = await server.signIn();
  application = (await server.post(`${path}/job-server/submit`, { jobServerName: '本机', jobAppName: 'marquee' }, { headers: admin })).data.id;
});
afterAll(() => server.stop());
beforeEach(async () => {
  for (const statement of ['update job_info set is_deleted = 1', 'truncate job_schedule', 'delete from job_task', 'delete from job_instance'])
    await server.sql(statement);
});

const form = { jobName: '对账', timeExpressionType: 1, processorInfo: 'job:clean-runs', enable: 1 };
const add = async (fields: object = {}): Promise<string> =>
  (await server.post(`${path}/job-info/submit`, { ...form, jobServerId: application, ...fields }, { headers: admin })).data.id;
const list = async () => (await server.get(`${path}/job-info/list`, { headers: admin, query: { size: '50' } })).data.records;
const overview = async (headers = admin) => (await server.get(`${path}/job-info/overview`, { headers })).data;

/** Inserts ended runs of a job, oldest first, one each minute until now. */
const insertRuns = (job: string, runs: readonly { readonly state: number; readonly duration?: number; readonly result?: string }[]) =>
  server.sql(
    `insert into job_instance (tenant_id, job_info_id, state, trigger, expected_time, start_time, end_time, duration, result)
     select '000000', ${job}, r.state, 1, r.at, r.at, r.at, r.duration, r.result
     from (select *, now() - make_interval(mins => (${runs.length} - n)::integer) as at
       from jsonb_to_recordset('${JSON.stringify(runs.map((run, n) => ({ n, ...run })))}') as j(n integer, state integer, duration integer, result text)) r order by r.n`,
  );

test('the list carries next time, latest run and success rate of each job, with as many statements for many jobs as for one', async () => {
  const hourly = await add({ timeExpressionType: 2, timeExpression: '0 0 * * * ?' });
  await insertRuns(hourly, [{ state: 4 }, { state: 5 }, { state: 10 }, { state: 5, duration: 63_000 }]);
  const [row] = await list();
  expect(row).toMatchObject({ rate: { succeeded: 2, failed: 1 }, lastRun: { state: 5, duration: 63_000 } });
  expect(row.nextFire).toMatch(/:00:00$/);
  const forOne = await sentStatements(server.db, list);
  for (let index = 0; index < 10; index += 1) await insertRuns(await add({ jobName: `作业 ${index}`, enable: 0 }), [{ state: 4 }]);
  const forMany = await sentStatements(server.db, list);
  expect(forMany.filter((text) => /job_/.test(text))).toHaveLength(forOne.filter((text) => /job_/.test(text)).length);
  const idle = (await list()).find(({ jobName }: { jobName: string }) => jobName === '作业 3');
  expect(idle).toMatchObject({ nextFire: null, lastRun: { state: 4 }, rate: { succeeded: 0, failed: 1 } });
});

test('the overview names next times, rates, the slowest and the failing jobs, and the servers for the platform only', async () => {
  const failing = await add({ jobName: '夜间对账' });
  const slow = await add({ jobName: '报表' });
  await add({ jobName: '延迟', timeExpressionType: 4, timeExpression: '3600000' });
  await insertRuns(failing, [{ state: 4 }, { state: 5, duration: 20 }, { state: 4 }, { state: 10 }, { state: 4, duration: 30, result: 'HTTP 503' }]);
  await insertRuns(slow, [
    ...Array.from({ length: 50 }, () => ({ state: 5, duration: 1000 })),
    ...Array.from({ length: 50 }, () => ({ state: 5, duration: 3000 })),
  ]);
  const data = await overview();
  expect(data.nextFires).toEqual([expect.objectContaining({ jobName: '延迟', isEstimate: true })]);
  expect(data.day).toEqual({ succeeded: 101, failed: 3 });
  expect(data.week).toEqual(data.day);
  expect(data.slowest[0]).toEqual({ jobInfoId: slow, jobName: '报表', p95: 3000, before: 1000 });
  expect(data.failing).toEqual([expect.objectContaining({ jobName: '夜间对账', reason: 'HTTP 503', failures: 2, isEnabled: true })]);
  expect(data.running).toEqual([]);
  expect(data.workers).toEqual([expect.objectContaining({ capacity: 20 })]);
});

test('a run that goes on is in the overview; who stops it is kept until it runs again', async () => {
  const id = await add();
  await server.sql(
    `insert into job_instance (tenant_id, job_info_id, state, trigger, expected_time) values ('000000', ${id}, 1, 2, date_trunc('second', now()) - interval '90 seconds')`,
  );
  const data = await overview();
  expect(data).toMatchObject({ open: 1, running: [{ jobName: '对账', state: 1 }] });
  expect(data.running[0].elapsed).toBeGreaterThanOrEqual(90_000);
  const { runId } = data.running[0];
  expect(await server.post(`${path}/job-instance/stop`, { ids: [runId] }, { headers: admin })).toMatchObject({ code: 200 });
  const detail = async () => (await server.get(`${path}/job-instance/detail`, { headers: admin, query: { id: runId } })).data;
  expect(await detail()).toMatchObject({ state: 10, stoppedBy: 'admin' });
  expect(await server.post(`${path}/job-instance/retry`, { ids: [runId] }, { headers: admin })).toMatchObject({ code: 200 });
  expect((await detail()).stoppedBy).toBeNull();
});

test('the runs of a filter run again, but neither open ones nor those of a paused job', async () => {
  const nightly = await add({ jobName: '夜间' });
  const paused = await add({ jobName: '暂停', enable: 0 });
  await insertRuns(nightly, [{ state: 4 }, { state: 5 }, { state: 4 }]);
  await insertRuns(paused, [{ state: 4 }]);
  const preview = async (query: Record<string, string>) => (await server.post(`${path}/job-instance/replay-preview`, query, { headers: admin })).data;
  const plan = await preview({ state: '4' });
  expect(plan).toMatchObject({ jobs: [{ jobName: '夜间', count: 2 }], disabled: 1, open: 0, isCut: false });
  expect(plan.ids).toHaveLength(2);
  const replay = (ids: readonly string[]) => server.post(`${path}/job-instance/replay`, { ids }, { headers: admin });
  const { data } = await replay((await preview({})).ids);
  expect(data).toEqual({ started: 3, failed: [] });
  expect(await server.sql(`select count(*)::integer as count from job_instance where job_info_id = ${nightly}`)).toEqual([{ count: 4 }]);
  const [left] = await server.sql(`select id::text as id, state from job_instance where job_info_id = ${paused}`);
  expect((await replay([String(left?.id)])).data).toEqual({ started: 0, failed: [] });
  expect(left?.state).toBe(4);
  await server.createUser({ account: 'reader', codes: ['jobinstance'] });
  const headers = await server.signIn('reader');
  expect(await server.post(`${path}/job-instance/replay`, { ids: plan.ids }, { headers })).toMatchObject({ status: 403 });
});

test('the calendar aggregates dense times, and marks those of a fixed delay as estimates', async () => {
  await add({ jobName: '每五秒', timeExpressionType: 2, timeExpression: '*/5 * * * * ?' });
  await add({ jobName: '延迟', timeExpressionType: 4, timeExpression: '3600000' });
  const { now } = await overview();
  const [day = ''] = now.split(' ');
  const to = `${new Date(Date.parse(day) + 2 * 86_400_000).toISOString().slice(0, 10)} 00:00:00`;
  const { lanes } = (await server.get(`${path}/job-info/timeline`, { headers: admin, query: { from: `${day} 00:00:00`, to } })).data;
  const laneOf = (name: string) => lanes.find(({ jobName }: { jobName: string }) => jobName === name);
  expect(laneOf('每五秒')).toMatchObject({ fires: [], dense: { every: 5000 }, isEstimate: false });
  expect(laneOf('延迟')).toMatchObject({ dense: null, isEstimate: true });
  expect(laneOf('延迟').fires.length).toBeGreaterThan(20);
});
