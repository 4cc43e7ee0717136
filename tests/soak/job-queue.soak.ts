import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { expect, test } from '@playwright/test';
import pg from 'pg';
import PgBoss from 'pg-boss';
import { ownDatabase } from './own-database.ts';
import { report } from './report.ts';

const schedules = Number(process.env.SOAK_SCHEDULES ?? 1000);
const minutes = Number(process.env.SOAK_MINUTES ?? 10);
const section = 'The same jobs with pg-boss as their queue, one of three processes killed and one frozen';
const queue = 'soak';
const minute = 60_000;
/** As in `jobs.soak.ts`. */
const standsStill = 25_000;
const slow = 700;
const maxJobs = 20;
/** The lease of the product's workers. pg-boss measures it from the start of a job and renews nothing, so it also ends jobs that take longer. */
const expireInSeconds = 15;

test(`${schedules} schedules a minute for ${minutes} minutes with pg-boss`, async () => {
  test.setTimeout((minutes + 10) * minute);
  const server = process.env.TEST_DATABASE_URL;
  test.skip(!server, 'three processes need PostgreSQL: TEST_DATABASE_URL');
  const database = await ownDatabase(server as string);
  const service = await slowService();
  const db = new pg.Client(database.url);
  const boss = new PgBoss({ connectionString: database.url, supervise: false });
  const workers: ChildProcess[] = [];
  try {
    await db.connect();
    await db.query('create table effect (job_id uuid, at timestamptz default clock_timestamp()); create table late_report (is_accepted boolean)');
    await boss.start();
    await boss.createQueue(queue, { name: queue, retryLimit: 3, retryDelay: 0, expireInSeconds });
    const first = Math.ceil((Date.now() + 10_000) / minute) * minute;
    const last = first + minutes * minute;
    for (let index = 0; index < minutes; index += 1)
      await boss.insert(
        Array.from({ length: schedules }, (_, count) => ({ name: queue, startAfter: new Date(first + index * minute + (count % 60) * 1000), expireInSeconds })),
      );
    for (let count = 0; count < 3; count += 1) {
      const worker = fork(join(import.meta.dirname, 'queue-worker.mjs'), [database.url, service.url, queue, String(maxJobs)]);
      workers.push(worker);
      await once(worker, 'message');
    }
    const [, killed, frozen] = workers;
    /** Waits until a process has taken jobs, so that stopping it leaves some behind. */
    const atWork = (worker: ChildProcess | undefined) => worker && once(worker, 'message');

    await wait(first + (last - first) * 0.3 - Date.now());
    await atWork(killed);
    killed?.kill('SIGKILL');
    await wait(first + (last - first) * 0.5 - Date.now());
    await atWork(frozen);
    frozen?.kill('SIGSTOP');
    await wait(standsStill);
    frozen?.kill('SIGCONT');
    await wait(last - Date.now());
    const count = async (statement: string) => Number((await db.query(statement)).rows[0].count);
    await expect.poll(() => count(`select count(*) from pgboss.job where state < 'completed'`), { timeout: 2 * minute }).toBe(0);

    const { rows } = await db.query<{ lag: number }>(
      `select (extract(epoch from min(e.at) - j.start_after) * 1000)::float8 - ${slow} as lag from pgboss.job j join effect e on e.job_id = j.id where j.retry_count = 0
        group by j.id, j.start_after order by lag`,
    );
    const share = (part: number) => Math.round(rows[Math.min(rows.length - 1, Math.floor(rows.length * part))]?.lag ?? Number.POSITIVE_INFINITY);
    report(section, { what: 'times due', after: await count('select count(*) from pgboss.job') });
    report(section, { what: 'missed', after: await count('select count(*) from pgboss.job j where not exists (select from effect e where e.job_id = j.id)') });
    report(section, {
      what: 'runs taken over from the one killed and the one frozen',
      after: await count('select count(*) from pgboss.job where retry_count > 0'),
    });
    report(section, {
      what: 'times with two effects in the database',
      after: await count('select count(*) from (select from effect group by job_id having count(*) > 1) twice'),
    });
    report(section, { what: 'late results refused', after: await count('select count(*) from late_report where not is_accepted') });
    report(section, {
      what: 'late results accepted in place of those of the process that had taken over',
      after: await count('select count(*) from late_report where is_accepted'),
    });
    report(section, { what: 'lag, median, ms', after: share(0.5) });
    report(section, { what: 'lag, 99 of 100, ms', after: share(0.99) });
    expect(service.calls()).toBeGreaterThanOrEqual(schedules * minutes);
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
    service.stop();
    await boss.stop({ graceful: false });
    await db.end();
    await database.drop();
  }
});

test('pg-boss on the embedded database', async () => {
  test.setTimeout(5 * minute);
  const embedded = await PGlite.create();
  const executeSql = async (text: string, values: unknown[] = []) => {
    if (values.length > 0) return embedded.query<Record<string, unknown>>(text, values);
    return { rows: (await embedded.exec(text)).flatMap((result) => result.rows) };
  };
  const boss = new PgBoss({ db: { executeSql } as unknown as PgBoss.Db, supervise: false });
  try {
    await boss.start();
    await boss.createQueue(queue);
    await boss.insert(Array.from({ length: 1000 }, () => ({ name: queue })));
    let done = 0;
    for (let jobs = await boss.fetch(queue, { batchSize: maxJobs }); jobs.length > 0; jobs = await boss.fetch(queue, { batchSize: maxJobs })) {
      await boss.complete(
        queue,
        jobs.map(({ id }) => id),
      );
      done += jobs.length;
    }
    report(section, { what: 'of 1,000 jobs on the embedded database, done', after: done });
    expect(done).toBe(1000);
  } finally {
    await boss.stop({ graceful: false });
    await embedded.close();
  }
});

/** Starts the service that jobs call. */
async function slowService(): Promise<{ url: string; calls: () => number; stop: () => void }> {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    setTimeout(() => response.end('done'), slow);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, calls: () => calls, stop };
}
