import { describe, expect, onTestFinished, test } from '@rstest/core';
import { healthReport } from '#plugins/health/contract';
import type { HealthReport } from '../../../../src/plugins/health/contract.ts';
import { openDatabase } from '../../../../src/server/data/index.ts';
import { openTestDatabase, serverUrl } from '../../../support/test-database.ts';
import { openTestServer, type TestServer, testServer } from '../../../support/test-server.ts';

const plugins = ['health', 'backup'];

const sessions = new WeakMap<TestServer, Promise<Record<string, string>>>();

async function reportOf(server: TestServer): Promise<HealthReport> {
  const session = sessions.get(server) ?? server.signIn();
  sessions.set(server, session);
  const { status, data } = await server.get(healthReport.path, { headers: await session });
  expect(status).toBe(200);
  return data;
}

const itemsOf = ({ items }: HealthReport, section: string) => items.filter((item) => item.section === section);

// Many servers start in this file.
const limitMs = 180_000;

test(
  'one server reports itself, its database, key, disks and backups, and no secret',
  async () => {
    const SECRET_KEY = 'aN0o4mQ2sU8wY6aC1eG3iK5lP7tV9xZb+/=';
    const server = await testServer({ plugins, environment: { SECRET_KEY } });
    await expect.poll(async () => itemsOf(await reportOf(server), 'disk').length, { timeout: 9000, interval: 1000 }).toBeGreaterThan(0);
    // A server on PostgreSQL joins the others before its plugins run and reports them with the next renewal.
    await expect
      .poll(async () => (await reportOf(server)).servers, { timeout: 9000, interval: 1000 })
      .toMatchObject([{ isAlive: true, figures: { node: process.versions.node, plugins: 2, skipped: [] } }]);
    const report = await reportOf(server);
    expect(itemsOf(report, 'database').map(({ id }) => id)).toEqual(expect.arrayContaining(['version', 'size', 'migrations']));
    expect(itemsOf(report, 'keys')).toMatchObject([
      { text: [expect.stringMatching(/^[0-9a-f]{32}$/), expect.anything()] },
      { text: ['环境变量 SECRET_KEY', 'SECRET_KEY in the environment'] },
    ]);
    const [disk] = itemsOf(report, 'disk');
    expect(disk).toMatchObject({ unit: 'bytes', title: [expect.stringMatching(/^DATA_DIR 剩余空间/), expect.anything()] });
    expect(disk?.value).toBeGreaterThan(0);
    expect(itemsOf(report, 'backup')).toMatchObject([{ text: ['无', 'None'], problem: { text: [expect.stringMatching(/BACKUP_DIR/), expect.anything()] } }]);
    expect(JSON.stringify(report)).not.toContain(SECRET_KEY);
  },
  limitMs,
);

test(
  'only administrators of the platform with its code see the report; without the plugin backup it has no such section',
  async () => {
    const server = await testServer({ plugins: ['health', 'access'] });
    await server.createTenant('100001');
    await server.createUser({ account: 'owner', roleAlias: 'administrator', tenantId: '100001', codes: ['health'] });
    await server.createUser({ account: 'clerk' });
    for (const headers of [await server.signIn('owner', '100001'), await server.signIn('clerk')])
      expect(await server.get(healthReport.path, { headers })).toMatchObject({ status: 403 });
    const { data: menus } = await server.get('/api/blade-system/menu/routes', { headers: await server.signIn('owner', '100001') });
    expect(JSON.stringify(menus)).not.toContain('"health"');
    expect(itemsOf(await reportOf(server), 'backup')).toEqual([]);
  },
  limitMs,
);

