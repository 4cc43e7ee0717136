import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@rstest/core';
import { plugins as deployed } from '#deployment/server';
import { BackupRuns } from '../../../../src/plugins/backup/server/backup-runs.ts';
import { BackupSchedule } from '../../../../src/plugins/backup/server/backup-schedule.ts';
import { backupGauges } from '../../../../src/plugins/backup/server/gauges.ts';
import type { BackupReport, MakeBackup } from '../../../../src/server/platform/backup/backup-report.ts';
import { Backups } from '../../../../src/server/platform/backup/backups.ts';
import type { Delivery } from '../../../../src/server/platform/inbox/inbox.ts';
import { BackupDeployment, engines } from '../../../support/backup-deployment.ts';
import { type TestServer, testServer } from '../../../support/test-server.ts';

const installed = deployed.filter(({ plugin: { id } }) => id === 'backup');
/** Hour of the test databases, so that attempts of one test belong to one planned backup. */
const threeHoursAgo = (new Date().getUTCHours() + 8 + 24 - 3) % 24;
const running = () => new AbortController().signal;
const report = (path: string, missing = 0): BackupReport => ({
  path,
  bytes: 5,
  keyFingerprint: '',
  tables: { bank_account: { rows: 2, digest: '' } },
  files: { count: 1, bytes: 5, missing, missingKeys: [], elsewhere: 0 },
});

/** A schedule on a server whose own one has no folder, with what it sends and logs. */
function scheduleOf({ db }: TestServer, makeBackup: MakeBackup, { folder, keep = 7, days = 'daily', hour = threeHoursAgo, isRestored = false }: Settings) {
  const values = { 'backup.keep': keep, 'backup.hour': hour, 'backup.days': days, 'backup.restore': isRestored };
  const read = async ({ key }: { key: string }) => values[key as keyof typeof values] as never;
  const [sent, logged]: [Delivery[], string[]] = [[], []];
  const context = {
    db,
    parameters: { integer: read, text: read, flag: read },
    inbox: { deliver: async (delivery: Delivery) => void sent.push(delivery), markRead: async () => undefined },
    systemLog: { log: ({ event }: { event: string }) => void logged.push(event) },
  };
  const runs = new BackupRuns(context);
  const backups = new Backups(folder, makeBackup);
  return { sent, logged, runs, gauges: backupGauges(context, runs, backups), schedule: new BackupSchedule(context, runs, backups, 0.05) };
}

interface Settings {
  readonly folder: string | undefined;
  readonly keep?: number;
  readonly days?: string;
  readonly hour?: number;
  readonly isRestored?: boolean;
}

/** Writes a backup of five bytes, as quickly as a test needs it. */
const writes: MakeBackup = async ({ path }) => {
  writeFileSync(path, 'whole');
  return report(path);
};

/** Lets all stored runs have happened earlier. */
const pass = (server: TestServer, interval: string) =>
  server.sql(
    `update backup_run set start_time = start_time - interval '${interval}', end_time = end_time - interval '${interval}', lease_until = lease_until - interval '${interval}'`,
  );

const runsOf = (server: TestServer) =>
  server.sql('select problem, is_interrupted, is_alerted, bytes::integer, end_time is null as is_running from backup_run order by id');

describe.each(engines)('on %s', (engine) => {
  test('a due backup is made once, restored for comparison and stored with its result', async () => {
    const deployment = await BackupDeployment.create(engine);
    const server = await deployment.start(installed);
    const folder = deployment.path('new/backups');
    const settings = { folder, isRestored: true };
    const { schedule, sent, logged, gauges } = scheduleOf(server, (request) => deployment.backupOf(installed, request), settings);
    await schedule.runDue(running());
    const [name = ''] = readdirSync(folder);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^marquee-scheduled-\d{4}-\d\d-\d\dT\d{6}\.tar\.gz$/)]);
    const bytes = readFileSync(join(folder, name)).length;
    expect(
      await server.sql('select server <> $$$$ as has_server, is_verified, path, bytes::integer, row_count > 0 as has_rows, problem from backup_run'),
    ).toEqual([{ has_server: true, is_verified: true, path: join(folder, name), bytes, has_rows: true, problem: null }]);
    await schedule.runDue(running());
    expect(readdirSync(folder)).toEqual([name]);
    expect({ sent, logged }).toEqual({ sent: [], logged: ['backup:made'] });
    expect(await server.sql('select count(*)::integer as count from backup')).toEqual([{ count: 1 }]);

    const values = await server.db.asPlatform('reads metrics as the host does', async () =>
      Object.fromEntries(await Promise.all(gauges.map(async (gauge) => [gauge.name, (await gauge.read())[0]?.value ?? -1] as const))),
    );
    expect(values).toMatchObject({ marquee_backup_size_bytes: bytes, marquee_backup_overdue_seconds: 0 });
    expect(Math.abs((values.marquee_backup_last_success_timestamp_seconds ?? 0) - Date.now() / 1000)).toBeLessThan(60);
    expect(values.marquee_backup_duration_seconds).toBeGreaterThan(0);
  }, 180_000);

  test('only one of two servers makes the backup', async () => {
    const deployment = await BackupDeployment.create(engine);
    const server = await deployment.start(installed);
    const paths: string[] = [];
    const makeBackup: MakeBackup = async (request) => {
      paths.push(request.path);
      return writes(request);
    };
    const schedules = ['one', 'other'].map((name) => scheduleOf(server, makeBackup, { folder: deployment.path(name) }).schedule);
    await Promise.all(schedules.map((schedule) => schedule.runDue(running())));
    expect(paths).toHaveLength(1);
  }, 180_000);
});

