import { afterAll, afterEach, beforeAll, beforeEach, expect, rs, test } from '@rstest/core';
import type { JobDifference } from '#plugins/job/contract';
import { PowerJobServer } from '../../../support/powerjob-server.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-job';
let server: TestServer;
let peer: PowerJobServer;
let admin: Record<string, string>;
let application: string;

const post = (call: string, form: object) => server.post(`${path}/${call}`, form, { headers: admin });
const get = (call: string, query: object) => server.get(`${path}/${call}`, { headers: admin, query: query as Record<string, string> });
const job = { timeExpressionType: 1, executeType: 1, dispatchStrategy: 1, processorType: 1, processorInfo: 'com.shop.Sweep', enable: 1 };
const add = async (jobName: string) => (await post('job-info/submit', { ...job, jobName, jobServerId: application })).data;
const differences = async (): Promise<JobDifference[]> => (await get('job-server/sync-detail', { id: application })).data;
const sync = async (...choices: { key: string; way: 'push' | 'pull' }[]) => (await post('job-server/sync', { id: application, choices })).data;
const here = async () => (await get('job-info/list', { size: '100' })).data.records as Record<string, unknown>[];
const there = () => [...peer.jobs.values()].filter(({ status }) => status !== 99);

beforeAll(async () => {
  server = await openTestServer({ plugins: ['job'], timeScale: 8, environment: { EGRESS_ALLOW: '127.0.0.1' } });
  admin = await server.signIn();
});
afterAll(() => server.stop());
beforeEach(async () => {
  for (const statement of ['delete from job_info', 'delete from job_server']) await server.sql(statement);
  peer = await new PowerJobServer().start();
  const form = { jobServerName: '远程', engine: 2, jobServerUrl: peer.address, jobAppName: peer.appName, jobAppPassword: peer.password };
  application = (await post('job-server/submit', form)).data.id;
});
afterEach(() => peer.stop());

/** Creates one job that differs on both sides, one that exists here only and one that exists there only. */
async function threeDifferences() {
  const both = await add('两边');
  const lost = await add('仅此处');
  peer.jobs.delete(lost.jobId);
  peer.put({ id: both.jobId, concurrency: 8, status: 2, lifecycle: '{"start":1767225600000,"end":1798761600000}' });
  const only = peer.put({ jobName: '仅彼处', timeExpressionType: 3, timeExpression: '60000', jobParams: 'p' });
  return { both, lost, only };
}

test('differences are listed one by one, with their fields', async () => {
  await add('相同');
  const { both, lost, only } = await threeDifferences();
  const found = await differences();
  expect(found.map(({ key, kind, name }) => [key, kind, name])).toEqual(
    expect.arrayContaining([
      [`here:${both.id}`, 'differs', '两边'],
      [`here:${lost.id}`, 'here', '仅此处'],
      [`there:${only}`, 'there', '仅彼处'],
    ]),
  );
  expect(found.length).toBe(3);
  const fields = found.find(({ kind }) => kind === 'differs')?.fields ?? [];
  expect(fields.map(({ field, here: own, there: other }) => [field, own, other])).toEqual([
    ['concurrency', '5', '8'],
    ['enable', '1', '0'],
    ['lifecycle', '', expect.stringMatching(/^2026-01-01 \d\d:00:00,2027-01-01 \d\d:00:00$/)],
  ]);
});

test('each difference is resolved as selected, and others stay', async () => {
  const { both, lost, only } = await threeDifferences();
  expect(await sync({ key: `here:${both.id}`, way: 'pull' }, { key: `there:${only}`, way: 'pull' })).toEqual({ done: 2, failed: [] });
  const rows = await here();
  expect(rows.find(({ id }) => id === both.id)).toMatchObject({ concurrency: 8, enable: 0 });
  expect(rows.find(({ jobName }) => jobName === '仅彼处')).toMatchObject({ jobId: only, timeExpression: '60000', jobParams: 'p', misfire: 1 });
  expect((await differences()).map(({ key }) => key)).toEqual([`here:${lost.id}`]);
  expect(await sync({ key: `here:${lost.id}`, way: 'push' })).toEqual({ done: 1, failed: [] });
  expect(await differences()).toEqual([]);
  expect(
    there()
      .map(({ jobName }) => jobName)
      .sort(),
  ).toEqual(['两边', '仅彼处', '仅此处'].sort());
});

