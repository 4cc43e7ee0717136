import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { documentedCommands } from '../support/documented-commands.ts';
import { Product } from './product.ts';

const root = join(import.meta.dirname, '../..');
const [backup = ''] = documentedCommands('Backup');
const [restore = '', verify = ''] = documentedCommands('Restoring');

/** Runs commands of the page exactly as they are written there. */
function run(commands: string, environment: Readonly<Record<string, string>>) {
  const { PATH, HOME } = process.env;
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', commands], { cwd: root, encoding: 'utf8', timeout: 150_000, env: { PATH, HOME, ...environment } });
  return { status, output: stdout + stderr };
}

/** Kills a restore with its child processes as soon as it has begun to change its target. */
async function killRestore(file: string, directory: string): Promise<void> {
  const started: ChildProcess = spawn(process.execPath, ['scripts/run.mjs', 'restore', file], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, DATA_DIR: directory },
  });
  const ended = new Promise((resolve) => started.once('exit', (_, signal) => resolve(signal)));
  await expect.poll(() => existsSync(join(directory, 'restore.unfinished')), { timeout: 60_000, intervals: [50] }).toBe(true);
  if (started.pid !== undefined) process.kill(-started.pid, 'SIGKILL');
  expect(await ended).toBe('SIGKILL');
}

test.skip(process.platform === 'win32', 'The documented commands are those of a shell.');

test('a running product is backed up, and restored by the documented commands even after a killed restore', async () => {
  test.setTimeout(600_000);
  const product = new Product();
  const folder = mkdtempSync(join(tmpdir(), 'marquee-restored-'));
  const [BACKUP_DIR, NEW_DATA_DIR] = [join(folder, 'backups'), join(folder, 'data')];
  mkdirSync(BACKUP_DIR);
  const restored = new Product({ DATA_DIR: NEW_DATA_DIR });
  try {
    await product.start();
    const client = await product.signIn();
    const saved = await client.post('/api/blade-system/param/submit', { paramName: '备份前', paramKey: 'backup.before', paramValue: 'kept' });
    expect(saved).toMatchObject({ status: 200 });

    const made = run(backup, { DATA_DIR: product.directory, BACKUP_DIR });
    expect(made, made.output).toMatchObject({ status: 0, output: expect.stringMatching(/, verified\n +database +\d+ tables, [\d,]+ rows\n/) });
    const [name = ''] = readdirSync(BACKUP_DIR);
    expect(readdirSync(BACKUP_DIR)).toEqual([expect.stringMatching(/^marquee-\d{4}-\d\d-\d\dT\d{6}\.tar\.gz$/)]);
    const BACKUP_FILE = join(BACKUP_DIR, name);
    expect(statSync(BACKUP_FILE).mode & 0o777).toBe(0o600);
    expect(await client.post('/api/blade-system/param/submit', { paramName: '备份后', paramKey: 'backup.after', paramValue: 'lost' })).toMatchObject({
      status: 200,
    });
    await product.stop();

    // The server is stopped now, so the command reads the database itself. Both verify with the same key.
    expect(run(verify, { DATA_DIR: product.directory, BACKUP_FILE })).toMatchObject({ status: 0, output: expect.stringContaining(': verified\n') });
    expect(run('npm run restore -- "$BACKUP_FILE"', { DATA_DIR: NEW_DATA_DIR, BACKUP_FILE })).toMatchObject({
      status: 1,
      output: expect.stringContaining('No key found. Copy secret.key'),
    });
    mkdirSync(NEW_DATA_DIR, { recursive: true });
    copyFileSync(join(product.directory, 'secret.key'), join(NEW_DATA_DIR, 'secret.key'));
    await killRestore(BACKUP_FILE, NEW_DATA_DIR);
    await expect(restored.start()).rejects.toThrow(/was interrupted\. Repeat it with npm run restore/);

    const done = run(restore, { DATA_DIR: product.directory, NEW_DATA_DIR, BACKUP_FILE });
    expect(done, done.output).toMatchObject({ status: 0, output: expect.stringContaining(': restored\n') });
    await restored.start();
    const again = await restored.signIn();
    const found = await again.get('/api/blade-system/param/list', { paramKey: 'backup.' });
    expect((found.data as { records: { paramKey: string }[] }).records.map(({ paramKey }) => paramKey)).toEqual(['backup.before']);
    expect(run('npm run restore -- "$BACKUP_FILE"', { DATA_DIR: NEW_DATA_DIR, BACKUP_FILE })).toMatchObject({
      status: 1,
      output: expect.stringContaining('contains a database. Restore into an empty DATA_DIR'),
    });
  } finally {
    await product.discard();
    await restored.discard();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a running product makes its first backup by itself in a process of its own, and a killed one leaves no file', async () => {
  test.setTimeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'marquee-scheduled-'));
  const [killed, product] = ['killed', 'whole'].map((name) => new Product({ BACKUP_DIR: join(folder, name) })) as [Product, Product];
  const filesOf = (name: string) => (existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : []);
  try {
    await killed.start();
    await expect.poll(() => filesOf('killed'), { timeout: 90_000, intervals: [20] }).toEqual([expect.stringMatching(/^marquee-scheduled-.+\.part$/)]);
    await killed.stop('SIGKILL');
    await expect.poll(() => filesOf('killed'), { timeout: 30_000 }).toEqual([]);

    await product.start();
    const complete = [expect.stringMatching(/^marquee-scheduled-\d{4}-\d\d-\d\dT\d{6}\.tar\.gz$/)];
    await expect.poll(() => filesOf('whole'), { timeout: 120_000 }).toEqual(complete);
    const BACKUP_FILE = join(folder, 'whole', filesOf('whole')[0] ?? '');
    await product.stop();
    expect(run(verify, { DATA_DIR: product.directory, BACKUP_FILE })).toMatchObject({ status: 0, output: expect.stringContaining(': verified\n') });
  } finally {
    await killed.discard();
    await product.discard();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('both commands explain themselves, and refuse what they do not know', () => {
  for (const command of ['backup', 'restore']) {
    const usage = `npm run ${command} -- FILE`;
    expect(run(`npm run ${command} -- --help`, {})).toMatchObject({ status: 0, output: expect.stringContaining(usage) });
    expect(run(`npm run ${command}`, {})).toMatchObject({ status: 1, output: expect.stringContaining(usage) });
    expect(run(`npm run ${command} -- a --unknown`, {})).toMatchObject({ status: 1, output: expect.stringContaining("Unknown option '--unknown'") });
  }
  const DATA_DIR = join(tmpdir(), 'marquee-no-such-directory');
  expect(run('npm run backup -- a.tar.gz', { DATA_DIR })).toMatchObject({ status: 1, output: expect.stringContaining(`No database found in ${DATA_DIR}.`) });
});
