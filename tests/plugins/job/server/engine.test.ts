import { afterAll, beforeAll, beforeEach, expect, rs, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { JobInfo, JobServer } from '#plugins/job/contract';
import { jobPlugin } from '../../../../src/plugins/job/server/plugin.ts';
import { compareTables } from '../../../../src/server/db/index.ts';
import type { MapRun } from '../../../../src/server/index.ts';
import { defineServerPlugin } from '../../../../src/server/plugin.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-job';
const pace = { leaseSeconds: 2, atOnce: 10 };
let server: TestServer;
let other: TestServer;
let admin: Record<string, string>;
let application: string;

/** What the probe is to do, and what it has done. */
const did: { params: string; instanceId: string }[] = [];
let act: (run: MapRun) => Promise<string | undefined>;
let release: () => void;

const probe = defineServerPlugin({
  id: 'probe',
  title: ['探针', 'Probe'],
  needs: ['job'],
  routes({ jobs }) {
    jobs.processor('probe:act', {
      title: ['探针', 'Probe'],
      help: ['探针', 'Probe'],
      run: (run) => act(run),
      perform: async (payload) => String(Number(payload) * 2),
      reduce: async (outcomes) => String(outcomes.reduce((sum, one) => sum + Number(one), 0)),
    });
  },
});

beforeAll(async () => {
  const migrations = plugins.find(({ plugin }) => plugin.id === 'job')?.migrations ?? {};
  const engine = (name: string) => ({ plugin: jobPlugin(pace, name), migrations });
  server = await openTestServer({ plugins: [engine('east'), probe] });
  other = await openTestServer({ plugins: [engine('west'), probe], db: server.db });
  admin = await server.signIn();
  application = (await server.post(`${path}/job-server/submit`, { jobServerName: '本机', jobAppName: 'marquee' }, { headers: admin })).data.id;
  await until(async () => (await server.sql('select from job_worker')).length === 2);
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});
beforeEach(async () => {
  for (const statement of ['truncate job_schedule', 'delete from job_instance', 'update job_info set is_deleted = 1']) await server.sql(statement);
  did.length = 0;
  act = async ({ params, instanceId }) => {
    did.push({ params, instanceId });
    return 'done';
  };
  release = () => undefined;
});

const until = async (holds: () => Promise<boolean>) => rs.waitUntil(holds, { timeout: 15_000, interval: 50 });
const job = {
  jobName: '探针任务',
  timeExpressionType: 1,
  executeType: 1,
  dispatchStrategy: 1,
  processorType: 1,
  processorInfo: 'probe:act',
  enable: 1,
};
const submit = (fields: object = {}) => server.post(`${path}/job-info/submit`, { ...job, jobServerId: application, ...fields }, { headers: admin });
const add = async (fields: object = {}): Promise<string> => (await submit(fields)).data.id;
const post = (call: string, form: object) => server.post(`${path}/${call}`, form, { headers: admin });
const run = async (id: string, instanceParams?: string): Promise<string> => (await post('job-info/run', { id, instanceParams })).data;
const instance = async (id: string) => (await server.get(`${path}/job-instance/detail`, { headers: admin, query: { id } })).data;
const ended = async (id: string) => {
  await until(async () => ![1, 3].includes((await instance(id)).state));
  return instance(id);
};
const states = async (id: string) => (await server.sql(`select state from job_instance where job_info_id = ${id} order by id`)).map(({ state }) => state);

test('the tables are what the entities say', async () => {
  for (const entity of [JobServer, JobInfo]) expect(await compareTables(server.db, entity)).toEqual([]);
});

test('a job is asked for everything in the words of the specification, and keeps its application', async () => {
  const words = async (fields: object) => (await submit(fields)).msg;
  expect(await words({ jobServerId: undefined })).toBe('请选择任务应用');
  expect(await words({ jobName: '' })).toBe('请输入任务名称');
  expect(await words({ processorInfo: '' })).toBe('请输入处理器参数');
  expect(await words({ timeExpressionType: 2 })).toBe('请输入时间表达式');
  expect(await words({ timeExpressionType: 2, timeExpression: '0 0 0 31 2 ?' })).toBe('该时间表达式不会再触发');
  expect(await words({ timeExpressionType: 3, timeExpression: '10' })).toBe('请输入不小于 1000 的毫秒数');
  expect(await words({ processorInfo: 'nobody:knows' })).toBe('没有处理器「nobody:knows」');
  expect(await words({ processorInfo: 'job:http-call', jobParams: '{}' })).toContain('url');
  const added = (await submit({ timeExpressionType: 2, timeExpression: '0 0 8 ? * MON-FRI' })).data;
  expect(added).toMatchObject({ jobId: expect.any(Number), concurrency: 5, maxInstanceNum: 0, logLevel: 2, logType: 1, misfire: 1 });
  const second = (await post('job-server/submit', { jobServerName: '另一个', jobAppName: 'another' })).data.id;
  expect(await submit({ id: added.id, jobServerId: second })).toMatchObject({ status: 409, msg: '任务应用不可修改' });
  expect(await post('job-server/remove', { ids: [application] })).toMatchObject({ status: 409 });
});

test('a run that somebody begins says what it does, and its outcome is kept', async () => {
  act = async (one) => {
    one.log('debug', 'unheard');
    one.log('info', `with ${one.instanceParams}`);
    return 'well done';
  };
  const id = await run(await add({ enable: 0, jobParams: 'p' }), 'now');
  expect(await ended(id)).toMatchObject({ state: 5, result: 'well done', trigger: 2, runningTimes: 1, jobParams: 'p', instanceParams: 'now' });
  await until(async () => (await server.get(`${path}/job-instance/log-detail`, { headers: admin, query: { id } })).data.lines.length > 0);
  const { lines, state } = (await server.get(`${path}/job-instance/log-detail`, { headers: admin, query: { id } })).data;
  expect([lines.map(({ text }: { text: string }) => text), state]).toEqual([['with now'], 5]);
});

test('each moment of a schedule becomes one run, however many replicas look; a job that is paused has none', async () => {
  const id = await add({ timeExpressionType: 3, timeExpression: '1000' });
  await until(async () => (await states(id)).filter((state) => state === 5).length >= 3);
  await post('job-info/change', { id, enable: 0 });
  const rows = await server.sql(`select distinct extract(epoch from fire_time) * 1000 as at from job_instance where job_info_id = ${id} order by 1`);
  const moments = rows.map(({ at }) => Number(at));
  expect(moments.slice(1).map((at, place) => at - (moments[place] ?? 0))).toEqual(moments.slice(1).map(() => 1000));
  await until(async () => (await states(id)).every((state) => state === 5));
  expect(did.length).toBe(moments.length);
  expect(new Set(did.map(({ instanceId }) => instanceId)).size).toBe(moments.length);
  expect(await server.sql('select from job_schedule')).toEqual([]);
});

test('what was missed is made up for as the job says', async () => {
  const everyMinute = { timeExpressionType: 3, timeExpression: '60000' };
  const ids = [await add({ ...everyMinute, misfire: 1 }), await add({ ...everyMinute, misfire: 2 }), await add({ ...everyMinute, misfire: 3 })];
  await server.sql(`update job_schedule set next_fire = clock_timestamp() - interval '190 seconds'`);
  await until(async () => (await server.sql('select from job_schedule where next_fire < clock_timestamp()')).length === 0);
  const counts = await Promise.all(ids.map(async (id) => (await states(id)).length));
  // Missed three times, and ten seconds late once.
  expect(counts).toEqual([1, 1, 4]);
});

test('a fixed delay begins when the run has ended', async () => {
  let running = 0;
  let most = 0;
  act = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 300));
    running -= 1;
    return undefined;
  };
  const id = await add({ timeExpressionType: 4, timeExpression: '1000' });
  await until(async () => (await states(id)).filter((state) => state === 5).length >= 2);
  await post('job-info/change', { id, enable: 0 });
  expect(most).toBe(1);
});

