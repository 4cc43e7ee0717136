import { afterAll, beforeAll, expect, rs, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { jobPlugin } from '../../../../src/plugins/job/server/plugin.ts';
import { openTaskOffice, type TaskOffice, taskPath } from '../../../support/task-office.ts';

const path = '/api/blade-job';
let office: TaskOffice;
let application: string;

beforeAll(async () => {
  const migrations = plugins.find(({ plugin }) => plugin.id === 'job')?.migrations ?? {};
  office = await openTaskOffice({ plugins: [{ plugin: jobPlugin({ leaseSeconds: 5, maxTasks: 10 }, 'east'), migrations }] });
  application = (await office.post(`${path}/job-server/submit`, { jobServerName: '本机', jobAppName: 'marquee' })).data.id;
  const eve = await office.createAuditor('eve');
  const ann = await office.createMember('ann');
  const task = await office.publishTask({ quantity: 30, perUserLimit: 0 });
  const proofs: string[] = [];
  for (let made = 0; made < 6; made += 1) proofs.push(await office.submitProof(task, ann.headers));
  await office.post(`${taskPath}/doAudit`, { ids: proofs.slice(0, 3), status: 1 }, eve.headers);
  await sql(`update task_submission set submit_time = now() - interval '2 days', audit_time = now() - interval '1 day' where id in (${proofs.slice(0, 2)})`);
});
afterAll(() => office.server.stop());

const sql = (statement: string) => office.server.sql(statement);
const figures = () => sql('select day::text, task_id::text, auditor_id::text, submitted, approved, rejected from task_day order by 1, 2, 3');
const significant = async () => (await figures()).filter(({ submitted, approved, rejected }) => submitted || approved || rejected);

async function recount(fields: object = {}) {
  const job = { jobServerId: application, jobName: '重算', timeExpressionType: 1, executeType: 3, processorInfo: 'task:recount-figures', ...fields };
  const added = await office.post(`${path}/job-info/submit`, job);
  expect(added.code, added.msg).toBe(200);
  const run = (await office.post(`${path}/job-info/run`, { id: added.data.id })).data;
  const instance = async () => (await office.get(`${path}/job-instance/detail`, { id: run })).data;
  await rs.waitUntil(async () => ![1, 3].includes((await instance()).state), { timeout: 15_000, interval: 50 });
  const parts = await sql(`select name, result from job_task where instance_id = ${run} and kind = 'part' order by name`);
  return { ...(await instance()), parts };
}

test('each day is recounted by its own part, differences are corrected, and correct values stay', async () => {
  const right = await significant();
  expect(right).toHaveLength(4);
  expect(await recount()).toMatchObject({ state: 5, result: '3 days, 0 corrected' });

  // One figure is wrong, one is missing and one belongs to no row.
  await sql(`update task_day set submitted = submitted + 5 where auditor_id = 0 and day = current_date`);
  await sql(`delete from task_day where auditor_id <> 0 and day = current_date - 1`);
  await sql(`insert into task_day select tenant_id, current_date - 2, task_id, 77, 0, 3, 0 from task_day where day = current_date and auditor_id = 0`);
  const done = await recount();
  expect(done).toMatchObject({ state: 5, result: '3 days, 3 corrected' });
  expect(done.parts.map(({ result }: { result: string }) => result)).toEqual(['1', '1', '1']);
  expect(await significant()).toEqual(right);
});

test('a recount looks back as many days as it is given, and adds nothing twice when two run at once', async () => {
  const right = await significant();
  await sql(`update task_day set submitted = submitted + 5 where auditor_id = 0 and day = current_date - 2`);
  expect(await recount({ jobParams: '{"days":2}' })).toMatchObject({ state: 5, result: '2 days, 0 corrected' });
  await Promise.all([recount({ jobName: '一' }), recount({ jobName: '二' })]);
  expect(await significant()).toEqual(right);
  expect(
    (
      await office.post(`${path}/job-info/submit`, {
        jobServerId: application,
        jobName: '错',
        timeExpressionType: 1,
        processorInfo: 'task:recount-figures',
        jobParams: '{"days":0}',
      })
    ).msg,
  ).toContain('days');
});

test('metrics of other tenants stay unchanged', async () => {
  await office.server.createTenant('others');
  await sql(`insert into task_day values ('others', current_date, 1, 0, 9, 0, 0)`);
  await recount();
  expect(await sql(`select submitted from task_day where tenant_id = 'others'`)).toEqual([{ submitted: 9 }]);
});
