import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { defineServerPlugin, route } from '#server';
import { NoContent, post } from '#shared/contract';
import { type Database, openDatabase } from '../../../src/server/data/index.ts';
import { waitForDatabase } from '../../../src/server/data/open-database.ts';
import { FaultyProxy } from '../../support/faulty-proxy.ts';
import { PostgresCluster } from '../../support/postgres-cluster.ts';
import { serverUrl } from '../../support/test-database.ts';
import { openTestServer, type Reply, type TestServer } from '../../support/test-server.ts';

const Nap = Type.Object({ seconds: Type.Number() });
const nap = post('/api/test/nap', { title: ['小睡', 'Nap'], access: 'open', input: Nap, reply: NoContent });

/** Runs a statement that sleeps, on a connection of the given database. Without a duration, short statements follow one another while `isHeld` returns true. */
const napper = (lent: () => Database, isHeld: () => boolean) =>
  defineServerPlugin({
    id: 'napper',
    title: ['小睡', 'Naps'],
    setup() {
      const sleep = async (db: Database, seconds: number) => {
        do await db.sql.execute(sql`select pg_sleep(${seconds || 0.2})`);
        while (seconds === 0 && isHeld());
        return null;
      };

      return {
        routes: [route(nap, ({ input }) => lent().asPlatform('a test holds a connection', () => sleep(lent(), input.seconds)), { manualTransactions: true })],
      };
    },
  });

// Without PostgreSQL the run reports that it skips these tests.
describe.runIf(serverUrl !== undefined)('a server whose database is lost', () => {
  let cluster: PostgresCluster;
  let standby: PostgresCluster | undefined;
  let proxy: FaultyProxy;
  let db: Database;
  /** A pool of the same database with a statement time-out of one second. */
  let tight: Database;
  let isHeld = false;
  let server: TestServer;
  let headers: Record<string, string>;

  beforeAll(async () => {
    cluster = await PostgresCluster.make();
    proxy = await FaultyProxy.before(cluster.port);
    db = await openDatabase({ url: cluster.urlAt(proxy.port), timeZone: 'Asia/Shanghai' });
    server = await openTestServer({
      db,
      plugins: [
        napper(
          () => tight,
          () => isHeld,
        ),
      ],
    });
    headers = await server.signIn();
  });

  afterAll(async () => {
    await server.stop();
    await db.close();
    await tight?.close();
    await proxy.close();
    cluster.remove();
    standby?.remove();
  });

  const ready = async () => (await server.app.inject('/health/ready')).statusCode;
  const write = (language = 'en') =>
    server.post('/api/things-system/preference/submit', { key: 'table', version: 1, value: {} }, { headers: { ...headers, 'accept-language': language } });
  const sleep = (input: Static<typeof Nap>) => server.post(nap.path, input, { headers: { 'accept-language': 'en' } });
  const read = () => server.get('/api/things-system/preference/list', { headers });

  async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; milliseconds: number }> {
    const began = performance.now();
    const result = await work();
    return { result, milliseconds: performance.now() - began };
  }

  async function isBack(): Promise<void> {
    const { milliseconds } = await timed(async () => {
      while ((await ready()) !== 200 || (await write()).status >= 500) await pause(50);
    });
    expect(milliseconds).toBeLessThan(5000);
  }

  function expectComeBack(replies: readonly Reply[]): void {
    for (const {
      status,
      headers: { 'retry-after': after },
      msg,
    } of replies) {
      expect([status, after, msg]).toEqual([503, '5', 'The service is temporarily unavailable. Try again later.']);
    }
  }

  test('that stops answering is not ready within two seconds, refuses reads and writes with a retry time, and is back within five', async () => {
    expect((await write()).status).toBe(200);
    proxy.fallSilent();
    const calls = Promise.all(Array.from({ length: 30 }, () => write()));
    const probe = await timed(ready);
    expect(probe.result).toBe(503);
    expect(probe.milliseconds).toBeLessThan(2000);
    const { result, milliseconds } = await timed(() => calls);
    expect(milliseconds).toBeLessThan(7000);
    expectComeBack(result);
    // From then on no request waits, and only the monitoring connection is opened.
    const before = proxy.accepted;
    const refused = await timed(() => Promise.all([...Array.from({ length: 50 }, () => write()), read()]));
    expect(refused.milliseconds).toBeLessThan(1000);
    expect(proxy.accepted - before).toBeLessThan(4);
    expectComeBack(refused.result.slice(0, -1));
    expect((await write('zh')).msg).toBe('服务暂不可用，请稍后再试');
    proxy.return();
    await isBack();
  });

  test('that takes too long for a statement, or has no connection free, answers 503 and serves the next', async () => {
    tight = await openDatabase({ url: cluster.url, timeZone: 'Asia/Shanghai', poolSize: 10, statementSeconds: 1 });
    isHeld = true;
    const hold = () => sleep({ seconds: 0 });
    const holders = Array.from({ length: 9 }, hold);
    const sleeping = async () => (await server.sql("select from pg_stat_activity where wait_event = 'PgSleep'")).length;
    await expect.poll(sleeping, { timeout: 10_000 }).toBe(9);
    const slow = await timed(() => sleep({ seconds: 3 }));
    expectComeBack([slow.result]);
    expect(slow.milliseconds).toBeLessThan(2000);
    holders.push(hold());
    await expect.poll(sleeping, { timeout: 10_000 }).toBe(10);
    const eleventh = await timed(() => sleep({ seconds: 0.1 }));
    expectComeBack([eleventh.result]);
    expect(eleventh.milliseconds).toBeGreaterThan(9900);
    isHeld = false;
    expect((await Promise.all(holders)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await sleep({ seconds: 0.1 })).status).toBe(200);
  }, 60_000);

  test('that is killed and started again', async () => {
    cluster.kill();
    await pause(300);
    expect(await ready()).toBe(503);
    expectComeBack([await write()]);
    let isSaid = false;
    const awaited = waitForDatabase(
      () => openDatabase({ url: cluster.url, timeZone: 'Asia/Shanghai', poolSize: 1 }),
      30,
      () => (isSaid = true),
    );
    await pause(2000);
    expect(isSaid).toBe(true);
    await startedAgain(cluster);
    await isBack();
    await (await awaited).close();
  });

  test('that fails over to a standby is refused until that one is promoted', async () => {
    standby = await cluster.standby();
    proxy.fallSilent();
    proxy.return(standby.port);
    cluster.kill();
    while ((await ready()) === 200) await pause(50);
    await pause(1500);
    expect(await ready()).toBe(503);
    expectComeBack([await write()]);
    standby.promote();
    await isBack();
  });
});

/** The memory of the killed server's processes is released after a moment. */
async function startedAgain(cluster: PostgresCluster): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return cluster.start();
    } catch (error) {
      if (tries === 20) throw error;
      await pause(200);
    }
  }
}