test('a stopped run ends at once, its late result is refused and its effects are undone; it can be tried again', async () => {
  let attempt = 0;
  let late: Promise<string> | undefined;
  act = async ({ write, signal }) => {
    attempt += 1;
    if (attempt > 1) return 'second time';
    const freed = new Promise<void>((resolve) => {
      release = resolve;
    });
    late = freed.then(() =>
      write(() => server.db.sql.execute(`update job_info set extra = 'late'`)).then(
        () => 'written',
        (error: Error) => error.name,
      ),
    );
    await freed;
    return String(signal.aborted);
  };
  const id = await run(await add());
  await until(async () => (await instance(id)).state === 3);
  expect(await post('job-instance/retry', { ids: [id] })).toMatchObject({ status: 409 });
  expect((await post('job-instance/stop', { ids: [id] })).code).toBe(200);
  expect(await instance(id)).toMatchObject({ state: 10 });
  release();
  expect(await late).toBe('Superseded');
  expect(await server.sql(`select from job_info where extra = 'late'`)).toEqual([]);
  expect(await instance(id)).toMatchObject({ state: 10 });
  expect((await post('job-instance/retry', { ids: [id] })).code).toBe(200);
  expect(await ended(id)).toMatchObject({ state: 5, result: 'second time', runningTimes: 2 });
});

