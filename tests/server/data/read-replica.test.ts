import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import * as Type from 'typebox';
import { defineServerPlugin, route } from '#server';
import { get } from '#shared/contract';
import { queryRows } from '../../../src/server/data/database/rows.ts';
import { type Database, openDatabase } from '../../../src/server/data/index.ts';
import { PostgresCluster } from '../../support/postgres-cluster.ts';
import { onServer, serverUrl } from '../../support/test-database.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';

const Answer = Type.Object({ isReplica: Type.Boolean(), names: Type.Array(Type.String()) });
const declaration = { title: ['岗位', 'Posts'], access: 'signedIn', input: Type.Object({}), reply: Answer } as const;
const lagging = get('/api/test/lagging', { ...declaration, mayLag: true });
const current = get('/api/test/current', declaration);
const lists = { post: '/api/blade-system/post/list', save: '/api/blade-system/post/submit' };

/** Plugin that returns all visible posts, and whether the replica has read them. */
const reader = (db: () => Database) => {
  const read = async () => {
    const rows = await queryRows<{ isReplica: boolean; name: string }>(
      db(),
      sql`select pg_is_in_recovery() as "isReplica", post_name as name from post order by id`,
    );
    return { isReplica: rows[0]?.isReplica ?? false, names: rows.map(({ name }) => name) };
  };
  return defineServerPlugin({ id: 'reader', title: ['读', 'Reads'], setup: () => ({ routes: [route(lagging, read), route(current, read)] }) });
};

