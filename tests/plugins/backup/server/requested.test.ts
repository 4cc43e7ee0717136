import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from '@rstest/core';
import { plugins as deployed } from '#deployment/server';
import { backupCalls } from '#plugins/backup/contract';
import { healthReport } from '#plugins/health/contract';
import { openDatabase } from '../../../../src/server/data/index.ts';
import type { InstalledPlugin } from '../../../../src/server/host/plugin-host/plugin.ts';
import { BackupDeployment, engines } from '../../../support/backup-deployment.ts';
import { openTestServer, type TestServer, testServer } from '../../../support/test-server.ts';

const plugins = ['health', 'backup'];
/** Without the schedule, whose first backup would be in progress on a slow machine. */
const unscheduled = ['health', ...deployed.filter(({ plugin: { id } }) => id === 'backup').map(withoutTasks)];

function withoutTasks({ plugin, migrations }: InstalledPlugin): InstalledPlugin {
  return { plugin: { ...plugin, setup: (context) => ({ ...plugin.setup?.(context), tasks: [] }) }, migrations };
}

/** Calls of a signed-in administrator. */
async function callsOf(server: TestServer) {
  const headers = await server.signIn();
  return {
    start: () => server.post(backupCalls.start.path, {}, { headers }),
    latest: async () => (await server.get(backupCalls.state.path, { headers })).data.runs[0],
    health: async () =>
      (await server.get(healthReport.path, { headers })).data.items.filter(
        ({ section, id }: { section: string; id: string }) => section === 'backup' && id === 'last',
      ),
  };
}

test.each(engines)(
  'a requested backup is made at once and only once, on %s',
  async (engine) => {
    const deployment = await BackupDeployment.create(engine);
    const withFolder = await BackupDeployment.create(engine, { BACKUP_DIR: deployment.path('backups') });
    const server = await withFolder.start(unscheduled);
    const { start, latest, health } = await callsOf(server);
    expect(await health()).toMatchObject([{ problem: { text: [expect.anything(), expect.stringContaining('Select “Back up now”')] } }]);
    const codes = (await Promise.all([start(), start()])).map(({ status }) => status);
    expect(codes.sort()).toEqual([200, 409]);
    await expect.poll(async () => (await latest())?.state, { timeout: 90_000, interval: 200 }).toBe('made');
    expect(await latest()).toMatchObject({ isRequested: true, isVerified: false, missing: 0, problem: '', bytes: expect.any(Number) });
    expect(readdirSync(deployment.path('backups'))).toEqual([expect.stringMatching(/^marquee-scheduled-.+\.tar\.gz$/)]);
    await expect.poll(async () => (await health())[0]?.problem, { timeout: 20_000, interval: 1000 }).toBeUndefined();
  },
  180_000,
);

test('a requested backup that fails says why, and is a problem of the deployment without a notification', async () => {
  const deployment = await BackupDeployment.create('embedded');
  const folder = deployment.path('a-file');
  writeFileSync(folder, '');
  const other = await BackupDeployment.create('embedded', { BACKUP_DIR: folder });
  const server = await other.start([...unscheduled, 'inbox']);
  const { start, latest, health } = await callsOf(server);
  expect(await start()).toMatchObject({ status: 200 });
  await expect.poll(async () => (await latest())?.state, { timeout: 90_000, interval: 200 }).toBe('failed');
  const { problem } = await latest();
  expect(problem).toContain(folder);
  await expect
    .poll(health, { timeout: 20_000, interval: 1000 })
    .toMatchObject([{ problem: { isUrgent: true, since: expect.stringMatching(/^\d{4}-/), text: [expect.anything(), expect.stringContaining(problem)] } }]);
  expect(await server.sql("select title from inbox_message where title ->> 0 like '自动备份%'")).toEqual([]);
}, 180_000);

test('without a folder a request is refused with the setting, and other tenants may neither read nor request', async () => {
  const server = await testServer({ plugins: [...plugins, 'access'] });
  const { start } = await callsOf(server);
  expect(await start()).toMatchObject({ status: 409, msg: expect.stringContaining('BACKUP_DIR') });
  await server.createTenant('100001');
  await server.createUser({ account: 'owner', roleAlias: 'administrator', tenantId: '100001', codes: ['health', 'health_backup'] });
  const headers = await server.signIn('owner', '100001');
  expect(await server.get(backupCalls.state.path, { headers })).toMatchObject({ status: 403 });
  expect(await server.post(backupCalls.start.path, {}, { headers })).toMatchObject({ status: 403 });
}, 90_000);

// Without PostgreSQL the run reports that it skips this test.
test.runIf(engines.includes('postgres'))(
  'a server without the folder passes the request on to one that has it',
  async () => {
    const places = await BackupDeployment.create('embedded');
    const deployment = await BackupDeployment.create('postgres', { BACKUP_DIR: places.path('backups') });
    await deployment.start(plugins, { timeScale: 20 });
    const db = await openDatabase({ url: deployment.configuration.databaseUrl as string, timeZone: 'Asia/Shanghai' });
    const { DATABASE_URL: _, ...environment } = deployment.environment;
    const asked = await openTestServer({ db, plugins, environment: { ...environment, CLIENT_SECRET: '', BACKUP_DIR: '' } });
    onTestFinished(async () => {
      await asked.stop();
      await db.close();
    });
    const { start, latest } = await callsOf(asked);
    await expect.poll(async () => (await latest())?.state, { timeout: 90_000, interval: 200 }).toBe('made');
    expect(await start()).toMatchObject({ status: 200 });
    await expect.poll(latest, { timeout: 90_000, interval: 200 }).toMatchObject({ state: 'made', isRequested: true });
    expect(existsSync(places.path('backups'))).toBe(true);
  },
  240_000,
);