test('what a worker had in hand that is not heard of any more is done by another, and its own result is refused', async () => {
  const results: string[] = [];
  let attempt = 0;
  act = async () => {
    attempt += 1;
    const mine = attempt;
    if (mine === 1)
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    results.push(String(mine));
    return String(mine);
  };
  const id = await run(await add());
  await until(async () => attempt === 1);
  // As if the worker stood still: what it holds is not renewed.
  await server.sql(`update job_task set worker = 'nobody', lease_until = clock_timestamp() - interval '1 second' where instance_id = ${id}`);
  expect(await ended(id)).toMatchObject({ state: 5, result: '2' });
  release();
  await until(async () => results.length === 2);
  expect(await instance(id)).toMatchObject({ state: 5, result: '2' });
});

test('a run that fails is tried again as often as its job says; then people are told, and not again while it is silent', async () => {
  act = async () => {
    throw new Error('no luck');
  };
  const { userId } = await server.createUser({ account: `watcher${Date.now()}` });
  const id = await add({ instanceRetryNum: 1, notifyUserIds: userId, silenceWindowLen: 60 });
  const first = await run(id);
  expect(await ended(first)).toMatchObject({ state: 4, result: 'no luck', runningTimes: 2 });
  await ended(await run(id));
  const told = await server.sql(`select title from inbox_message where user_id = ${userId}`);
  expect(told).toHaveLength(1);
});

test('no run takes longer than its job allows, and none begins beside as many as may', async () => {
  act = () => new Promise<undefined>(() => undefined);
  const id = await add({ instanceTimeLimit: 500, maxInstanceNum: 1 });
  const first = await run(id);
  expect(await post('job-info/run', { id })).toMatchObject({ status: 409, msg: '已达到最大实例数 1' });
  expect(await ended(first)).toMatchObject({ state: 4, result: 'time limit exceeded' });
});

test('a broadcast is done by every worker, and a designated one by those named', async () => {
  const id = await run(await add({ executeType: 2 }));
  const { result } = await ended(id);
  expect(result.split('\n').sort()).toEqual(['east: done', 'west: done']);
  const named = await run(await add({ designatedWorkers: 'west' }));
  expect(await ended(named)).toMatchObject({ state: 5, worker: 'west' });
});

test('a run is cut into parts, and one outcome is made of theirs', async () => {
  act = async ({ map }) => {
    await map([1, 2, 3, 4, 5].map((payload) => ({ name: `part ${payload}`, payload })));
    return undefined;
  };
  expect(await ended(await run(await add({ executeType: 3, concurrency: 2 })))).toMatchObject({ state: 5, result: '30' });
});

test('jobs, runs and their logs are their tenant’s alone', async () => {
  const id = await run(await add());
  await ended(id);
  const tenantId = `j${Date.now() % 1e9}`;
  await server.createTenant(tenantId);
  await server.createUser({ account: 'stranger', tenantId, codes: ['jobinfo', 'jobinstance', 'jobinstance_stop', 'jobinfo_run'] });
  const headers = await server.signIn('stranger', tenantId);
  expect((await server.get(`${path}/job-info/list`, { headers })).data.total).toBe(0);
  expect(await server.get(`${path}/job-instance/log-detail`, { headers, query: { id } })).toMatchObject({ status: 404 });
  expect(await server.post(`${path}/job-instance/stop`, { ids: [id] }, { headers })).toMatchObject({ status: 404 });
  const { data } = await server.get(`${path}/job-info/processors`, { headers });
  expect(data.map(({ value }: { value: string }) => value)).not.toContain('job:sql-maintenance');
});
