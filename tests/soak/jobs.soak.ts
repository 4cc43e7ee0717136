import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import pg from 'pg';
import { Product } from '../journeys/product.ts';
import { ownDatabase } from './own-database.ts';
import { report } from './report.ts';

const schedules = Number(process.env.SOAK_SCHEDULES ?? 1000);
const minutes = Number(process.env.SOAK_MINUTES ?? 10);
const section = 'Scheduled jobs on three replicas, one killed and one frozen';
const minute = 60_000;
/** A frozen replica stands still for this time, which is well beyond its lease. */
const standsStill = 25_000;
/** The service that jobs call takes this long to answer, so that replicas have runs in progress. */
const slow = 700;
const maxLag = 20_000;

test(`${schedules} schedules a minute for ${minutes} minutes: none is missed and none is fired twice`, async () => {
  test.setTimeout((minutes + 10) * minute);
  const server = process.env.TEST_DATABASE_URL;
  test.skip(!server, 'three replicas need PostgreSQL: TEST_DATABASE_URL');
  const database = await ownDatabase(server as string);
  const heard = await effects();
  const secrets = { SECRET_KEY: randomBytes(36).toString('base64'), NODE_ENV: 'development', CAPTCHA_TEST_ANSWER: '', CAPTCHA_MODE: 'off' };
  const environment = { ...secrets, DATABASE_URL: database.url, EGRESS_ALLOW: '127.0.0.1', API_DOCS: 'off' };
  const replicas = [new Product(environment), new Product(environment), new Product(environment)] as const;
  const db = new pg.Client(database.url);
  try {
    for (const replica of replicas) await replica.start();
    await db.connect();
    /** Waits until a replica has a run in progress. */
    const atWork = async (replica: Product) => {
      const inHand = `select from job_task t join job_worker w on w.id = t.worker where t.state = 3 and w.name = $1`;
      for (const timeoutMs = Date.now() + 15_000; Date.now() < timeoutMs; await wait(10))
        if ((await db.query(inHand, [`${hostname()}:${replica.pid}`])).rowCount) return;
    };
    const client = await replicas[0].signIn();
    const { id: jobServerId } = (await client.post('/api/blade-job/job-server/submit', { jobServerName: 'soak', jobAppName: 'soak' })).data;
    // Spread over the minute; each schedule fires once per minute.
    for (let count = 0; count < schedules; count += 1) {
      const job = { jobServerId, jobName: `soak ${count}`, timeExpressionType: 2, timeExpression: `${count % 60} * * * * ?`, enable: 0 };
      const what = {
        executeType: 1,
        dispatchStrategy: 1,
        processorType: 1,
        processorInfo: 'job:http-call',
        jobParams: JSON.stringify({ url: heard.url }),
        logLevel: 4,
      };
      expect((await client.post('/api/blade-job/job-info/submit', { ...job, ...what })).code).toBe(200);
    }
    const first = Math.ceil((Date.now() + 5000) / minute) * minute;
    const last = first + minutes * minute;
    await wait(first - Date.now() - 3000);
    // All schedules are enabled at once, in the seconds before the first whole minute.
    await db.query(`update job_info set enable = 1`);
    await db.query(
      `insert into job_schedule (job_info_id, tenant_id, next_fire) select id, tenant_id, to_timestamp($1::float8 / 1000) + make_interval(secs => split_part(time_expression, ' ', 1)::integer) from job_info`,
      [first],
    );

    await wait(first + (last - first) * 0.3 - Date.now());
    await atWork(replicas[1]);
    await replicas[1].stop('SIGKILL');
    await wait(first + (last - first) * 0.5 - Date.now());
    await atWork(replicas[2]);
    replicas[2].freeze();
    await wait(standsStill);
    replicas[2].thaw();
    await wait(last - Date.now());
    await db.query(`delete from job_schedule`);
    const openRuns = async () => Number((await db.query('select count(*) from job_instance where state in (1, 3)')).rows[0].count);
    for (const timeoutMs = Date.now() + 2 * minute; Date.now() < timeoutMs && (await openRuns()) > 0; ) await wait(1000);

    const { rows } = await db.query<{ id: string; job: string; at: number; state: number; result: string | null; lag: number; times: number }>(
      `select i.id::text, i.job_info_id::text as job, (extract(epoch from i.fire_time) * 1000)::float8 as at, i.state, i.result, i.running_times as times,
         (extract(epoch from i.began_at - i.fire_time) * 1000)::float8 as lag from job_instance i where i.fire_time < to_timestamp($1::float8 / 1000)`,
      [last],
    );
    const due = await db.query<{ id: string; second: number }>(`select id::text, split_part(time_expression, ' ', 1)::integer as second from job_info`);
    const expected = new Set(
      due.rows.flatMap(({ id, second }) => Array.from({ length: minutes }, (_, index) => `${id} ${first + index * minute + second * 1000}`)),
    );
    const momentOf = new Map(rows.map(({ id, job, at }) => [id, `${job} ${at}`]));
    const done = new Set(rows.filter(({ state, id }) => state === 5 && heard.keys.has(id)).map(({ job, at }) => `${job} ${at}`));
    const resultOf = new Map(rows.map(({ job, at, state, result }) => [`${job} ${at}`, `state ${state}, ${result}`]));
    const missed = [...expected].filter((moment) => !done.has(moment)).map((moment) => `${moment}: ${resultOf.get(moment) ?? 'no run'}`);
    const undue = rows.filter(({ job, at }) => !expected.has(`${job} ${at}`));
    const known = new Set((await db.query('select id::text from job_instance')).rows.map(({ id }) => id));
    const ofNobody = [...heard.keys.keys()].filter((key) => !known.has(key));
    const moments = [...heard.keys.keys()].flatMap((key) => momentOf.get(key) ?? []);
    const twice = moments.length - new Set(moments).size;
    // A replica that was killed during a run may have made its call; the replica that takes over repeats it with the same key.
    const lost = new Set((await db.query('select distinct instance_id::text as id from job_task where losses > 0')).rows.map(({ id }) => id));
    const repeated = [...heard.keys].filter(([, times]) => times > 1).map(([key]) => key);
    const late = await db.query(`select from usual_log where log_id = 'job:late-result-refused'`);
    const lags = rows.map(({ lag }) => lag).sort((one, other) => one - other);
    const share = (part: number) => Math.round(lags[Math.min(lags.length - 1, Math.floor(lags.length * part))] ?? Number.POSITIVE_INFINITY);
    report(section, { what: 'schedules', after: schedules });
    report(section, { what: 'times due', after: expected.size });
    report(section, { what: 'missed', after: missed.length, bound: 0 });
    report(section, { what: 'runs at times that were not due, or that already had a run', after: undue.length + rows.length - momentsOf(rows), bound: 0 });
    report(section, { what: 'times with two effects', after: twice, bound: 0 });
    report(section, { what: 'effects of unknown runs', after: ofNobody.length, bound: 0 });
    report(section, { what: 'runs taken over from the one killed and the one frozen', after: lost.size });
    report(section, { what: 'of these called again, with the same key', after: repeated.length });
    report(section, { what: 'calls repeated without need', after: repeated.filter((key) => !lost.has(key)).length, bound: 0 });
    report(section, { what: 'late results refused', after: late.rowCount ?? 0 });
    report(section, { what: 'lag, median, ms', after: share(0.5) });
    report(section, { what: 'lag, 99 of 100, ms', after: share(0.99), bound: maxLag });
    expect(expected.size).toBe(schedules * minutes);
    expect(missed).toEqual([]);
    expect(undue).toEqual([]);
    expect(momentsOf(rows)).toBe(rows.length);
    expect(twice).toBe(0);
    expect(ofNobody).toEqual([]);
    expect(lost.size).toBeGreaterThanOrEqual(2);
    expect(repeated.filter((key) => !lost.has(key))).toEqual([]);
    expect(share(0.99)).toBeLessThan(maxLag);
  } finally {
    heard.stop();
    await db.end();
    replicas[2].thaw();
    for (const replica of replicas) await replica.discard();
    await database.drop();
  }
});

const momentsOf = (rows: readonly { job: string; at: number }[]) => new Set(rows.map(({ job, at }) => `${job} ${at}`)).size;

/** Starts the service that jobs call. It recognises a repeated call by the key of the run, as documented. */
async function effects(): Promise<{ url: string; keys: Map<string, number>; stop: () => void }> {
  const keys = new Map<string, number>();
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    keys.set(key, (keys.get(key) ?? 0) + 1);
    setTimeout(() => response.end('done'), slow);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { keys, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop };
}
