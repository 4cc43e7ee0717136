import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { endedStart, listening, refusingPostgres } from './start-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'marquee-refused-'));
const file = join(folder, 'file');
const password = 'hush-hush-9';
const secrets = { SECRET_KEY: 'rN0o4mQ2sU8wY6aC1eG3iK5lP7tV9xZb+/=', CLIENT_SECRET: 'hT3vK9pLx2Wq7Zr' };

test.beforeAll(() => writeFileSync(file, 'somebody’s file'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the sentence below the failed step. */
async function refusal(environment: Record<string, string>): Promise<string> {
  const { status, output } = await endedStart({ environment: { PORT: '0', DATA_DIR: join(folder, 'data'), ...environment } });
  expect(status).toBe(1);
  expect(output).not.toContain(password);
  const sentences = output.split('\n\n').slice(-1);
  expect(sentences[0]?.split('\n')).toHaveLength(1);
  return sentences[0] ?? '';
}

test('a PORT in use is refused at once; without PORT the next free one is used and printed', async () => {
  const other = createServer();
  const port = await listening(other);
  expect(await refusal({ PORT: String(port) })).toBe(`PORT ${port} is in use by another program. Stop that program, or set PORT to a free port.`);
  other.close();

  const usual = createServer();
  await listening(usual, 8080).catch(() => undefined);
  const { output } = await endedStart({ environment: { DATA_DIR: file } });
  usual.close();
  expect(output).toMatch(/Port 8080 is in use by another program, so the server uses 8\d{3}\. Set PORT to choose a port\./);
});

test('a server on a port in use creates no account and leaves its data directory unchanged', async () => {
  const other = createServer();
  const port = await listening(other);
  const data = join(folder, 'untouched');
  const command = [process.execPath, 'scripts/serve.mjs'] as const;
  const { status, output } = await endedStart({ command, environment: { NODE_ENV: 'test', PORT: String(port), DATA_DIR: data } });
  other.close();
  expect([status, output]).toEqual([1, `PORT ${port} is in use by another program. Stop that program, or set PORT to a free port.`]);
  expect(existsSync(data)).toBe(false);
});

test('a data directory that is not writable is refused, and a file in its place stays', async () => {
  expect(await refusal({ DATA_DIR: file })).toContain(`DATA_DIR ${file} is not a folder`);
  expect(await refusal({ DATA_DIR: join(file, 'data') })).toMatch(/is not a folder|cannot be created/);
  expect(readFileSync(file, 'utf8')).toBe('somebody’s file');
});

test('a wrong DATABASE_URL is refused without its password', async () => {
  const at = (port: number | string) => refusal({ ...secrets, DATABASE_WAIT: '1', DATABASE_URL: `postgres://clerk:${password}@127.0.0.1:${port}/office` });
  expect(await refusal({ ...secrets, DATABASE_URL: `clerk:${password}@db` })).toContain('DATABASE_URL is not an address beginning with postgres://');
  expect(await at(1)).toBe('No PostgreSQL answers at 127.0.0.1:1. Start it, or correct DATABASE_URL.');
  for (const [code, sentence] of [
    ['28P01', 'rejects the password of clerk'],
    ['3D000', 'Database office not found'],
  ] as const) {
    const { server, port } = await refusingPostgres(code);
    expect(await at(port)).toContain(sentence);
    server.close();
  }
});

test('a secret that is short or published is refused', async () => {
  const DATABASE_URL = `postgres://clerk:${password}@127.0.0.1:1/office`;
  expect(await refusal({ SECRET_KEY: 'short-but-of-10-kinds' })).toContain('SECRET_KEY is too short');
  expect(await refusal({ ...secrets, DATABASE_URL, CLIENT_SECRET: 'sryx_secret_sryx_secret' })).toContain('CLIENT_SECRET is a published sample');
});

test('a full disk is refused before anything is written to it', async () => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const isMounted = process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'none', disk]).status === 0;
  test.skip(!isMounted, 'a small disk can be mounted by root on Linux alone');
  try {
    const data = join(disk, 'data');
    expect(await refusal({ DATA_DIR: data })).toMatch(/^The disk of DATA_DIR .+ is full: 20 MB are free and a start needs 150 MB\. Free some space/);
    expect(readdirSync(data)).toEqual([]);
  } finally {
    spawnSync('umount', [disk]);
  }
});

test('an unknown option of npm start is refused, and --help lists the known ones with every setting', async () => {
  expect(await endedStart({ args: ['--dmeo'] })).toEqual({ status: 1, output: `Unknown option '--dmeo'. "npm start -- --help" lists the options.` });
  const another = 'For another: npm run build -- --manifest FILE --output FOLDER, then node FOLDER/start.mjs.';
  expect(await endedStart({ args: ['--manifest', 'a.json'] })).toMatchObject({ status: 1, output: expect.stringContaining(another) });
  const { status, output } = await endedStart({ args: ['--help'] });
  expect(status).toBe(0);
  for (const name of ['--demo', '--safe', 'PORT (default: 8080)', 'DATABASE_URL', 'SECRET_KEY']) expect(output).toContain(name);
});