test('a server without a folder makes no backup and has no metric of overdue ones', async () => {
  const server = await testServer({ plugins: ['backup'] });
  const { schedule, gauges } = scheduleOf(server, writes, { folder: undefined });
  await schedule.runDue(running());
  expect(await runsOf(server)).toEqual([]);
  expect(await server.db.asPlatform('reads metrics as the host does', () => Promise.all(gauges.map(async ({ read }) => read())))).toEqual([[], [], [], []]);
});

test('the plan follows hour and days, and a missed backup is made later', async () => {
  const server = await testServer({ plugins: ['backup'] });
  const plannedAt = async (days: string, hour: number) => {
    const planned = await scheduleOf(server, writes, { folder: '/', days, hour }).runs.plannedAt();
    const [row] = await server.sql(
      `select extract(isodow from t)::integer as day, extract(hour from t)::integer as hour, t <= now() as is_past, t > now() - interval '8 days' as is_recent
       from (values ('${planned}'::timestamptz)) v (t)`,
    );
    return row as { day: number; hour: number };
  };
  expect(await plannedAt('weekly', 23)).toEqual({ day: 7, hour: 23, is_past: true, is_recent: true });
  expect(await plannedAt('weekdays', 3)).toEqual({ day: expect.toSatisfy((day: number) => day <= 5), hour: 3, is_past: true, is_recent: true });
  expect(await plannedAt('unknown', 0)).toMatchObject({ hour: 0, is_past: true });
});

test('old backups are deleted after a new one only, and other files never', async () => {
  const deployment = await BackupDeployment.create('embedded');
  const server = await testServer({ plugins: ['backup'] });
  const folder = deployment.path('backups');
  mkdirSync(folder);
  const old = ['01', '02', '03'].map((day) => `marquee-scheduled-2026-01-${day}T020000.tar.gz`);
  const others = ['marquee-2026-01-01T020000.tar.gz', 'notes.txt'];
  const unfinished = 'marquee-scheduled-2026-01-04T020000.tar.gz.77.part';
  for (const name of [...old, ...others, unfinished]) writeFileSync(join(folder, name), 'x');
  const full = 'The disk of /backups is full. Free some space, or choose a folder on another disk.';
  const failing: MakeBackup = async () => {
    expect(existsSync(join(folder, unfinished))).toBe(false);
    throw new Error(full);
  };
  const failed = scheduleOf(server, failing, { folder, keep: 2 });
  await failed.schedule.runDue(running());
  expect(readdirSync(folder).sort()).toEqual([...old, ...others].sort());
  expect(failed.sent).toMatchObject([
    {
      tenant: '000000',
      topic: 'backup:alert',
      title: ['自动备份失败', 'The scheduled backup failed'],
      body: [expect.stringContaining(full), expect.stringContaining(full)],
    },
  ]);
  expect(failed.sent[0]?.users).toHaveLength(1);

  await pass(server, '61 minutes');
  await scheduleOf(server, writes, { folder, keep: 2 }).schedule.runDue(running());
  const left = readdirSync(folder).filter((name) => name.startsWith('marquee-scheduled'));
  expect(left.sort()).toEqual(['marquee-scheduled-2026-01-03T020000.tar.gz', expect.stringMatching(/T\d{6}\.tar\.gz$/)]);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(others));
});

