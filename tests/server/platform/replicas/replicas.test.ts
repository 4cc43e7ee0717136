import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { openDatabase } from '../../../../src/server/data/index.ts';
import { kernelMigrations } from '../../../../src/server/host/kernel-migrations.ts';
import type { ServerPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import type { ReplicaFacts } from '../../../../src/server/platform/replicas/replica-facts.ts';
import { Replicas, type ReplicasDeps } from '../../../../src/server/platform/replicas/replicas.ts';
import { ServerState } from '../../../../src/server/platform/replicas/server-report.ts';
import { openTestDatabase, serverUrl } from '../../../support/test-database.ts';
import { openTestServer, type TestServer, testServer } from '../../../support/test-server.ts';

const SECRET_KEY = 'rN0o4mQ2sU8wY6aC1eG3iK5lP7tV9xZb+/=';
const plugin = (id: string, version?: string): ServerPlugin => ({ id, title: [id, id], ...(version ? { version } : {}), setup: () => ({}) });
const plugins = [plugin('lamp', '1.0.0'), plugin('desk')];
const state = new ServerState({
  db: { connections: () => undefined },
  configuration: { secretKey: SECRET_KEY, dataDirectory: '/', backupDirectory: undefined, databaseConnections: 3 },
  plugins: () => ({ running: [], skipped: [] }),
});

// Without PostgreSQL the run reports that it skips these tests.
describe.runIf(serverUrl !== undefined)('servers before one PostgreSQL', () => {
  let url: string;
  let drop: () => Promise<void>;
  let first: TestServer;
  const startServer = async (options: Parameters<typeof openTestServer>[0] = {}): Promise<TestServer> => {
    const db = await openDatabase({ url, timeZone: 'Asia/Shanghai', poolSize: 3 });
    const environment = { SECRET_KEY, ROLLING_CHANGE: 'off', ...options.environment };
    const server = await openTestServer({ plugins, ...options, environment, db }).catch(async (error) => {
      await db.close();
      throw error;
    });
    const stop = () => server.stop().finally(() => db.close());
    return { ...server, stop };
  };
  const refusalOf = async (options: Parameters<typeof openTestServer>[0]) => {
    const { message } = await startServer(options).then(
      () => new Error('not refused'),
      (error: Error) => error,
    );
    expect(message).not.toContain(SECRET_KEY);
    expect(message).not.toContain('\n');
    return message;
  };
  const runningCount = async () => (await first.sql('select count(*)::integer as count from replica'))[0]?.count;

  beforeAll(async () => {
    const database = await openTestDatabase();
    url = database.url as string;
    drop = database.drop;
    first = await startServer({ timeScale: 8 });
  });
  afterAll(async () => {
    await first.stop();
    await drop();
  });

  /** Records a killed server in another time zone, whose last heartbeat was some seconds ago. */
  const addKilledServer = async (secondsAgo: number) => {
    await first.sql("delete from replica where facts ->> 'host' = 'gone'");
    await first.sql(
      `insert into replica select gen_random_uuid(), facts || '{"host": "gone", "timeZone": "Asia/Tokyo"}', start_time, clock_timestamp() - interval '${secondsAgo} seconds' from replica`,
    );
  };

  test('an equal server may join, and is removed as soon as it has stopped', async () => {
    const second = await startServer();
    expect(await runningCount()).toBe(2);
    await second.stop();
    expect(await runningCount()).toBe(1);
  });

  test('another SECRET_KEY is refused, and the message contains neither key', async () => {
    const other = `${SECRET_KEY}another`;
    const message = await refusalOf({ environment: { SECRET_KEY: other } });
    expect(message).toMatch(/^SECRET_KEY differs from that of the server running on .+: set SECRET_KEY to the same value on every server/);
    expect(message).not.toContain(other);
    expect(JSON.stringify(await first.sql('select facts from replica'))).not.toContain(SECRET_KEY);
  });

  test('another TIME_ZONE is refused, and the message has both', async () => {
    expect(await refusalOf({ environment: { TIME_ZONE: 'Asia/Tokyo' } })).toMatch(
      /^TIME_ZONE is Asia\/Tokyo here and Asia\/Shanghai on the server running on .+: set TIME_ZONE to Asia\/Shanghai,/,
    );
  });

  test('another bucket for files is refused, so that no server stores files that the others do not find', async () => {
    const bucket = { FILES_BUCKET: 'files', FILES_ENDPOINT: 'https://s3.example', FILES_ACCESS_KEY: 'key', FILES_SECRET_KEY: 'of the bucket' };
    const message = await refusalOf({ environment: bucket });
    expect(message).toMatch(
      /^The bucket for files differs from that of the server running on .+: set FILES_BUCKET and FILES_ENDPOINT to the same values on every server/,
    );
    expect(message).not.toContain('of the bucket');
  });

  test('other plugins or other versions of them are refused by name, unless ROLLING_CHANGE allows them', async () => {
    const others = [plugin('lamp', '1.1.0'), plugin('chair')];
    expect(await refusalOf({ plugins: others })).toMatch(
      /^The plugins differ from those of the server running on .+ \(only here: chair, lamp@1\.1\.0; only there: desk, lamp@1\.0\.0\): .+ROLLING_CHANGE=plugins/,
    );
    const rolled = await startServer({ plugins: others, environment: { ROLLING_CHANGE: 'plugins' } });
    await rolled.stop();
    expect(await refusalOf({ plugins: others, environment: { ROLLING_CHANGE: 'plugins', TIME_ZONE: 'Asia/Tokyo' } })).toMatch(/^TIME_ZONE/);
  });

  test('a refused server leaves neither a registration nor a change behind', async () => {
    await refusalOf({ plugins: [...plugins, { ...plugin('seeding'), seed: async () => undefined }] });
    expect(await runningCount()).toBe(1);
    expect(await first.sql("select plugin_id from seeded_plugin where plugin_id = 'seeding'")).toEqual([]);
  });

  test('a killed server counts until its heartbeat expires, and a running one registers again after its row was lost', async () => {
    await addKilledServer(10);
    expect(await refusalOf({})).toMatch(
      /^TIME_ZONE is Asia\/Shanghai here and Asia\/Tokyo on the server running on gone: .+\(one that was killed counts for 20 s\)/,
    );
    await addKilledServer(21);
    const other = await startServer();
    expect(await first.sql("select facts from replica where facts ->> 'host' = 'gone'")).toEqual([]);
    await other.stop();
    await first.sql('delete from replica');
    await expect.poll(runningCount, { timeout: 8000, interval: 50 }).toBe(1);
  });

  test('of two different servers that start at the same time, one may join', async () => {
    const database = await openTestDatabase({ kernelMigrations });
    const own = { host: 'one', keyFingerprint: 'f00d', timeZone: 'Asia/Shanghai', plugins: [] };
    const log = { error: () => undefined, warn: () => undefined };
    const replicas = [own, { ...own, timeZone: 'Asia/Tokyo' }].map(
      (facts) => new Replicas({ db: database.db, own: facts, allowed: undefined, state, log, timeScale: 1 }),
    );
    const outcomes = await Promise.allSettled(replicas.map((one) => one.join()));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const one of replicas) await one.leave();
    await database.drop();
  });

  test('a server that finds a different one later logs it once', async () => {
    const db = await openDatabase({ url, timeZone: 'Asia/Shanghai', poolSize: 1 });
    const [own] = await first.sql('select facts from replica');
    const errors: string[] = [];
    const log = { error: (text: string) => errors.push(text), warn: () => undefined } as unknown as ReplicasDeps['log'];
    const replicas = new Replicas({ db, own: own?.facts as ReplicaFacts, allowed: undefined, state, log, timeScale: 100 });
    expect(await replicas.join()).toBe(true);
    await addKilledServer(0);
    await expect.poll(() => errors, { timeout: 5000, interval: 20 }).toEqual([expect.stringMatching(/^TIME_ZONE is Asia\/Shanghai here and Asia\/Tokyo/)]);
    const beats = async () => (await first.sql("select max(seen_time)::text as seen from replica where facts ->> 'host' <> 'gone'"))[0]?.seen;
    const seen = await beats();
    await expect.poll(beats, { timeout: 5000, interval: 20 }).not.toBe(seen);
    expect(errors).toHaveLength(1);
    await replicas.leave();
    await db.close();
    await first.sql("delete from replica where facts ->> 'host' = 'gone'");
  });
});

test.skipIf(serverUrl !== undefined)('servers on the embedded database are not recorded', async () => {
  const server = await testServer();
  expect(await server.sql('select 1 from replica')).toEqual([]);
});
