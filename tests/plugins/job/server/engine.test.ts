import { AsyncResource } from 'node:async_hooks';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, rs, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { JobInfo, JobServer, JobWorkflow } from '#plugins/job/contract';
import { wallTime } from '../../../../src/plugins/job/server/clock.ts';
import { jobPlugin } from '../../../../src/plugins/job/server/plugin.ts';
import { compareTables } from '../../../../src/server/data/index.ts';
import { defineServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { type MapRun, SmsChannel, type SmsNotice } from '../../../../src/server/index.ts';
import { serverUrl } from '../../../support/test-database.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-job';
const environment = { EGRESS_ALLOW: '127.0.0.1' };
const workerSettings = { leaseSeconds: 2, maxTasks: 10 };
let server: TestServer;
let other: TestServer;
let admin: Record<string, string>;
let application: string;
let zone: string;

/** Calls that the probe has handled. */
const did: { params: string; instanceId: string }[] = [];
let act: (run: MapRun) => Promise<string | undefined>;
let release: () => void;

/** Parameters of parts that fail once. */
const refuse = new Set<string>();
/** Awaited by each part. */
let duringPart: () => Promise<void>;

/** Text messages that were sent. */
const texts: SmsNotice[] = [];
class Phones extends SmsChannel {
  override serves = async () => true;
  override send = async () => undefined;
  override templates = async () => [
    { code: 'alert', params: ['job', 'reason'] },
    { code: 'login', params: ['code'] },
  ];
  override notify = async (notice: SmsNotice) => void texts.push(notice);
}

const probe = defineServerPlugin({
  id: 'probe',
  title: ['探针', 'Probe'],
  dependencies: ['job'],
  setup() {
    return {
      smsChannels: [new Phones()],
      processors: {
        'probe:act': {
          title: ['探针', 'Probe'],
          help: ['探针', 'Probe'],
          broadcast: true,
          run: (run) => act(run),
          perform: async (payload) => {
            if (refuse.delete(String(payload))) throw new Error('refused');
            await duringPart();
            return String(Number(payload) * 2);
          },
          reduce: async (outcomes) => String(outcomes.reduce((sum, one) => sum + Number(one), 0)),
        },
      },
    };
  },
});

beforeAll(async () => {
  const migrations = plugins.find(({ plugin }) => plugin.id === 'job')?.migrations ?? {};
  const engine = (name: string) => ({ plugin: jobPlugin(workerSettings, name), migrations });
  server = await openTestServer({ plugins: [engine('east'), probe, 'inbox', 'transfers'], environment, timeScale: 8 });
  other = await openTestServer({ plugins: [engine('west'), probe, 'inbox', 'transfers'], db: server.db, environment, timeScale: 8 });
  admin = await server.signIn();
  zone = String((await server.sql(`select current_setting('TimeZone') as zone`))[0]?.zone);
  application = (await server.post(`${path}/job-server/submit`, { jobServerName: '本机', jobAppName: 'marquee' }, { headers: admin })).data.id;
  await until(async () => (await server.sql('select from job_worker')).length === 2);
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});
beforeEach(async () => {
  for (const statement of ['update job_info set is_deleted = 1', 'truncate job_schedule', 'delete from job_task', 'delete from job_instance'])
    await server.sql(statement);
  did.length = 0;
  act = async ({ params, instanceId }) => {
    did.push({ params, instanceId });
    return 'done';
  };
  duringPart = async () => undefined;
  release = () => undefined;
});

/** Returns the local time of the deployment in so many hours. */
const wall = (hours: number) => wallTime(Date.now() + hours * 3_600_000, zone);
const until = async (holds: () => Promise<boolean>) => rs.waitUntil(holds, { timeout: 15_000, interval: 50 });
const job = {
  jobName: '探针作业',
  timeExpressionType: 1,
  executeType: 1,
  dispatchStrategy: 1,
  processorType: 1,
  processorInfo: 'probe:act',
  enable: 1,
};
const submit = (fields: object = {}, headers = admin) => server.post(`${path}/job-info/submit`, { ...job, jobServerId: application, ...fields }, { headers });
const add = async (fields: object = {}): Promise<string> => (await submit(fields)).data.id;
const post = (call: string, form: object) => server.post(`${path}/${call}`, form, { headers: admin });
const run = async (id: string, instanceParams?: string): Promise<string> => (await post('job-info/run', { id, instanceParams })).data;
const instance = async (id: string) => (await server.get(`${path}/job-instance/detail`, { headers: admin, query: { id } })).data;
const ended = async (id: string) => {
  await until(async () => ![1, 3].includes((await instance(id)).state));
  return instance(id);
};
const states = async (id: string) => (await server.sql(`select state from job_instance where job_info_id = ${id} order by id`)).map(({ state }) => state);

test('the tables match the entities', async () => {
  for (const entity of [JobServer, JobInfo, JobWorkflow]) expect(await compareTables(server.db, entity)).toEqual([]);
});

test('a job requires all fields with the messages of the specification, and keeps its application', async () => {
  const words = async (fields: object) => (await submit(fields)).msg;
  expect(await words({ jobServerId: undefined })).toBe('请选择任务应用');
  expect(await words({ jobName: '' })).toBe('请输入任务名称');
  expect(await words({ processorInfo: '' })).toBe('请输入处理器参数');
  // A call without a field that has a default gets the default; a call with an empty field is refused, whether it adds or edits.
  const required = {
    jobServerId: '请选择任务应用',
    jobName: '请输入任务名称',
    timeExpressionType: '请选择定时信息',
    executeType: '请选择执行器类型',
    dispatchStrategy: '请选择运行时配置',
    processorType: '请选择处理器类型',
    processorInfo: '请输入处理器参数',
    enable: '请选择是否开启',
  };
  const { id } = (await submit({})).data;
  for (const [field, msg] of Object.entries(required))
    for (const fields of [{ [field]: null }, { [field]: '' }, { id, [field]: null }])
      expect({ field, ...(await submit(fields)) }).toMatchObject({ field, status: 400, msg });
  expect(await post('job-info/bulk-submit', { ids: [id], values: { enable: null } })).toMatchObject({ status: 400, msg: required.enable });
  expect((await submit({ executeType: null }, { ...admin, 'accept-language': 'en' })).msg).toBe('Execution type is required');
  expect(await words({ timeExpressionType: 2 })).toBe('请输入时间表达式');
  expect(await words({ timeExpressionType: 2, timeExpression: '0 0 0 31 2 ?' })).toBe('该时间表达式不会再触发');
  expect(await words({ timeExpressionType: 3, timeExpression: '10' })).toBe('请输入 1 秒至 31 天之间的间隔');
  expect(await words({ processorInfo: 'nobody:knows' })).toBe('处理器「nobody:knows」不存在');
  expect(await words({ processorInfo: 'job:http-call', jobParams: '{}' })).toContain('url');
  const added = (await submit({ timeExpressionType: 2, timeExpression: '0 0 8 ? * MON-FRI' })).data;
  expect(added).toMatchObject({ jobId: expect.any(Number), concurrency: 5, maxInstanceNum: 0, logLevel: 2, logType: 1, misfire: 1 });
  const second = (await post('job-server/submit', { jobServerName: '另一个', jobAppName: 'another' })).data.id;
  expect(await submit({ id: added.id, jobServerId: second })).toMatchObject({ status: 409, msg: '任务应用不可修改' });
  expect(await post('job-server/remove', { ids: [application] })).toMatchObject({ status: 409 });
});

test('unavailable options are not offered, and refused with the same reason before a job is saved', async () => {
  const unavailable = async (query: Record<string, string>) =>
    (await server.get(`${path}/job-info/unavailable`, { headers: admin, query: { jobServerId: application, ...query } })).data;
  const count = async () => Number((await server.sql('select count(*) from job_info'))[0]?.count);
  const before = await count();
  const [external] = await unavailable({ field: 'processorType' });
  expect(external).toEqual({ value: 4, reason: ['该应用不支持外部处理器', expect.any(String)] });
  expect(await submit({ processorType: 4 })).toMatchObject({ status: 400, msg: external.reason[0], body: { field: 'processorType' } });
  const [broadcast, mapReduce] = await unavailable({ field: 'executeType', processorInfo: 'job:clean-runs' });
  expect(await submit({ executeType: 2, processorInfo: 'job:clean-runs' })).toMatchObject({
    status: 400,
    msg: broadcast.reason[0],
    body: { field: 'executeType' },
  });
  expect(mapReduce).toEqual({ value: 3, reason: ['处理器「job:clean-runs」不支持 MapReduce', expect.stringContaining('job:clean-runs')] });
  expect(await submit({ executeType: 3, processorInfo: 'job:clean-runs' })).toMatchObject({
    status: 400,
    msg: mapReduce.reason[0],
    body: { field: 'executeType' },
  });
  expect(await count()).toBe(before);
  expect(await unavailable({ field: 'executeType', processorInfo: 'probe:act' })).toEqual([]);
  expect(await submit({ executeType: 3 })).toMatchObject({ code: 200 });
});

test('a manually started run logs its work, and its result is stored', async () => {
  act = async (one) => {
    one.log('debug', 'unheard');
    one.log('info', `with ${one.instanceParams}`);
    const [limit] = await one.write(() => server.db.sql.execute<{ still: string }>(`select current_setting('idle_in_transaction_session_timeout') as still`));
    return `well done, none stands still with a transaction for more than ${limit?.still}`;
  };
  const id = await run(await add({ enable: 0, jobParams: 'p' }), 'now');
  expect(await ended(id)).toMatchObject({
    state: 5,
    result: expect.stringMatching(/^well done.* 10s$/),
    trigger: 2,
    runningTimes: 1,
    jobParams: 'p',
    instanceParams: 'now',
  });
  await until(async () => (await server.get(`${path}/job-instance/log-detail`, { headers: admin, query: { id } })).data.lines.length > 0);
  const { lines, state } = (await server.get(`${path}/job-instance/log-detail`, { headers: admin, query: { id } })).data;
  expect([lines.map(({ text }: { text: string }) => text), state]).toEqual([['with now'], 5]);
});

test('each due time of a schedule becomes one run with any number of replicas; a paused job has none', async () => {
  const id = await add({ timeExpressionType: 3, timeExpression: '1000' });
  await until(async () => (await states(id)).filter((state) => state === 5).length >= 3);
  await post('job-info/change', { id, enable: 0 });
  const rows = await server.sql(`select distinct extract(epoch from fire_time) * 1000 as at from job_instance where job_info_id = ${id} order by 1`);
  const moments = rows.map(({ at }) => Number(at));
  expect(moments.slice(1).map((at, index) => at - (moments[index] ?? 0))).toEqual(moments.slice(1).map(() => 1000));
  await until(async () => (await states(id)).every((state) => state === 5));
  expect(did.length).toBe(moments.length);
  expect(new Set(did.map(({ instanceId }) => instanceId)).size).toBe(moments.length);
  expect(await server.sql('select from job_schedule')).toEqual([]);
});

test('missed runs are made up for as the job says', async () => {
  const everyMinute = { timeExpressionType: 3, timeExpression: '60000' };
  const ids = [await add({ ...everyMinute, misfire: 1 }), await add({ ...everyMinute, misfire: 2 }), await add({ ...everyMinute, misfire: 3 })];
  await server.sql(`update job_schedule set next_fire = clock_timestamp() - interval '190 seconds'`);
  await until(async () => (await server.sql('select from job_schedule where next_fire < clock_timestamp()')).length === 0);
  const counts = await Promise.all(ids.map(async (id) => (await states(id)).length));
  // The run was missed three times and was ten seconds late once.
  expect(counts).toEqual([1, 1, 4]);
});

test('a fixed delay starts at the end of a run', async () => {
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

test('a stopped run ends at once, its late result is refused and its effects are rolled back; it can be retried', async () => {
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
  expect(await late).toBe('RunSupersededError');
  expect(await server.sql(`select from job_info where extra = 'late'`)).toEqual([]);
  expect(await instance(id)).toMatchObject({ state: 10 });
  expect((await post('job-instance/retry', { ids: [id] })).code).toBe(200);
  expect(await ended(id)).toMatchObject({ state: 5, result: 'second time', runningTimes: 2 });
});

test('runs of a lost worker are processed by another one, and the late result of the first is refused', async () => {
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
  // Simulates a worker that stands still: its lease is not renewed.
  await server.sql(`update job_task set worker = 'nobody', lease_until = clock_timestamp() - interval '1 second' where instance_id = ${id}`);
  expect(await ended(id)).toMatchObject({ state: 5, result: '2' });
  release();
  await until(async () => results.length === 2);
  expect(await instance(id)).toMatchObject({ state: 5, result: '2' });
});

test('a failing run is retried as often as its job says; then an alert is sent, and none during its cooldown', async () => {
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

test('alerts are also sent to phones and a signed webhook, with retries, but not during quiet hours', async () => {
  act = async () => {
    throw new Error('no luck');
  };
  const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
  let status = 500;
  const receiver = createServer((request, reply) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      heard.push({ headers: request.headers, body });
      reply.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const alertUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alarm`;
  const { userId } = await server.createUser({ account: `called${Date.now()}` });
  await server.sql(`update user_account set phone = '13800138111' where id = ${userId}`);
  const alert = { notifyUserIds: userId, alertSms: 'alert', alertUrl, alertSecret: 'sesame' };
  expect(await submit({ ...alert, alertSms: 'login' })).toMatchObject({ status: 400 });
  expect(await submit({ ...alert, alertSecret: undefined })).toMatchObject({ msg: '请输入签名密钥' });
  expect((await submit({ ...alert, alertUrl: 'http://10.0.0.1/x' })).msg).toContain('内网');
  expect(await submit({ ...alert, alertQuiet: '25:00-08:00' })).toMatchObject({ status: 400 });
  const id = await add(alert);
  const failed = await ended(await run(id));
  await until(async () => heard.length === 1 && texts.length === 1);
  expect(texts[0]).toMatchObject({ template: 'alert', phones: ['13800138111'], params: { job: '探针作业', reason: 'no luck' } });
  status = 204;
  await server.sql('update job_alert_delivery set due_at = clock_timestamp()');
  await until(async () => heard.length === 2 && (await server.sql('select from job_alert_delivery')).length === 0);
  receiver.close();
  expect(JSON.parse(heard[1]?.body ?? '')).toMatchObject({ event: 'job.failed', jobId: id, instanceId: failed.id, job: '探针作业', reason: 'no luck' });
  const [first, second] = heard.map(({ headers }) => headers['idempotency-key']);
  expect(second).toBe(first);
  const { headers, body } = heard[1] as (typeof heard)[number];
  const signed = createHmac('sha256', 'sesame').update(`${headers['x-marquee-timestamp']}.${body}`).digest('hex');
  expect(headers['x-marquee-signature']).toBe(`sha256=${signed}`);
  expect(JSON.stringify((await server.get(`${path}/job-info/detail`, { headers: admin, query: { id } })).body)).not.toContain('sesame');
  const [clock] = await server.sql(
    `select to_char(clock_timestamp() - interval '1 hour', 'HH24:MI') || '-' || to_char(clock_timestamp() + interval '2 hours', 'HH24:MI') as quiet`,
  );
  await submit({ id, alertQuiet: clock?.quiet });
  await ended(await run(id));
  const [waiting] = await server.sql(
    `select count(*)::integer as count, min(due_at) between clock_timestamp() + interval '118 minutes' and clock_timestamp() + interval '120 minutes' as is_late from job_alert_delivery`,
  );
  expect(waiting).toMatchObject({ count: 2, is_late: true });
  await server.sql('delete from job_alert_delivery');
});

test('the calendar lists past and due runs, for eight days at most, to permitted users', async () => {
  const asked = (from: number, to: number, headers = admin) => server.get(`${path}/job-info/timeline`, { headers, query: { from: wall(from), to: wall(to) } });
  const rate = await add({ jobName: '每分钟', timeExpressionType: 3, timeExpression: '60000' });
  const cron = await add({ jobName: '整点', timeExpressionType: 2, timeExpression: '0 0 * * * ?' });
  const delay = await add({ jobName: '延迟', timeExpressionType: 4, timeExpression: '600000' });
  const paused = await add({ jobName: '暂停', timeExpressionType: 2, timeExpression: '0 0 * * * ?', enable: 0 });
  const past = await run(paused);
  await ended(past);
  const end = Date.parse(wall(6));
  const { data } = await asked(-1, 6);
  const lanes = new Map<string, { fires: string[]; hasMore: boolean; runs: { id: string; state: number }[] }>(
    data.lanes.map((lane: { jobInfoId: string }) => [lane.jobInfoId, lane]),
  );
  expect(lanes.get(rate)).toMatchObject({ hasMore: false, fires: [], dense: { every: 60_000 }, runs: [] });
  expect(lanes.get(cron)?.fires).toHaveLength(6);
  expect(lanes.get(cron)?.fires.every((time) => time.endsWith(':00:00') && time > data.now)).toBe(true);
  expect(lanes.get(delay)).toMatchObject({ isEstimate: true });
  const delayed = [data.now, ...(lanes.get(delay)?.fires ?? [])].map((time) => Date.parse(time));
  const [untilFirst, ...gaps] = delayed.slice(1).map((time, index) => time - Number(delayed[index]));
  expect(untilFirst).toBeLessThanOrEqual(600_000);
  expect(new Set(gaps)).toEqual(new Set([600_000]));
  expect(Number(delayed.at(-1)) + 600_000).toBeGreaterThanOrEqual(end);
  expect(lanes.get(paused)).toMatchObject({ fires: [], runs: [{ id: past, state: 5 }] });
  expect((await asked(-3, -2)).data.lanes).toEqual([]);
  expect(await asked(0, 24 * 9)).toMatchObject({ status: 400, msg: '请选择不超过 8 天的时间范围' });
  await server.createUser({ account: 'nocalendar', codes: ['jobinfo'] });
  expect(await asked(0, 1, await server.signIn('nocalendar'))).toMatchObject({ status: 403 });
});

test('a report has the permissions of its owner, waits in their download centre and notifies them; logs are kept as long as a job says', async () => {
  const { userId } = await server.createUser({ account: `reader${Date.now()}`, codes: ['jobinfo', 'jobinfo_export'] });
  const blind = await server.createUser({ account: `blind${Date.now()}` });
  const report = (params: object) => submit({ processorInfo: 'job:export-report', jobParams: JSON.stringify(params) });
  const list = `${path}/job-info`;
  expect((await report({ list })).msg).toContain('userId');
  const query = JSON.stringify({ jobName_equal: '晨报' });
  const { id } = (await submit({ jobName: '晨报', processorInfo: 'job:export-report', jobParams: JSON.stringify({ list, userId, format: 'csv', query }) }))
    .data;
  expect(await ended(await run(id))).toMatchObject({ state: 5, result: expect.stringMatching(/\.csv: 1$/) });
  const [kept] = await server.sql(
    `select t.state, f.owner_id::text as owner from transfer t join stored_file f on f.id = t.result_id where t.owner_id = ${userId}`,
  );
  expect(kept).toEqual({ state: 'done', owner: userId });
  expect(await server.sql(`select title from inbox_message where user_id = ${userId}`)).toHaveLength(1);
  const refused = (await report({ list, userId: blind.userId })).data.id;
  expect(await ended(await run(refused))).toMatchObject({ state: 4 });
  const nowhere = (await report({ list: '/api/blade-system/nothing', userId })).data.id;
  expect(await ended(await run(nowhere))).toMatchObject({ state: 4 });
  await server.sql(`update login_log set create_time = now() - interval '40 days' where account = 'admin'`);
  const logs = (days: number) => submit({ processorInfo: 'job:keep-logs', jobParams: JSON.stringify({ days }) });
  expect(await logs(3)).toMatchObject({ status: 400 });
  expect(await ended(await run((await logs(60)).data.id))).toMatchObject({ state: 5, result: '0' });
  expect(Number((await ended(await run((await logs(30)).data.id))).result)).toBeGreaterThan(0);
});

test('a workflow starts a node after all its predecessors have succeeded, stops or continues after a failure, and retries failed nodes', async () => {
  const order: string[] = [];
  let broken = '';
  act = async ({ params }) => {
    order.push(params);
    if (params === broken) throw new Error('broken');
    return params;
  };
  const ids = new Map<string, string>();
  for (const name of ['a', 'b', 'c', 'd']) ids.set(name, await add({ jobName: `节点${name}`, timeExpressionType: 5, jobParams: name }));
  const nodes = [...ids].map(([nodeId, jobInfoId]) => ({ nodeId, jobInfoId }));
  const diamond = [...'bc'].flatMap((middle) => [
    { from: 'a', to: middle },
    { from: middle, to: 'd' },
  ]);
  const workflow = (fields: object) =>
    post('job-workflow/submit', {
      jobServerId: application,
      workflowName: `流${Math.random()}`,
      enable: 1,
      failurePolicy: 1,
      timeExpressionType: 1,
      ...fields,
    });
  const { id } = (await workflow({})).data;
  const draw = (drawn: object) => post('job-workflow/draw', { id, nodes, edges: diamond, ...drawn });
  expect(await post('job-workflow/run', { id })).toMatchObject({ status: 409, msg: '工作流没有节点，请先添加节点' });
  expect(await draw({ edges: [...diamond, { from: 'd', to: 'a' }] })).toMatchObject({ status: 400, msg: '工作流中不能有环' });
  expect(await draw({ edges: [{ from: 'a', to: 'z' }] })).toMatchObject({ status: 400 });
  expect(await draw({ nodes: [{ nodeId: 'a', jobInfoId: '1' }], edges: [] })).toMatchObject({ msg: '该应用下不存在作业 1' });
  const { data: drawn } = await draw({});
  expect(drawn).toEqual({ revision: expect.stringMatching(/^[0-9a-f]{32}$/) });
  const stored = async () => (await server.get(`${path}/job-workflow/graph`, { headers: admin, query: { id } })).data;
  expect(await stored()).toMatchObject({ revision: drawn.revision });
  expect(await draw({ edges: [], revision: 'another' })).toMatchObject({ status: 409 });
  expect(await stored()).toMatchObject({ edges: diamond });
  expect(await draw({ revision: drawn.revision })).toMatchObject({ code: 200, data: drawn });
  expect(await post('job-info/remove', { ids: [ids.get('a')] })).toMatchObject({ status: 409 });
  const begin = async (of = id): Promise<string> => (await post('job-workflow/run', { id: of })).data;
  const graph = async (run: string) => (await server.get(`${path}/job-workflow/run-graph`, { headers: admin, query: { id: run } })).data;
  const over = async (run: string) => {
    await until(async () => (await graph(run)).state !== 3);
    const { state, nodes: shown } = await graph(run);
    return { state, nodes: Object.fromEntries(shown.map((node: { nodeId: string; state: number | null }) => [node.nodeId, node.state])) };
  };
  expect(await over(await begin())).toEqual({ state: 5, nodes: { a: 5, b: 5, c: 5, d: 5 } });
  expect([order[0], order[3], order.length]).toEqual(['a', 'd', 4]);
  broken = 'b';
  const failed = await begin();
  expect(await over(failed)).toEqual({ state: 4, nodes: { a: 5, b: 4, c: 5, d: null } });
  expect(await post('job-workflow/retry', { id: failed, nodeId: 'c' })).toMatchObject({ status: 409 });
  broken = '';
  expect(await post('job-workflow/retry', { id: failed, nodeId: 'b' })).toMatchObject({ code: 200 });
  expect(await over(failed)).toEqual({ state: 5, nodes: { a: 5, b: 5, c: 5, d: 5 } });
  broken = 'b';
  await workflow({ id, failurePolicy: 2 });
  expect(await over(await begin())).toEqual({ state: 4, nodes: { a: 5, b: 4, c: 5, d: 5 } });
  act = () => new Promise<undefined>(() => undefined);
  const hanging = await begin();
  await until(async () => (await graph(hanging)).nodes[0].state === 3);
  expect(await post('job-workflow/stop', { id: hanging })).toMatchObject({ code: 200 });
  expect(await over(hanging)).toEqual({ state: 10, nodes: { a: 10, b: null, c: null, d: null } });
  act = async () => 'on time';
  await workflow({ id, timeExpressionType: 2, timeExpression: '0 0 0 1 1 ?' });
  await server.sql(`update job_workflow set next_fire = clock_timestamp() where id = ${id}`);
  const runs = async () => (await server.get(`${path}/job-workflow/runs`, { headers: admin, query: { id } })).data;
  await until(async () => (await runs()).length === 5 && (await runs())[0].state === 5);
  expect(await workflow({ id, timeExpressionType: 2, timeExpression: 'never' })).toMatchObject({ status: 400 });
  await server.sql('delete from job_workflow_run');
  await server.sql('delete from job_workflow');
});

test('a job starts a workflow on schedule and manually; its run includes the runs of the nodes, ends, stops and retries with them', async () => {
  const heard: string[] = [];
  let broken = '';
  act = async ({ params, instanceParams, signal }) => {
    heard.push(`${params}${instanceParams}`);
    if (params === broken) throw new Error('broken');
    if (params === 'hang') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return params;
  };
  const [first, second] = [
    await add({ jobName: '先', timeExpressionType: 5, jobParams: 'first' }),
    await add({ jobName: '后', timeExpressionType: 5, jobParams: 'second' }),
  ];
  const workflow = { jobServerId: application, workflowName: `流${Math.random()}`, enable: 1, failurePolicy: 1, timeExpressionType: 1 };
  const { id: workflowId } = (await post('job-workflow/submit', workflow)).data;
  const starter = { jobName: '总', timeExpressionType: 5, workflowId, processorInfo: undefined };
  const words = async (fields: object) => (await submit({ ...starter, ...fields })).msg;
  expect(await words({ workflowId: undefined })).toBe('请输入处理器参数');
  expect(await words({ workflowId: '1' })).toBe('该应用下不存在此工作流');
  expect(await words({ timeExpression: 'never' })).toBe('CRON 表达式不正确');
  const { id } = (await submit({ ...starter, processorInfo: 'probe:act' })).data;
  expect((await server.get(`${path}/job-info/detail`, { headers: admin, query: { id } })).data).toMatchObject({ workflowId, processorInfo: null });
  expect(await post('job-info/run', { id })).toMatchObject({ status: 409, msg: '工作流没有节点，请先添加节点' });
  const nodes = [
    { nodeId: 'a', jobInfoId: first },
    { nodeId: 'b', jobInfoId: second },
  ];
  const draw = (drawn: object[]) => post('job-workflow/draw', { id: workflowId, nodes: drawn, edges: drawn.length > 1 ? [{ from: 'a', to: 'b' }] : [] });
  expect((await draw([{ nodeId: 'a', jobInfoId: id }])).msg).toBe('作业「总」启动工作流，不能作为节点');
  await draw(nodes);
  expect((await submit({ ...starter, id: first })).msg).toBe('作业是工作流的节点，不能再启动工作流');
  expect(await post('job-workflow/remove', { ids: [workflowId] })).toMatchObject({ status: 409, data: { uses: [{ count: 1 }] } });
  const choices = await server.get(`${path}/job-info/workflows`, { headers: admin, query: { jobServerId: application, name: '流' } });
  expect(choices.data).toEqual([{ id: workflowId, name: workflow.workflowName }]);

  const nodeStates = async (instanceId: string) => {
    const { ownWorkflowRunId } = await instance(instanceId);
    const { data } = await server.get(`${path}/job-workflow/run-graph`, { headers: admin, query: { id: ownWorkflowRunId } });
    return data.nodes.map((node: { state: number | null }) => node.state);
  };
  const done = await run(id, '!');
  expect(await ended(done)).toMatchObject({ state: 5, result: '2 nodes', trigger: 2, runningTimes: 1 });
  expect([heard, await nodeStates(done)]).toEqual([
    ['first!', 'second!'],
    [5, 5],
  ]);

  // A failed node is retried as often as the job says, and then by hand at the node that failed.
  await submit({ ...starter, id, instanceRetryNum: 1, maxInstanceNum: 1 });
  broken = 'second';
  heard.length = 0;
  const failed = await run(id);
  expect(await post('job-info/run', { id })).toMatchObject({ status: 409, msg: '已达到最大实例数 1' });
  expect(await ended(failed)).toMatchObject({ state: 4, result: '后: broken', runningTimes: 2 });
  expect(heard).toEqual(['first', 'second', 'second']);
  broken = '';
  expect((await post('job-instance/retry', { ids: [failed] })).code).toBe(200);
  expect([await ended(failed), heard]).toMatchObject([{ state: 5 }, ['first', 'second', 'second', 'second']]);

  // Stopping the workflow stops the runs that it has started; a node that is being retried is stopped as well.
  await submit({ jobName: '先', timeExpressionType: 5, jobParams: 'hang', id: first });
  const hanging = await run(id);
  const node = async () => (await server.sql(`select id::text as id, state from job_instance where job_info_id = ${first} order by id desc limit 1`))[0];
  await until(async () => (await node())?.state === 3);
  expect((await post('job-instance/stop', { ids: [hanging] })).code).toBe(200);
  expect(await instance(hanging)).toMatchObject({ state: 10 });
  await until(async () => (await node())?.state === 10);
  await submit({ jobName: '先', timeExpressionType: 5, jobParams: 'first', id: first });
  await server.sql(`update job_instance set job_params = 'first' where id = ${(await node())?.id}`);
  expect((await post('job-instance/retry', { ids: [(await node())?.id] })).code).toBe(200);
  await until(async () => (await instance(hanging)).state === 5);
  expect(await nodeStates(hanging)).toEqual([5, 5]);

  // The time limit of the workflow applies.
  await submit({ jobName: '先', timeExpressionType: 5, jobParams: 'hang', id: first });
  await submit({ ...starter, id, instanceTimeLimit: 300 });
  expect(await ended(await run(id))).toMatchObject({ state: 4, result: 'time limit exceeded' });
  await until(async () => (await node())?.state === 10);

  // The workflow is started like any other job, and missed runs are made up for as the job says.
  await submit({ jobName: '先', timeExpressionType: 5, jobParams: 'first', id: first });
  await server.sql('delete from job_instance');
  await submit({ ...starter, id, timeExpression: '0 * * * * ?', misfire: 3, maxInstanceNum: 0, instanceTimeLimit: 0 });
  await server.sql(`update job_schedule set next_fire = date_trunc('minute', clock_timestamp()) - interval '2 minutes'`);
  await until(async () => (await states(id)).filter((state) => state === 5).length >= 3);
  expect((await server.sql('select count(*)::integer as count from job_workflow_run')).at(0)?.count).toBeGreaterThanOrEqual(3);
  for (const table of ['job_workflow_run', 'job_workflow']) await server.sql(`delete from ${table}`);
});

// The embedded database runs one statement at a time.
test.skipIf(!serverUrl)('a late follower of a workflow run, or a stop during its progress, does not act twice', async () => {
  const held: (() => void)[] = [];
  const hang = () => new Promise<void>((resolve) => void held.push(resolve));
  let broken = 'second';
  act = async ({ params }) => {
    if (params === 'first') await hang();
    if (params === broken) throw new Error('broken');
    return params;
  };
  const jobs = [
    await add({ jobName: '一', timeExpressionType: 5, jobParams: 'first' }),
    await add({ jobName: '二', timeExpressionType: 5, jobParams: 'second' }),
  ];
  const workflow = { jobServerId: application, workflowName: '两支', enable: 1, failurePolicy: 1, timeExpressionType: 1 };
  const { id: workflowId } = (await post('job-workflow/submit', workflow)).data;
  await post('job-workflow/draw', { id: workflowId, nodes: jobs.map((jobInfoId) => ({ nodeId: jobInfoId.slice(-8), jobInfoId })), edges: [] });
  const starter = await run(await add({ jobName: '起', timeExpressionType: 5, workflowId, processorInfo: undefined }));
  const nodeOf = async (place: number) =>
    (await server.sql(`select id::text as id, state from job_instance where job_info_id = ${jobs[place]}`))[0] as { id: string; state: number };
  /** Locks a row against all others while the work runs. */
  const holding = (statement: string, work: () => Promise<void>) => {
    const outside = AsyncResource.bind(work);
    return server.db.asPlatform('a row that somebody has in hand', async () => {
      await server.db.sql.execute(statement);
      await outside();
    });
  };
  const waits = async () =>
    (await server.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%job_task%for update'`))
      .length > 0;
  await until(async () => held.length === 1 && (await nodeOf(1))?.state === 4);

  // The whole workflow is stopped; before its nodes are stopped, the failed one is retried.
  const first = await nodeOf(0);
  await holding(`select from job_task where instance_id = ${first.id} for update`, async () => {
    expect((await post('job-instance/stop', { ids: [starter] })).code).toBe(200);
    await until(waits);
    broken = 'first';
    expect((await post('job-instance/retry', { ids: [(await nodeOf(1)).id] })).code).toBe(200);
  });
  await until(async () => (await nodeOf(1)).state === 5 && (await instance(starter)).state === 3);
  expect((await nodeOf(0)).state).toBe(3);
  for (const go of held) go();
  expect(await ended(starter)).toMatchObject({ state: 4, result: '一: broken' });

  // A node is retried and finishes before the run of the workflow is checked.
  broken = '';
  await holding(`select from job_instance where id = ${starter} for update`, async () => {
    expect((await post('job-instance/retry', { ids: [first.id] })).code).toBe(200);
    await until(async () => held.length > 1);
    for (const go of held) go();
    await until(async () => (await server.sql(`select from job_workflow_run where state = 5 and reopened`)).length === 1);
    expect((await instance(starter)).state).toBe(4);
  });
  await until(async () => (await instance(starter)).state === 5);
  for (const table of ['job_workflow_run', 'job_workflow']) await server.sql(`delete from ${table}`);
});

test('a run is limited by the time of its job, and the number of concurrent runs by its maximum', async () => {
  act = () => new Promise<undefined>(() => undefined);
  const id = await add({ instanceTimeLimit: 500, maxInstanceNum: 1 });
  const first = await run(id);
  expect(await post('job-info/run', { id })).toMatchObject({ status: 409, msg: '已达到最大实例数 1' });
  expect(await ended(first)).toMatchObject({ state: 4, result: 'time limit exceeded' });
});

test('a broadcast runs on every worker, and a designated run on the named ones', async () => {
  const id = await run(await add({ executeType: 2 }));
  const { result } = await ended(id);
  expect(result.split('\n').sort()).toEqual(['east: done', 'west: done']);
  const named = await run(await add({ designatedWorkers: 'west' }));
  expect(await ended(named)).toMatchObject({ state: 5, worker: 'west' });
});

test('a run is split into parts, and their results are combined', async () => {
  act = async ({ map }) => {
    await map([1, 2, 3, 4, 5].map((payload) => ({ name: `part ${payload}`, payload })));
    return undefined;
  };
  expect(await ended(await run(await add({ executeType: 3, concurrency: 2 })))).toMatchObject({ state: 5, result: '30' });
});

test('a worker processes no more parts of a run than its job allows, and other runs are not delayed', async () => {
  act = async ({ map, params }) => {
    if (params !== 'parts') return 'done';
    await map(Array.from({ length: 30 }, (_, payload) => ({ name: `part ${payload}`, payload })));
    return undefined;
  };
  let inHand = 0;
  let most = 0;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  duringPart = async () => {
    inHand += 1;
    most = Math.max(most, inHand);
    await held;
    inHand -= 1;
  };
  const parted = await run(await add({ jobParams: 'parts', executeType: 3, concurrency: 2, designatedWorkers: 'west' }));
  await until(async () => inHand === 2);
  expect(await ended(await run(await add({ designatedWorkers: 'west' })))).toMatchObject({ state: 5, result: 'done' });
  release();
  expect(await ended(parted)).toMatchObject({ state: 5, result: String(29 * 30) });
  expect(most).toBe(2);
});

test('an alert is sent when failures within the window reach the threshold, not before', async () => {
  act = async () => {
    throw new Error('no luck');
  };
  const { userId } = await server.createUser({ account: `patient${Date.now()}` });
  const id = await add({ notifyUserIds: userId, alertThreshold: 2, statisticWindowLen: 3600 });
  const told = async () => (await server.sql(`select from inbox_message where user_id = ${userId}`)).length;
  await ended(await run(id));
  // Failures before the window do not count.
  await server.sql(`update job_instance set end_time = clock_timestamp() - interval '2 hours' where job_info_id = ${id}`);
  await ended(await run(id));
  expect(await told()).toBe(0);
  await ended(await run(id));
  expect(await told()).toBe(1);
});

test('a failing part is retried as often as its job says, on no more workers than allowed', async () => {
  act = async ({ map }) => {
    await map([1, 2].map((payload) => ({ name: `part ${payload}`, payload })));
    return undefined;
  };
  refuse.add('2');
  const once = await run(await add({ executeType: 3, taskRetryNum: 0 }));
  expect(await ended(once)).toMatchObject({ state: 4, result: 'refused' });
  refuse.add('2');
  expect(await ended(await run(await add({ executeType: 3, taskRetryNum: 1 })))).toMatchObject({ state: 5, result: '6' });
  act = async () => 'done';
  expect((await ended(await run(await add({ executeType: 2, maxWorkerCount: 1 })))).result).toBe('done');
});

test('lines of a run are written where its job says: nowhere, or only to the output of the server', async () => {
  act = async ({ log }) => void log('info', 'heard');
  const lines = async (id: string) => (await server.sql(`select from job_log where instance_id = ${id}`)).length;
  const silent = [];
  for (const fields of [{ logType: 999 }, { logType: 3 }, { logLevel: 99 }]) silent.push(await run(await add(fields)));
  for (const id of silent) await ended(id);
  // Lines are written in order: when this one is there, the earlier ones are there as well.
  const both = await run(await add({ logType: 4 }));
  await until(async () => (await lines(both)) === 1);
  expect(await Promise.all(silent.map(lines))).toEqual([0, 0, 0]);
});

test('built-in processors work: HTTP calls have the key of the run and reach no internal address, old runs and statistics are maintained', async () => {
  const heard: { key: unknown; body: string }[] = [];
  let status = 200;
  const receiver = createServer((request, reply) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      heard.push({ key: request.headers['idempotency-key'], body });
      reply.writeHead(status).end('answer');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const call = (asked: object) => add({ processorInfo: 'job:http-call', jobParams: JSON.stringify(asked) });
  const id = await call({ url, method: 'POST', body: 'usual' });
  const first = await run(id);
  expect(await ended(first)).toMatchObject({ state: 5, result: 'HTTP 200' });
  const second = await run(id, 'for once');
  await ended(second);
  expect(heard).toEqual([
    { key: first, body: 'usual' },
    { key: second, body: 'for once' },
  ]);
  status = 500;
  expect(await ended(await run(id))).toMatchObject({ state: 4, result: 'HTTP 500: answer' });
  const internal = { processorInfo: 'job:http-call', jobParams: '{"url":"http://10.0.0.1/"}' };
  expect(await submit(internal)).toMatchObject({ status: 400, body: { field: 'jobParams' } });
  receiver.close();
  await server.sql(`update job_instance set end_time = clock_timestamp() - interval '3 days' where id = ${first}`);
  expect(await ended(await run(await add({ processorInfo: 'job:clean-runs', jobParams: '{"days":2}' })))).toMatchObject({ state: 5, result: '1' });
  expect(Number((await ended(await run(await add({ processorInfo: 'job:sql-maintenance' })))).result)).toBeGreaterThan(20);
});

test('jobs, runs and their logs belong to their tenant only', async () => {
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
