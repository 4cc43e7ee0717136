import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { scopedUser } from '../../../support/scoped-users.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-job';
const codes = ['jobhome', 'jobinfo', 'jobinstance', 'jobinstance_stop', 'jobinstance_retry', 'jobworkflow', 'jobworkflow_run', 'user'];
type Headers = Record<string, string>;

let server: TestServer;
let admin: Headers;
/** User who sees the job, the runs and the workflow named “own” only. */
let clerk: Headers;
let application: string;
let own: string;
let other: string;

const post = async (call: string, body: object, headers = admin) => server.post(`${path}/${call}`, body, { headers });
const get = async (call: string, query: Record<string, string> = {}, headers = admin) => (await server.get(`${path}/${call}`, { headers, query })).data;

async function addRun(job: string, state: number): Promise<string> {
  const [row] = await server.sql(
    `insert into job_instance (tenant_id, job_info_id, state, trigger, expected_time, start_time, end_time, duration, result)
     values ('000000', ${job}, ${state}, 1, now(), now(), ${state > 3 ? 'now()' : 'null'}, ${state > 3 ? 5 : 'null'}, 'HTTP 503') returning id::text as id`,
  );
  return String(row?.id);
}

beforeAll(async () => {
  server = await openTestServer({ plugins: ['job', 'tenant', 'transfers', 'inbox', 'organization'] });
  admin = await server.signIn();
  application = (await post('job-server/submit', { jobServerName: '本机', jobAppName: 'marquee' })).data.id;
  const form = { jobServerId: application, timeExpressionType: 2, timeExpression: '0 0 3 * * ?', processorInfo: 'job:clean-runs', enable: 1 };
  own = (await post('job-info/submit', { ...form, jobName: 'own' })).data.id;
  other = (await post('job-info/submit', { ...form, jobName: 'other' })).data.id;
  const scopes = [
    { of: 'job_info', rule: { field: 'id', is: [own] } },
    { of: 'job_instance', rule: { field: 'jobInfoId', is: [own] } },
    { of: 'job_workflow', rule: { field: 'workflowName', is: ['own'] } },
    { of: 'user_account', rule: { field: 'account', is: ['clerk'] } },
  ];
  clerk = await scopedUser(server, { account: 'clerk', codes, pages: ['jobinfo', 'jobinstance', 'jobworkflow', 'user'], scopes });
});
afterAll(() => server.stop());

test('the overview has only jobs and runs that the user may see', async () => {
  for (const job of [own, other]) {
    await addRun(job, 4);
    await server.sql(`insert into job_instance (tenant_id, job_info_id, state, trigger, expected_time) values ('000000', ${job}, 2, 1, now())`);
  }
  const jobsIn = async (headers: Headers) => {
    const { nextFires, slowest, failing, running, day, open } = await get('job-info/overview', {}, headers);
    const names = [nextFires, slowest, failing, running].map((rows: { jobName: string }[]) =>
      rows.map(({ jobName }) => jobName).filter((name) => /^o/.test(name)),
    );
    return { names: names.map((some) => some.sort()), failed: day.failed, open };
  };
  expect(await jobsIn(admin)).toEqual({ names: Array(4).fill(['other', 'own']), failed: 2, open: 2 });
  expect(await jobsIn(clerk)).toEqual({ names: Array(4).fill(['own']), failed: 1, open: 1 });
});

test('runs that a user may not see are neither stopped, retried nor replayed', async () => {
  const [open, failed, ownFailed] = [await addRun(other, 1), await addRun(other, 4), await addRun(own, 4)];
  expect(await post('job-instance/stop', { ids: [open] }, clerk)).toMatchObject({ status: 404 });
  expect(await post('job-instance/retry', { ids: [failed] }, clerk)).toMatchObject({ status: 404 });
  expect((await post('job-instance/replay', { ids: [failed, ownFailed] }, clerk)).data).toEqual({ started: 1, failed: [] });
  const states = await server.sql(`select state from job_instance where id in (${open}, ${failed}) order by id`);
  expect(states).toEqual([{ state: 1 }, { state: 4 }]);
  expect(await post('job-instance/stop', { ids: [open] })).toMatchObject({ code: 200 });
});

test('the reason for which a run is not replayed is in the language of the request', async () => {
  await server.sql(`update job_info set max_instance_num = 1 where id = ${own}`);
  await addRun(own, 1);
  const ids = [await addRun(own, 5)];
  const reasonIn = async (language: string) => (await post('job-instance/replay', { ids }, { ...admin, 'accept-language': language })).data.failed[0].reason;
  expect(await reasonIn('en')).toBe('The limit of 1 concurrent runs has been reached.');
  expect(await reasonIn('zh-CN')).toBe('已达到最大实例数 1');
});

test('runs of workflows and the pickers of a job follow the data scopes of the user', async () => {
  const nodes = [{ nodeId: 'a', jobInfoId: own }];
  const addWorkflow = async (workflowName: string) => {
    const { id } = (await post('job-workflow/submit', { jobServerId: application, workflowName })).data;
    await post('job-workflow/draw', { id, nodes, edges: [] });
    return (await post('job-workflow/run', { id })).data as string;
  };
  await server.sql('update job_info set max_instance_num = 0');
  const [ownRun, otherRun] = [await addWorkflow('own'), await addWorkflow('other')];
  const graphOf = async (id: string) => (await server.get(`${path}/job-workflow/run-graph`, { headers: clerk, query: { id } })).status;
  const statusOf = async (call: 'stop' | 'retry', id: string) => (await post(`job-workflow/${call}`, { id }, clerk)).status;
  expect([await graphOf(ownRun), await graphOf(otherRun)]).toEqual([200, 404]);
  expect([await statusOf('stop', otherRun), await statusOf('retry', otherRun)]).toEqual([404, 404]);
  const namesIn = (rows: { name: string }[]) => rows.map(({ name }) => name);
  expect(namesIn(await get('job-info/workflows', { jobServerId: application }, clerk))).toEqual(['own']);
  expect(namesIn(await get('job-info/workflows', { jobServerId: application }))).toEqual(['other', 'own']);
  expect(namesIn(await get('job-info/people', {}, clerk))).toHaveLength(1);
  expect(namesIn(await get('job-info/people')).length).toBeGreaterThan(1);
});