test('a failed backup is tried again after an hour, and administrators are notified once for each planned one', async () => {
  const server = await testServer({ plugins: ['backup'] });
  const deployment = await BackupDeployment.create('embedded');
  let attempts = 0;
  const failing: MakeBackup = async () => {
    attempts += 1;
    throw new Error('no');
  };
  const { schedule, sent, logged, gauges } = scheduleOf(server, failing, { folder: deployment.path('backups') });
  await schedule.runDue(running());
  await schedule.runDue(running());
  expect({ attempts, sent: sent.length }).toEqual({ attempts: 1, sent: 1 });
  await pass(server, '61 minutes');
  await schedule.runDue(running());
  expect({ attempts, sent: sent.length, logged }).toEqual({ attempts: 2, sent: 1, logged: ['backup:failed', 'backup:failed'] });
  const overdue = await server.db.asPlatform('reads metrics as the host does', async () => gauges.at(-1)?.read());
  expect(overdue?.[0]?.value).toBeGreaterThan(3 * 3600);
  await pass(server, '1 day');
  await schedule.runDue(running());
  expect({ attempts, sent: sent.length }).toEqual({ attempts: 3, sent: 2 });
});

test('a backup of a server that was killed counts as failed and is tried again; the second in a row is reported', async () => {
  const server = await testServer({ plugins: ['backup'] });
  const deployment = await BackupDeployment.create('embedded');
  await server.sql("insert into backup_run (server, is_verified, lease_until) values ('killed', false, now() + interval '1 minute')");
  const { schedule, sent } = scheduleOf(server, writes, { folder: deployment.path('backups') });
  await schedule.runDue(running());
  expect(await runsOf(server)).toMatchObject([{ is_running: true }]);
  await pass(server, '2 minutes');
  await schedule.runDue(running());
  expect(await runsOf(server)).toEqual([
    { problem: 'The server stopped during the backup.', is_interrupted: true, is_alerted: false, bytes: null, is_running: false },
  ]);
  await server.sql("insert into backup_run (server, is_verified, lease_until) values ('killed', false, now() - interval '1 second')");
  await schedule.runDue(running());
  expect(sent).toHaveLength(1);
  await pass(server, '1 day');
  await schedule.runDue(running());
  expect((await runsOf(server)).at(-1)).toMatchObject({ problem: null, bytes: 5 });
});

test('a backup ends with its server or its lease', async () => {
  const server = await testServer({ plugins: ['backup'] });
  const deployment = await BackupDeployment.create('embedded');
  const waiting: MakeBackup = ({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
  const { schedule, sent } = scheduleOf(server, waiting, { folder: deployment.path('backups') });
  const stopping = new AbortController();
  const stopped = schedule.runDue(stopping.signal);
  await expect.poll(async () => (await runsOf(server)).length).toBe(1);
  stopping.abort();
  await stopped;
  expect(await runsOf(server)).toMatchObject([{ problem: 'The server stopped during the backup.', is_interrupted: true }]);
  expect(sent).toEqual([]);

  await pass(server, '61 minutes');
  const lost = schedule.runDue(running());
  await expect.poll(async () => (await runsOf(server)).length).toBe(2);
  await server.sql('update backup_run set lease_until = null where lease_until is not null');
  await lost;
  expect((await runsOf(server)).at(-1)).toMatchObject({ problem: 'The server was without its database for too long during the backup.' });
});

test('a backup that lacks the content of files is kept and reported', async () => {
  const server = await testServer({ plugins: ['backup'] });
  const deployment = await BackupDeployment.create('embedded');
  const lacking: MakeBackup = async (request) => ({ ...(await writes(request)), ...report(request.path, 3) });
  const { schedule, sent, logged } = scheduleOf(server, lacking, { folder: deployment.path('backups') });
  await schedule.runDue(running());
  expect(await runsOf(server)).toMatchObject([{ problem: null, is_alerted: true }]);
  expect(sent).toMatchObject([{ title: ['自动备份缺少 3 个文件', '3 files are missing from the scheduled backup'] }]);
  expect(logged).toEqual(['backup:made']);
});

test('a server with BACKUP_DIR makes backups by itself, and its administrator is notified of a folder that it cannot use', async () => {
  const deployment = await BackupDeployment.create('embedded');
  writeFileSync(deployment.path('file'), '');
  const environment = { BACKUP_DIR: deployment.path('file/backups') };
  const server = await testServer({ plugins: ['backup', 'inbox', 'notice', 'organization'], environment, timeScale: 100 });
  const alerts = () =>
    server.sql("select u.account, m.body->>1 as body from inbox_message m join user_account u on u.id = m.user_id where m.title->>0 = '自动备份失败'");
  await expect
    .poll(alerts, { timeout: 20_000 })
    .toEqual([{ account: 'admin', body: expect.stringContaining(`${deployment.path('file/backups')} is not the path of a file. Check the path.`) }]);
}, 60_000);
