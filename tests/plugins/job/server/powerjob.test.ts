import { afterAll, afterEach, beforeAll, beforeEach, expect, rs, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { JobServer } from '#plugins/job/contract';
import { epochMsOf, wallTime } from '../../../../src/plugins/job/server/clock.ts';
import { jobPlugin } from '../../../../src/plugins/job/server/plugin.ts';
import { parseJson } from '../../../../src/plugins/job/server/powerjob/client.ts';
import { compareTables } from '../../../../src/server/data/index.ts';
import { defineServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { PowerJobServer, type Trouble } from '../../../support/powerjob-server.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-job';
const timeoutMs = 2000;
let server: TestServer;
let peer: PowerJobServer;
let admin: Record<string, string>;
let application: string;
/** Value of the parameter `job.external`. */
let externalAllowed = 'false';

const post = (call: string, form: object) => server.post(`${path}/${call}`, form, { headers: admin });
const get = (call: string, query: object) => server.get(`${path}/${call}`, { headers: admin, query: query as Record<string, string> });
const english = () => ({ ...admin, 'accept-language': 'en' });
const serverForm = () => ({
  jobServerName: '远程',
  engine: 2,
  jobServerUrl: peer.address,
  jobAppName: peer.appName,
  jobAppPassword: peer.password,
  signIn: 1,
});
const edit = (fields: object) => post('job-server/submit', { ...serverForm(), jobAppPassword: undefined, id: application, ...fields });
const job = {
  jobName: '清扫',
  timeExpressionType: 2,
  timeExpression: '0 0 3 * * ?',
  executeType: 1,
  dispatchStrategy: 1,
  processorType: 1,
  processorInfo: 'com.shop.Sweep',
  enable: 1,
};
const submit = (fields: object = {}) => post('job-info/submit', { ...job, jobServerId: application, ...fields });
const instance = async (id: string) => (await get('job-instance/detail', { id })).data;
const makeMirrorDue = () => server.sql('update job_server set mirrored_at = null');
const until = (holds: () => Promise<boolean>) => rs.waitUntil(holds, { timeout: 15_000, interval: 100 });

beforeAll(async () => {
  const migrations = plugins.find(({ plugin }) => plugin.id === 'job')?.migrations ?? {};
  const parameters = defineServerPlugin({
    id: 'told',
    title: ['参数', 'Parameters'],
    setup: () => ({ readParameter: async (key) => (key === 'job.external' ? externalAllowed : undefined) }),
  });
  server = await openTestServer({
    timeScale: 8,
    plugins: [parameters, { plugin: jobPlugin({ leaseSeconds: 2, maxTasks: 5 }, 'east', timeoutMs), migrations }, 'inbox'],
    environment: { EGRESS_ALLOW: '127.0.0.1' },
  });
  admin = await server.signIn();
});
afterAll(() => server.stop());
const startPeer = async (fields: object = {}) => {
  for (const statement of ['delete from job_instance', 'delete from job_info', 'delete from job_server', 'delete from job_alert']) await server.sql(statement);
  peer = await new PowerJobServer().start();
  application = (await post('job-server/submit', { ...serverForm(), ...fields })).data.id;
};

beforeEach(() => startPeer());
afterEach(() => peer.stop());

test('the table matches the entity; address and password are required, and the password is never returned', async () => {
  expect(await compareTables(server.db, JobServer)).toEqual([]);
  const words = async (fields: object) => (await post('job-server/submit', { ...serverForm(), jobAppName: 'else', ...fields })).msg;
  expect(await words({ jobServerUrl: '' })).toBe('请输入服务地址');
  expect(await words({ jobAppPassword: '' })).toBe('请输入应用密码');
  expect(await words({ jobServerUrl: 'ftp://x y' })).toBe('地址格式不正确');
  expect(await words({ jobServerUrl: 'example.org:7700,10.0.0.3:7700' })).toContain('内网');
  expect(JSON.stringify((await get('job-server/detail', { id: application })).body)).not.toContain(peer.password);
  expect(await edit({ jobServerUrl: 'example.org:7700' })).toMatchObject({ status: 400, msg: '连接信息已更改，请重新输入密码' });
  expect(await edit({ engine: 1 })).toMatchObject({ status: 409 });
  expect(await edit({ jobRemark: '备注' })).toMatchObject({ code: 200 });
});

test('name, address, application and password suffice for an application on PowerJob, and each of them is required', async () => {
  await server.sql('delete from job_server');
  const { engine: _, signIn: __, ...four } = serverForm();
  const five = { ...four, jobRemark: '备注' };
  const { jobAppPassword: ___, ...shown } = five;
  const added = await post('job-server/submit', five);
  expect(added).toMatchObject({ code: 200, data: { ...shown, engine: 2 } });
  expect(await submit({ jobServerId: added.data.id })).toMatchObject({ code: 200 });
  expect([...peer.jobs.values()].map(({ jobName }) => jobName)).toEqual(['清扫']);
  const words = { jobServerName: '请输入服务名称', jobServerUrl: '请输入服务地址', jobAppName: '请输入应用名称', jobAppPassword: '请输入应用密码' };
  for (const [field, msg] of Object.entries(words)) {
    for (const empty of ['', null]) expect(await post('job-server/submit', { ...five, jobAppName: 'six', [field]: empty })).toMatchObject({ status: 400, msg });
  }
});

test('the built-in engine needs no address, and refuses one instead of dropping it', async () => {
  const own = { jobServerName: '本机', jobAppName: 'own' };
  const { data } = await post('job-server/submit', own);
  expect(data).toMatchObject({ engine: 1, jobServerUrl: null });
  const msg = expect.stringContaining('内置引擎不使用服务地址和应用密码');
  expect(await post('job-server/submit', { ...own, jobAppName: 'other', engine: 1, jobServerUrl: '10.0.0.1:7700' })).toMatchObject({ status: 400, msg });
  expect(await post('job-server/submit', { ...own, id: data.id, jobAppPassword: 'x' })).toMatchObject({ status: 400, msg });
  expect(await post('job-server/submit', { ...own, id: data.id, jobServerUrl: '', jobRemark: '备注' })).toMatchObject({ code: 200, data: { engine: 1 } });
});

test('a job is sent to PowerJob with names of enums, times in milliseconds and its alarm, and stores its number', async () => {
  const lifecycle = '2026-03-01 00:00:00,2027-03-01 12:30:00';
  const { data } = await submit({
    executeType: 3,
    dispatchStrategy: 2,
    lifecycle,
    alertThreshold: 3,
    statisticWindowLen: 60,
    silenceWindowLen: 90,
    logType: 4,
    minMemorySpace: 1.5,
  });
  const { body } = peer.asked.findLast(({ path: asked }) => asked === '/saveJob') ?? { body: {} };
  const zone = String((await server.sql(`select current_setting('TimeZone') as zone`))[0]?.zone);
  expect(body).toMatchObject({
    id: null,
    appId: 7,
    timeExpressionType: 'CRON',
    executeType: 'MAP_REDUCE',
    processorType: 'BUILT_IN',
    dispatchStrategy: 'RANDOM',
    enable: true,
    concurrency: 5,
    minMemorySpace: 1.5,
    lifeCycle: { start: epochMsOf('2026-03-01 00:00:00', zone), end: epochMsOf('2027-03-01 12:30:00', zone) },
    alarmConfig: { alertThreshold: 3, statisticWindowLen: 60, silenceWindowLen: 90 },
    logConfig: { type: 4, level: 2 },
    notifyUserIds: [],
  });
  expect(data.jobId).toBe([...peer.jobs.keys()][0]);
  expect((await get('job-info/detail', { id: data.id })).data.jobId).toBe(data.jobId);
  expect(await server.sql('select from job_schedule')).toEqual([]);
  // Fields that are set in PowerJob and that this server does not know keep their values.
  const there = { tag: 'night', notifyUserIds: '3,14', dispatchStrategyConfig: '{"a":1}', advancedRuntimeConfig: { taskTrackerBehavior: 11 } };
  peer.put({ id: data.jobId, ...there, logConfig: '{"type":4,"level":2,"loggerName":"shop"}' });
  await submit({ id: data.id, jobName: '清扫二', logLevel: 3 });
  expect(peer.jobs.get(data.jobId)).toMatchObject({ ...there, jobName: '清扫二', executeType: 1 });
  expect(JSON.parse(String(peer.jobs.get(data.jobId)?.logConfig))).toEqual({ type: 4, level: 3, loggerName: 'shop' });
  expect(peer.jobs.size).toBe(1);
  expect((await get('job-server/sync-detail', { id: application })).data).toEqual([]);
});

test('pausing, resuming and removing are done in PowerJob first', async () => {
  const { id, jobId } = (await submit()).data;
  await post('job-info/change', { id, enable: 0 });
  expect(peer.jobs.get(jobId)?.status).toBe(2);
  await post('job-info/change', { id, enable: 1 });
  expect(peer.jobs.get(jobId)?.status).toBe(1);
  peer.trouble('/deleteJob', { message: 'not now' });
  expect(await post('job-info/remove', { ids: [id] })).toMatchObject({ status: 502, msg: 'PowerJob 拒绝：not now' });
  expect((await get('job-info/detail', { id })).code).toBe(200);
  await post('job-info/remove', { ids: [id] });
  expect(peer.jobs.get(jobId)?.status).toBe(99);
  expect(await post('job-info/restore', { ids: [id] })).toMatchObject({ status: 409 });
  expect(await post('job-info/bulk-submit', { ids: [(await submit()).data.id], values: { concurrency: 9 } })).toMatchObject({ status: 409 });
});

test('a run has an id of eighteen digits, is tracked, stopped, retried and cancelled', async () => {
  const { id } = (await submit()).data;
  const run = (await post('job-info/run', { id, instanceParams: 'now' })).data;
  const there = [...peer.runs.keys()][0] ?? '';
  expect(there).toMatch(/^\d{18}$/);
  expect(await instance(run)).toMatchObject({ state: 1, trigger: 2, instanceParams: 'now', engineInstanceId: there });
  peer.move(there, { status: 3, actualTriggerTime: Date.now(), taskTrackerAddress: '10.0.0.9:27777' });
  await makeMirrorDue();
  await until(async () => (await instance(run)).state === 3);
  expect(await instance(run)).toMatchObject({ worker: '10.0.0.9:27777' });
  await post('job-instance/stop', { ids: [run] });
  expect(await instance(run)).toMatchObject({ state: 10, result: 'stopped by user' });
  expect(await post('job-instance/stop', { ids: [run] })).toMatchObject({ status: 409, msg: '只能停止等待中或运行中的实例' });
  await post('job-instance/retry', { ids: [run] });
  expect(await instance(run)).toMatchObject({ state: 1, runningTimes: 2 });
  await post('job-instance/stop', { ids: [run] });
  expect(await instance(run)).toMatchObject({ state: 9 });
  expect(peer.paths()).toContain('/cancelInstance');
});

test('runs started by PowerJob itself are listed page after page, and recipients get one alert for a failure', async () => {
  const me = (await server.sql(`select id::text as id from user_account where account = 'admin'`))[0]?.id;
  const { id, jobId } = (await submit({ notifyUserIds: [me] })).data;
  for (let count = 0; count < 130; count += 1) peer.fire(jobId, { status: 5, actualTriggerTime: 1, finishedTime: 3001 });
  const failed = peer.fire(jobId, { status: 4, result: 'no such table', finishedTime: Date.now(), actualTriggerTime: Date.now() - 1500 });
  await makeMirrorDue();
  await until(async () => (await server.sql(`select from job_instance where job_info_id = ${id}`)).length === 131);
  const [row] = await server.sql(`select state, result, duration from job_instance where engine_instance_id = '${failed}'`);
  expect(row).toMatchObject({ state: 4, result: 'no such table' });
  await makeMirrorDue();
  await until(async () => (await server.sql('select from job_server where mirrored_at is not null')).length === 1);
  expect((await server.sql(`select from inbox_message where title::text like '%清扫%'`)).length).toBe(1);
});

test.each<[string, Trouble, number, string, string]>([
  ['hangs', 'hangs', 504, 'PowerJob 在 2 秒内没有响应，不确定是否已执行', 'did not respond within 2 seconds'],
  ['never completes its response', 'trickles', 504, 'PowerJob 在 2 秒内没有响应，不确定是否已执行', 'did not respond within 2 seconds'],
  ['drops the connection', 'dropped', 502, 'PowerJob 中断了连接，不确定是否已执行', 'dropped the connection'],
  ['returns a web page', 'html', 502, 'PowerJob 返回的内容无法识别（HTTP 200）', 'invalid response (HTTP 200)'],
  ['returns an empty response', 'empty', 502, 'PowerJob 返回的内容无法识别（HTTP 200）', 'invalid response (HTTP 200)'],
  ['fails with status 500', 'fails', 502, 'PowerJob 返回的内容无法识别（HTTP 500）', 'invalid response (HTTP 500)'],
  ['rejects the request', { message: 'name is too long' }, 502, 'PowerJob 拒绝：name is too long', 'PowerJob rejected the request: name is too long'],
  ['reports an invalid request', { code: -300, message: 'invalid' }, 502, 'PowerJob 认为请求无效：invalid', 'reported an invalid request'],
  ['rejects the password', { code: -400, message: 'x' }, 502, 'PowerJob 应用密码不正确', 'Incorrect PowerJob application password'],
  ['does not know the token', { code: -401, message: 'x' }, 502, 'PowerJob 不接受登录令牌', 'did not accept the token'],
  ['does not know the application', { code: -402, message: 'x' }, 502, 'PowerJob 上不存在该应用', 'Application not found'],
  ['reports an expired token', { code: -403, message: 'x' }, 502, 'PowerJob 不接受登录令牌', 'did not accept the token'],
  ['reports an internal error', { code: -500, message: 'oops' }, 502, 'PowerJob 内部错误：oops', 'PowerJob internal error: oops'],
  ['reports an error without a known code', { code: -501, message: 'oops' }, 502, 'PowerJob 内部错误：oops', 'PowerJob internal error: oops'],
  ['denies access', { code: -1002, message: 'x' }, 502, 'PowerJob 不接受登录令牌', 'did not accept the token'],
])('a server that %s: nothing is written here, and the reason is returned in the language of the caller', async (_, trouble, status, zh, en) => {
  peer.trouble('/saveJob', trouble, trouble);
  expect(await submit()).toMatchObject({ status, msg: zh });
  expect((await server.post(`${path}/job-info/submit`, { ...job, jobServerId: application }, { headers: english() })).msg).toContain(en);
  expect(await server.sql('select from job_info')).toEqual([]);
});

test('every other failing call is reported as well', async () => {
  const { id } = (await submit()).data;
  const run = (await post('job-info/run', { id })).data;
  const refused: [call: string, form: object, at: string][] = [
    ['job-info/change', { id, enable: 0 }, '/disableJob'],
    ['job-info/change', { id, enable: 1 }, '/enableJob'],
    ['job-info/run', { id }, '/runJob'],
    ['job-info/submit', { ...job, jobServerId: application, jobName: '另一个' }, '/queryJob'],
    ['job-info/submit', { ...job, jobServerId: application, id }, '/fetchJob'],
    ['job-instance/stop', { ids: [run] }, '/fetchInstanceStatus'],
    ['job-instance/stop', { ids: [run] }, '/cancelInstance'],
    ['job-instance/stop', { ids: [run] }, '/stopInstance'],
    ['job-instance/retry', { ids: [run] }, '/retryInstance'],
    ['job-instance/retry', { ids: [run] }, '/fetchInstanceInfo'],
  ];
  for (const [call, form, at] of refused) {
    if (at === '/stopInstance') peer.move([...peer.runs.keys()][0] ?? '', { status: 3 });
    if (at === '/fetchInstanceInfo') peer.move([...peer.runs.keys()][0] ?? '', { status: 4 });
    peer.trouble(at, { message: `no ${at}` });
    expect([at, (await post(call, form)).msg]).toEqual([at, `PowerJob 拒绝：no ${at}`]);
  }
  peer.trouble('/fetchAllJob', { message: 'no list' });
  expect((await get('job-server/sync-detail', { id: application })).msg).toBe('PowerJob 拒绝：no list');
  expect((await get('job-info/detail', { id })).data.enable).toBe(1);
});

test('an addition whose answer was lost is not repeated', async () => {
  peer.trouble('/saveJob', 'done and dropped');
  expect((await submit()).status).toBe(502);
  expect(peer.jobs.size).toBe(1);
  const { data } = await submit();
  expect([peer.jobs.size, data.jobId]).toEqual([1, [...peer.jobs.keys()][0]]);
  expect(await submit()).toMatchObject({ status: 409, msg: '该应用下任务名称已存在' });
});

test('a run is never started at a second address after the first may have started it; an unreachable one is skipped', async () => {
  const second = await new PowerJobServer().start();
  const { id } = (await submit()).data;
  const gone = await new PowerJobServer().start();
  const dead = gone.address;
  gone.stop();
  await edit({ jobServerUrl: `${dead},${peer.address},${second.address}`, jobAppPassword: peer.password });
  expect((await post('job-info/run', { id })).code).toBe(200);
  peer.trouble('/runJob', 'done and dropped');
  expect((await post('job-info/run', { id })).status).toBe(502);
  expect([peer.runs.size, second.asked.length]).toEqual([2, 0]);
  await edit({ jobServerUrl: dead, jobAppPassword: peer.password });
  expect(await post('job-info/run', { id })).toMatchObject({ status: 502, msg: '无法连接 PowerJob：ECONNREFUSED' });
  second.stop();
});

test('a wrong password and an unknown application are reported with both sign-in methods', async () => {
  await edit({ jobAppPassword: 'wrong' });
  expect((await submit()).msg).toBe('PowerJob 拒绝：password error!');
  await edit({ jobAppName: 'nobody', jobAppPassword: 'x' });
  expect((await submit()).msg).toContain("can't find app");
  peer.asksForToken = true;
  await edit({ signIn: 2, jobAppName: 'nobody', jobAppPassword: 'x' });
  expect((await submit()).msg).toBe('PowerJob 上不存在该应用');
  await edit({ signIn: 2, jobAppPassword: 'wrong' });
  expect((await submit()).msg).toBe('PowerJob 应用密码不正确');
});

test('a token is requested once, and once more when the server has lost it', async () => {
  // This test starts a new server, because background calls may reach the shared one with a password until the change.
  await peer.stop();
  await startPeer({ signIn: 2 });
  peer.asksForToken = true;
  const { id } = (await submit()).data;
  await post('job-info/change', { id, enable: 0 });
  const logins = () => peer.paths().filter((asked) => asked === '/authApp').length;
  expect(logins()).toBe(1);
  peer.revokeToken();
  expect((await post('job-info/change', { id, enable: 1 })).code).toBe(200);
  expect(logins()).toBe(2);
  expect(JSON.stringify(peer.asked)).not.toContain(peer.password);
  peer.trouble('/disableJob', { code: -1002, message: 'no' }, { code: -1002, message: 'no' });
  expect(await post('job-info/change', { id, enable: 0 })).toMatchObject({ status: 502 });
});

test('external processors run where the deployment allows them', async () => {
  const unavailable = async (field: string) => (await get('job-info/unavailable', { field, jobServerId: application })).data;
  const msg = '部署未放行外部处理器（参数 job.external）';
  expect(await submit({ processorType: 4 })).toMatchObject({ status: 400, msg });
  expect(await unavailable('processorType')).toEqual([{ value: 4, reason: [msg, expect.any(String)] }]);
  expect(await unavailable('executeType')).toEqual([]);
  expect(peer.jobs.size).toBe(0);
  externalAllowed = 'true';
  expect(await unavailable('processorType')).toEqual([]);
  expect((await submit({ processorType: 4, processorInfo: '1#com.shop.Loaded' })).code).toBe(200);
  expect([...peer.jobs.values()].map(({ processorType }) => processorType)).toEqual([4]);
  externalAllowed = 'false';
});

test('applications name their engine, and capabilities of a PowerJob server are not guessed', async () => {
  expect((await get('job-info/processors', { jobServerId: application })).data).toEqual([]);
  await post('job-server/submit', { jobServerName: '本机', jobAppName: 'marquee' });
  const own = (await get('job-server/select', {})).data;
  expect(own.map(({ engine }: { engine: number }) => engine).sort()).toEqual([1, 2]);
});

test('numbers beyond the precision of a double arrive unchanged, and texts stay texts', () => {
  expect(parseJson('{"a":607128282938388544,"b":"x 607128282938388544, \\" 12345678901234567","c":0.1000000000000000055,"d":[1,-607128282938388544]}')).toEqual(
    {
      a: '607128282938388544',
      b: 'x 607128282938388544, " 12345678901234567',
      c: 0.1,
      d: [1, '-607128282938388544'],
    },
  );
  expect(parseJson('<html>')).toBeUndefined();
});

test('times are in the deployment’s zone, on both sides of a daylight saving change', () => {
  expect(epochMsOf('2026-03-29 03:30:00', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 1, 30));
  expect(epochMsOf('2026-03-29 01:30:00', 'Europe/Berlin')).toBe(Date.UTC(2026, 2, 29, 0, 30));
  expect(wallTime(epochMsOf('2026-07-01 08:00:00', 'Asia/Shanghai'), 'Asia/Shanghai')).toBe('2026-07-01 08:00:00');
});
