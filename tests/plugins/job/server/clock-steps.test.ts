import { afterAll, beforeAll, expect, rs, test } from '@rstest/core';
import { plugins } from '#deployment/server';
import { jobPlugin } from '../../../../src/plugins/job/server/plugin.ts';
import { type Database, openDatabase } from '../../../../src/server/data/index.ts';
import { defineServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { onServer, openTestDatabase, serverUrl } from '../../../support/test-database.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const path = '/api/blade-job';
const minute = 60_000;
const probe = defineServerPlugin({
  id: 'probe',
  title: ['探针', 'Probe'],
  dependencies: ['job'],
  setup: () => ({ processors: { 'probe:act': { title: ['探针', 'Probe'], help: ['探针', 'Probe'], run: async () => 'done' } } }),
});

/** SQL that replaces PostgreSQL's own clock with one that can be moved forward and back. */
const clock = `
  create table clock_step (by interval not null);
  insert into clock_step values ('0');
  create function clock_timestamp() returns timestamptz language sql volatile security definer
    as 'select pg_catalog.clock_timestamp() + (select by from public.clock_step)';
`;
const withItsClock = 'set search_path = public, pg_catalog';

let server: TestServer;
let application: string;
let admin: Record<string, string>;
let drop: () => Promise<void>;

/** Opens a database in which every statement uses that clock. */
async function steppedDatabase(): Promise<Database> {
  const { db, url, drop: gone } = await openTestDatabase();
  drop = gone;
  await db.asPlatform('a clock that can be put back', () => db.script(clock));
  if (!url || !serverUrl) {
    await db.asPlatform('a clock that can be put back', () => db.script(withItsClock));
    return db;
  }
  await onServer(serverUrl, `alter database ${new URL(url).pathname.slice(1)} ${withItsClock}`);
  await db.close();
  const stepped = await openDatabase({ url, timeZone: 'Asia/Shanghai' });
  stepped.encryption.setKey(new Uint8Array(32));
  drop = async () => {
    await stepped.close();
    await gone();
  };
  return stepped;
}

beforeAll(async () => {
  const migrations = plugins.find(({ plugin }) => plugin.id === 'job')?.migrations ?? {};
  server = await openTestServer({
    plugins: [{ plugin: jobPlugin({ leaseSeconds: 2, maxTasks: 10 }, 'only'), migrations }, probe],
    db: await steppedDatabase(),
    timeScale: 8,
  });
  admin = await server.signIn();
  application = (await server.post(`${path}/job-server/submit`, { jobServerName: '本机', jobAppName: 'marquee' }, { headers: admin })).data.id;
});
afterAll(async () => {
  await server.stop();
  await drop();
});

const put = (by: string) => server.sql(`update clock_step set by = by + interval '${by}'`);
const job = { executeType: 1, dispatchStrategy: 1, processorType: 1, processorInfo: 'probe:act', enable: 1 };
const add = async (fields: object): Promise<string> =>
  (await server.post(`${path}/job-info/submit`, { ...job, jobServerId: application, ...fields }, { headers: admin })).data.id;
/** Returns the times at which a job had a run, in milliseconds. */
const moments = async (id: string) =>
  (await server.sql(`select (extract(epoch from fire_time) * 1000)::float8 as at from job_instance where job_info_id = ${id} order by fire_time`)).map(
    ({ at }) => Number(at),
  );
const until = (holds: () => Promise<boolean>) => rs.waitUntil(holds, { timeout: 60_000, interval: 40 });
/** Waits until the server has checked its schedules: a job that is due every second has had another run. */
const looked = async (witness: string) => {
  const before = (await moments(witness)).length;
  await until(async () => (await moments(witness)).length > before);
};

test('a clock that is moved forward and back neither repeats nor misses a time; periodic work continues at once', async () => {
  const clocked = await add({ jobName: '整分', timeExpressionType: 2, timeExpression: '0 * * * * ?', misfire: 3 });
  const witness = await add({ jobName: '每秒', timeExpressionType: 3, timeExpression: '1000', misfire: 2 });
  const delayed = await add({ jobName: '间隔', timeExpressionType: 4, timeExpression: '1000' });
  await looked(witness);

  await put('10 minutes');
  await until(async () => (await moments(clocked)).length >= 10);
  await looked(witness);
  const passed = await moments(clocked);
  expect(passed.slice(1).map((moment, index) => moment - (passed[index] ?? 0))).toEqual(passed.slice(1).map(() => minute));

  await put('-8 minutes');
  // Without a check of the clock, the schedules would stand still for eight minutes.
  await looked(witness);
  const rounds = (await moments(delayed)).length;
  await until(async () => (await moments(delayed)).length > rounds);
  expect(await moments(clocked)).toEqual(passed);

  await put('9 minutes');
  await until(async () => (await moments(clocked)).length > passed.length);
  const all = await moments(clocked);
  expect(all.slice(1).map((moment, index) => moment - (all[index] ?? 0))).toEqual(all.slice(1).map(() => minute));
}, 120_000);

test('a lost worker is neither alive nor processing runs until its clock time is reached again', async () => {
  await server.sql(`insert into job_worker (id, name, cpus, memory, disk, seen_at) values ('gone', 'gone', 1, 1, 1, clock_timestamp() + interval '1 hour')`);
  const [task] = await server.sql(
    `update job_task set state = 3, worker = 'gone', fence = 1, lease_until = clock_timestamp() + interval '1 hour'
     where id = (select min(id) from job_task) returning id::text as id`,
  );
  await put('-20 minutes');
  await until(async () => (await server.sql(`select from job_worker where id = 'gone' and seen_at <= clock_timestamp()`)).length === 1);
  // A check that began before the step has corrected the worker alone.
  const shortLease = `select from job_task where id = ${String(task?.id)} and lease_until <= clock_timestamp() + interval '1 minute'`;
  await until(async () => (await server.sql(shortLease)).length === 1);
});