test('in the other direction local jobs lead, and jobs missing locally are removed', async () => {
  const { both, lost, only } = await threeDifferences();
  const outcome = await sync({ key: `here:${both.id}`, way: 'push' }, { key: `here:${lost.id}`, way: 'pull' }, { key: `there:${only}`, way: 'push' });
  expect(outcome).toEqual({ done: 3, failed: [] });
  expect(await differences()).toEqual([]);
  expect((await here()).map(({ jobName }) => jobName)).toEqual(['两边']);
  expect(there()).toMatchObject([{ concurrency: 5, status: 1, jobName: '两边' }]);
});

test('a job that is a node of PowerJob workflows is imported as one, and stays one', async () => {
  const node = peer.put({ jobName: '节点', timeExpressionType: 5, timeExpression: '' });
  expect(await sync({ key: `there:${node}`, way: 'pull' })).toEqual({ done: 1, failed: [] });
  expect(await here()).toMatchObject([{ jobName: '节点', timeExpressionType: 5, workflowId: null, jobId: node }]);
  expect(await differences()).toEqual([]);
  const edited = { ...job, id: (await here())[0]?.id, jobName: '节点', jobServerId: application, timeExpressionType: 5, jobDescription: '只由工作流运行' };
  expect((await post('job-info/submit', edited)).code).toBe(200);
  expect(there()).toMatchObject([{ jobDescription: '只由工作流运行', timeExpressionType: 5 }]);
});

test('failures are listed by name and do not prevent others from being resolved', async () => {
  const { both, lost } = await threeDifferences();
  const python = peer.put({ jobName: '脚本', processorType: 3 });
  const daily = peer.put({ jobName: '每日', timeExpressionType: 11 });
  expect((await differences()).find(({ key }) => key === `there:${python}`)?.unsupported).toBe('「处理器类型」不存在：PYTHON');
  peer.trouble('/saveJob', { message: 'busy' });
  const outcome = await sync(
    { key: `here:${both.id}`, way: 'push' },
    { key: `here:${lost.id}`, way: 'push' },
    { key: `there:${python}`, way: 'pull' },
    { key: `there:${daily}`, way: 'push' },
    { key: 'there:1', way: 'pull' },
  );
  expect(outcome.done).toBe(2);
  expect(outcome.failed.map(({ name }: { name: string }) => name).sort()).toEqual(['there:1', '两边', '脚本'].sort());
  expect(there().some(({ jobName }) => jobName === '每日')).toBe(false);
});

test('a PowerJob job with a number above the local limits is listed and not imported', async () => {
  const many = peer.put({ jobName: '过多', concurrency: 100_000 });
  const reason = '「单机线程并发数」为 100000，此处最大为 256';
  expect((await differences()).find(({ key }) => key === `there:${many}`)?.unsupported).toBe(reason);
  expect(await sync({ key: `there:${many}`, way: 'pull' })).toEqual({ done: 0, failed: [{ name: '过多', reason }] });
  expect(await here()).toEqual([]);
});

test('an empty body resolves everything, even if a server does not answer: local jobs lead, remote-only ones are imported', async () => {
  await threeDifferences();
  const gone = await new PowerJobServer().start();
  const form = { jobServerName: '失联', engine: 2, jobServerUrl: gone.address, jobAppName: 'lost', jobAppPassword: 'x' };
  await post('job-server/submit', form);
  gone.stop();
  const failed = [{ name: '失联', reason: '无法连接 PowerJob：ECONNREFUSED' }];
  expect((await post('job-info/sync', {})).data).toEqual({ done: 3, failed });
  expect(await differences()).toEqual([]);
  expect((await here()).length).toBe(3);
  expect(there().length).toBe(3);
});

test('a local application has nothing to compare, and an unreachable server is reported', async () => {
  const own = (await post('job-server/submit', { jobServerName: '本机', jobAppName: 'own' })).data.id;
  expect(await get('job-server/sync-detail', { id: own })).toMatchObject({ status: 409 });
  peer.stop();
  // A reused connection may break on its next request.
  await rs.waitUntil(async () => (await get('job-server/sync-detail', { id: application })).msg === '无法连接 PowerJob：ECONNREFUSED', { timeout: 15_000 });
  expect(await get('job-server/sync-detail', { id: application })).toMatchObject({ status: 502 });
});