// Without PostgreSQL the run reports that it skips these tests.
describe.runIf(serverUrl !== undefined)('two servers on a primary and its read replica', () => {
  let primary: PostgresCluster;
  let standby: PostgresCluster;
  const databases: Database[] = [];
  const servers: TestServer[] = [];
  let requests = 0;

  beforeAll(async () => {
    primary = await PostgresCluster.make();
    standby = await primary.standby();
    for (let index = 0; index < 2; index += 1) {
      const db = await openDatabase({ url: primary.url, readUrl: standby.url, timeZone: 'Asia/Shanghai' });
      databases.push(db);
      const plugins = ['dictionary', 'organization', reader(() => db)];
      servers.push(await openTestServer({ db, plugins, environment: { SECRET_KEY: 'one key of the servers with a read replica' } }));
    }
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) await server.stop();
    for (const db of databases) await db.close();
    standby.remove();
    primary.remove();
  });

  /** Opens a browser, which keeps the cookie. A load balancer sends each of its requests to the next server. */
  const openBrowser = async (tenantId = '000000', account = 'admin') => {
    const headers = await (servers[0] as TestServer).signIn(account, tenantId);
    let cookie = '';
    const next = () => servers[requests++ % servers.length] as TestServer;
    const save = async (name: string) => {
      const reply = await next().post(lists.save, { postName: name, postCode: name, category: 1, sort: 1 }, { headers: { ...headers, cookie } });
      expect([reply.status, reply.msg]).toEqual([200, expect.any(String)]);
      cookie = String(reply.headers['set-cookie']).split(';')[0] ?? '';
      expect(cookie).toMatch(/^marquee-position=\d+$/);
    };
    const read = async (path = lagging.path) => (await next().get(path, { headers: { ...headers, cookie } })).data as { isReplica: boolean; names: string[] };
    const names = async () => {
      const { status, data } = await next().get(lists.post, { headers: { ...headers, cookie }, query: { size: '200' } });
      expect(status).toBe(200);
      return (data.records as { postName: string }[]).map(({ postName }) => postName);
    };
    const withoutCookie = async () => (await next().get(lagging.path, { headers })).data as { isReplica: boolean };
    return { save, read, names, withoutCookie };
  };
  type Browser = Awaited<ReturnType<typeof openBrowser>>;
  const readsReplica = ({ read }: Browser) => expect.poll(async () => (await read()).isReplica && (await read()).isReplica, { timeout: 15_000 }).toBe(true);

  test('answer lists and figures of a browser from the replica, and everything else from the primary', async () => {
    const browser = await openBrowser();
    await browser.save('first');
    await readsReplica(browser);
    expect((await browser.withoutCookie()).isReplica).toBe(false);
    expect((await browser.read(current.path)).isReplica).toBe(false);
    const scans = async () => {
      const db = await openDatabase({ url: primary.url, timeZone: 'UTC', poolSize: 3 });
      const rows = await db.asPlatform('a test', () =>
        queryRows<{ scans: string }>(db, sql`select (seq_scan + coalesce(idx_scan, 0))::text as scans from pg_stat_user_tables where relname = 'post'`),
      );
      await db.close();
      return Number(rows[0]?.scans);
    };
    /** Returns the number of scans once it no longer grows: work such as that of the search index follows the write. */
    const quietScans = async (last = -1): Promise<number> => {
      await pause(1500);
      const count = await scans();
      return count === last ? count : quietScans(count);
    };
    /** Returns the number of scans on the primary during twenty lists. */
    const scansOfLists = async () => {
      const before = await quietScans();
      for (let times = 0; times < 20; times += 1) expect(await browser.names()).toContain('first');
      await pause(1500);
      return (await scans()) - before;
    };
    // On a busy machine later work after the write can send a list to the primary once.
    await expect.poll(scansOfLists, { timeout: 40_000 }).toBe(0);
  }, 60_000);

  test('show a browser its own write at once, on whichever server', async () => {
    const browser = await openBrowser();
    for (let times = 0; times < 20; times += 1) {
      await browser.save(`own ${times}`);
      expect(await browser.names()).toContain(`own ${times}`);
    }
  });

  test('show others the older state while the replica lags, for five seconds at most', async () => {
    const [writer, other] = [await openBrowser(), await openBrowser()];
    await other.save('seen');
    await readsReplica(other);
    onTestFinished(async () => void (await onServer(standby.url, 'select pg_wal_replay_resume()')));
    await onServer(standby.url, 'select pg_wal_replay_pause()');
    await expect.poll(() => replayState(standby), { timeout: 5000, interval: 20 }).toBe('paused');
    const began = performance.now();
    await writer.save('while paused');
    expect(await writer.names()).toContain('while paused');
    expect((await writer.read()).isReplica).toBe(false);
    expect((await other.read()).names).not.toContain('while paused');
    await expect.poll(async () => (await other.read()).names.includes('while paused'), { timeout: 15_000, interval: 100 }).toBe(true);
    expect(performance.now() - began).toBeLessThan(8000);
    // The servers notice the lag one after the other.
    await expect.poll(async () => (await other.read()).isReplica || (await other.read()).isReplica, { timeout: 5000 }).toBe(false);
    expect(databases[0]?.replicaLagSeconds).toBeGreaterThan(4);
    await onServer(standby.url, 'select pg_wal_replay_resume()');
    await readsReplica(other);
    expect((await other.read()).names).toContain('while paused');
  });

  test('keep tenants apart on the replica', async () => {
    const [server] = servers as [TestServer];
    await server.createTenant('rivals');
    await server.createUser({ account: 'rival', tenantId: 'rivals', codes: ['post', 'post_add'] });
    const [owner, rival] = [await openBrowser(), await openBrowser('rivals', 'rival')];
    await owner.save('canary');
    await rival.save('of the rival');
    await readsReplica(rival);
    expect((await rival.read()).names).toEqual(['of the rival']);
    expect(await rival.names()).toEqual(['of the rival']);
    await readsReplica(owner);
    expect((await owner.read()).names).toContain('canary');
    expect((await owner.read()).names).not.toContain('of the rival');
  });

  test('repeat on the primary what fails on the replica, and read it again once it is back', async () => {
    const browser = await openBrowser();
    const name = `before the kill ${Date.now()}`;
    await browser.save(name);
    await readsReplica(browser);
    let isOver = false;
    let answered = 0;
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        expect(await browser.names()).toContain(name);
        answered += 1;
      }
    });
    await pause(300);
    standby.kill();
    await pause(1500);
    isOver = true;
    await Promise.all(load);
    expect(answered).toBeGreaterThan(20);
    expect((await browser.read()).isReplica).toBe(false);
    expect(databases[0]?.replicaLagSeconds).toBeUndefined();
    await expect.poll(() => tryStart(standby), { timeout: 15_000 }).toBe(true);
    await readsReplica(browser);
  }, 60_000);

  test('do not use a copy of another database', async () => {
    const db = await openDatabase({ url: primary.url, readUrl: serverUrl, timeZone: 'UTC', poolSize: 3 });
    await pause(1000);
    const position = await db.position();
    const [row] = await db.readReplica({ tenantId: '000000' }, position, () => queryRows<{ port: string }>(db, sql`select current_setting('port') as port`));
    expect(row?.port).toBe(String(primary.port));
    await db.close();
  });
});

/** Tries to start the server, which fails until the memory of its killed processes is released. */
function tryStart(cluster: PostgresCluster): boolean {
  try {
    cluster.start();
    return true;
  } catch {
    return false;
  }
}

async function replayState(standby: PostgresCluster): Promise<string> {
  const client = new pg.Client({ connectionString: standby.url });
  await client.connect();
  const { rows } = await client.query<{ state: string }>('select pg_get_wal_replay_pause_state() as state');
  await client.end();
  return rows[0]?.state ?? '';
}