test(
  'a plugin that failed to start is a problem of its server',
  async () => {
    const broken = {
      plugin: {
        id: 'broken',
        title: ['坏的', 'Broken'] as const,
        setup: () => {
          throw new Error('no');
        },
      },
      migrations: {},
    };
    const server = await testServer({ plugins: [...plugins, broken] });
    const problems = async () => itemsOf(await reportOf(server), 'servers');
    await expect.poll(problems, { timeout: 15_000, interval: 500 }).toMatchObject([
      {
        problem: {
          isUrgent: false,
          page: 'plugin',
          text: [expect.anything(), expect.stringMatching(/^The plugin broken does not run on .+: it failed while/)],
        },
      },
    ]);
  },
  limitMs,
);

test(
  'a source of a plugin that fails is a problem and hides no other',
  async () => {
    const failing = {
      id: 'failing',
      title: ['失败', 'Failing'] as const,
      setup: () => ({
        health: [
          {
            section: 'queues' as const,
            read: async () => {
              throw new Error('no queue');
            },
          },
        ],
      }),
    };
    const server = await testServer({ plugins: [...plugins, { plugin: failing, migrations: {} }] });
    const report = await reportOf(server);
    expect(itemsOf(report, 'queues')).toMatchObject([{ problem: { text: [expect.stringContaining('no queue'), expect.anything()] } }]);
    expect(itemsOf(report, 'database').length).toBeGreaterThan(2);
  },
  limitMs,
);

// Without PostgreSQL the run reports that it skips these tests.
describe.runIf(serverUrl !== undefined)('two servers before one PostgreSQL', () => {
  test('both appear with the figures of each, the database tells its connections, and a killed server is gone after 20 seconds', async () => {
    const database = await openTestDatabase();
    onTestFinished(database.drop);
    const first = await startServer(database.url as string);
    const second = await startServer(database.url as string);
    const both = await reportOf(first.server);
    expect(both.servers.map(({ isAlive, figures }) => ({ isAlive, connections: figures?.connections?.max }))).toEqual([
      { isAlive: true, connections: 10 },
      { isAlive: true, connections: 10 },
    ]);
    expect(itemsOf(both, 'keys')).toMatchObject([{}, {}, { id: 'agreement', text: ['是', 'Yes'] }]);
    expect(itemsOf(both, 'database').map(({ id }) => id)).toEqual(expect.arrayContaining(['connections', 'transaction', 'standbys']));
    expect(itemsOf(both, 'servers')).toEqual([]);

    const [{ id = '' } = {}] = (await first.server.sql('select id::text as id from replica order by start_time desc limit 1')) as { id?: string }[];
    await second.kill();
    await first.server.sql(
      `update replica set start_time = start_time - interval '1 minute', seen_time = seen_time - case when id = '${id}' then interval '14 seconds' else '0' end`,
    );
    const gone = async () => (await reportOf(first.server)).servers.filter(({ isAlive }) => !isAlive).map((one) => one.id);
    expect(await gone()).toEqual([]);
    await expect.poll(gone, { timeout: 30_000, interval: 500 }).toEqual([id]);
    await expect
      .poll(async () => itemsOf(await reportOf(first.server), 'servers'), { timeout: 15_000, interval: 500 })
      .toMatchObject([{ id: `${id}:gone`, problem: { isUrgent: true, since: expect.stringMatching(/^\d{4}-/) } }]);

    // Another start on this machine takes its place.
    const third = await startServer(database.url as string);
    expect((await reportOf(first.server)).servers.map(({ isAlive }) => isAlive)).toEqual([true, true]);
    await third.kill();
  }, 120_000);
});

/** Starts a server with a pool of its own; `kill` ends its signs of life without removing its registration. */
async function startServer(url: string) {
  const db = await openDatabase({ url, timeZone: 'Asia/Shanghai', poolSize: 3 });
  const SECRET_KEY = 'rN0o4mQ2sU8wY6aC1eG3iK5lP7tV9xZb+/=';
  const server = await openTestServer({ plugins, db, environment: { SECRET_KEY } });
  const kill = () => db.close();
  onTestFinished(async () => {
    await server.stop();
    await db.close();
  });
  return { server, kill };
}
