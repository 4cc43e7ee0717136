import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { sparePort } from '../../scripts/port.mjs';
import { Container } from './container.ts';
import { type BuiltImage, buildContext, ImageBuild, runOrThrow } from './image-build.ts';
import { ownDatabase } from './own-database.ts';
import { report } from './report.ts';

const root = join(import.meta.dirname, '../..');
const section = 'The container image';
const maxMegabytes = 250;
const postgres = process.env.TEST_DATABASE_URL;

test.skip(process.platform !== 'linux' || process.getuid?.() !== 0, 'Only root on Linux can create the root file system of an image.');
test.describe.configure({ mode: 'serial' });

let home: string;
let image: BuiltImage;

test.beforeAll(() => {
  test.setTimeout(1_800_000);
  home = mkdtempSync(join(tmpdir(), 'marquee-image-'));
  mkdirSync(join(home, 'context'));
  image = new ImageBuild(buildContext(root, join(home, 'context')), home).build(join(root, 'deploy/docker/Dockerfile'));
});
test.afterAll(() => rmSync(home, { recursive: true, force: true }));

test('the image is small, belongs to root and contains no program except Node.js', () => {
  const megabytes = Number(runOrThrow('du', ['--summarize', '--block-size=1', image.root]).split('\t')[0]) / 1e6;
  const compressed = Number(runOrThrow('/bin/sh', ['-c', `tar --create --directory '${image.root}' . | gzip -6 | wc --bytes`])) / 1e6;
  report(section, { what: 'size, MB', after: Math.round(megabytes), bound: maxMegabytes });
  report(section, { what: 'size compressed, MB', after: Math.round(compressed) });
  expect(megabytes).toBeLessThanOrEqual(maxMegabytes);
  expect(readdirSync(join(image.root, 'usr/local/bin'))).toEqual(['node']);
  const programs = runOrThrow('find', [image.root, '-type', 'f', '-path', '*bin/*', '-not', '-path', '*/marquee/*', '-perm', '/111']);
  expect(
    programs
      .trim()
      .split('\n')
      .map((path) => path.slice(image.root.length)),
  ).toEqual(['/usr/local/bin/node']);
  expect(runOrThrow('find', [image.root, '-perm', '/6000'])).toBe('');
  const writable = runOrThrow('find', [image.root, '-not', '-uid', '0', '-printf', '%P %U:%G %m\\n']).trim().split('\n');
  expect(writable.sort()).toEqual(['backups 10001:10001 700', 'data 10001:10001 700']);
});

test('a read-only container serves PostgreSQL as its own user, passes its health check, signs the first administrator in, makes a backup and stops in order', async () => {
  test.skip(postgres === undefined, 'No PostgreSQL was found.');
  await withDatabase(async (url) => {
    const port = await sparePort();
    const settings = { ...settingsFor(port), DATABASE_URL: url, SECRET_KEY: secret(), CLIENT_SECRET: secret(), CAPTCHA_MODE: 'off', DRAIN_SECONDS: '1' };
    const container = new Container(image, settings, { data: join(home, 'data'), backups: join(home, 'backups') });
    try {
      await startContainer(container, 'seconds until the health check passes, on an empty PostgreSQL');
      const identity = container.run(['node', '--print', 'JSON.stringify([process.getuid(), process.getgid(), process.getgroups()])']);
      expect(JSON.parse(identity.output)).toEqual([10001, 10001, [10001]]);
      for (const path of ['/marquee/written', '/written', '/usr/written'])
        expect(container.run(['node', '--eval', `fs.writeFileSync('${path}', '')`]).output).toContain('EROFS');

      const page = await fetch(`http://127.0.0.1:${port}/`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
      const password = container.run(['node', '--print', "fs.readFileSync('/data/initial-password', 'utf8')"]).output.trim();
      expect(await tokenStatus(port, settings.CLIENT_SECRET, password)).toBe(200);
      expect(await tokenStatus(port, settings.CLIENT_SECRET, `${password}x`)).toBe(400);

      const backup = container.run(['node', 'backup.mjs', '/backups', '--verify'], { TMPDIR: '/backups' });
      expect({ status: backup.status, output: backup.output }).toMatchObject({ status: 0, output: expect.stringContaining('verified') });
      expect(readdirSync(join(home, 'backups'))).toEqual([expect.stringMatching(/^marquee-.*\.tar\.gz$/)]);
      const reset = container.run(['node', 'admin.mjs', 'reset-password', 'admin']);
      expect(reset.output).toContain('shown only once');

      expect(await container.stop()).toBe(0);
      report(section, { what: 'exit code after SIGTERM to the first process', after: 0, bound: 0 });
    } finally {
      await container.stop('SIGKILL');
    }
  });
});

test('a container without settings starts with the embedded database in its volume, and again with the data of the first start', async () => {
  const port = await sparePort();
  for (const what of ['seconds until the health check passes, on a new volume', 'seconds until the health check passes, on a used volume']) {
    const container = new Container(image, settingsFor(port), { data: join(home, 'embedded') });
    try {
      await startContainer(container, what);
      expect(await container.stop()).toBe(0);
    } finally {
      await container.stop('SIGKILL');
    }
  }
});

async function startContainer(container: Container, what: string): Promise<void> {
  const startedAt = performance.now();
  container.start();
  await expect
    .poll(() => container.isHealthy(), { timeout: 120_000, intervals: [500] })
    .toBe(true)
    .catch((error) => {
      throw new Error(`${error.message}\n${container.output}`);
    });
  report(section, { what, after: ((performance.now() - startedAt) / 1000).toFixed(1) });
}

const secret = () => randomBytes(36).toString('base64');

/** Returns the settings that only the shared network of this test needs. */
const settingsFor = (port: number) => ({ PORT: String(port), HOST: '127.0.0.1' });

async function tokenStatus(port: number, clientSecret: string, password: string): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/things-auth/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`sryx:${clientSecret}`)}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'password', tenantId: '000000', username: 'admin', password }),
  });
  return reply.status;
}

async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const database = await ownDatabase(postgres ?? '');
  await work(database.url).finally(() => database.drop());
}
