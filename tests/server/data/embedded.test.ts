import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { lockDirectory } from '../../../src/server/data/embedded/directory-lock.ts';
import { type Database, openDatabase, writeTemplate } from '../../../src/server/data/index.ts';

let directory: string;
let templates: string;
const opened: Database[] = [];
const processes: ChildProcess[] = [];

beforeAll(async () => {
  templates = await mkdtemp(join(tmpdir(), 'marquee-template-'));
  await writeTemplate(join(templates, 'empty.tar.gz'));
});
afterAll(() => rm(templates, { recursive: true, force: true }));
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'marquee-'));
});
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close();
  for (const process of processes.splice(0)) process.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

async function open(): Promise<Database> {
  const db = await openDatabase({ dataDirectory: directory, timeZone: 'UTC', template: join(templates, 'empty.tar.gz') });
  opened.push(db);
  return db;
}

describe('the embedded database', () => {
  test('keeps its rows after it was closed, and repeats an interrupted first start', async () => {
    await mkdir(join(directory, 'postgres'));
    await writeFile(join(directory, 'postgres', 'PG_VERSION'), '18');
    await writeFile(join(directory, 'postgres.unfinished'), '');
    const db = await open();
    await db.asPlatform('a test', () => db.script('create table thing (a int); insert into thing values (7)'));
    await db.close();
    const reopened = await open();
    expect(await reopened.asPlatform('a test', () => reopened.sql.execute(sql`select a from thing`))).toEqual([{ a: 7 }]);
    expect(existsSync(join(directory, 'postgres.unfinished'))).toBe(false);
  });

  test('waits for running work before it closes, and accepts none afterwards', async () => {
    const db = await openDatabase({ timeZone: 'UTC', template: join(templates, 'empty.tar.gz') });
    const work = db.asPlatform('a test', async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return db.sql.execute(sql`select 1 as one`);
    });
    await db.close();
    expect(await work).toEqual([{ one: 1 }]);
    await expect(db.asPlatform('a test', async () => 1)).rejects.toThrow('closed');
    await expect(db.read({ tenantId: 'a' }, async () => 1)).rejects.toThrow('closed');
  });
});

describe('the lock of a directory', () => {
  test('is refused to a second caller in this process, and is free once it is unlocked', async () => {
    const unlock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow('already open in this process');
    await unlock();
    await (await lockDirectory(directory))();
  });

  test('of a live process is respected, that of a dead one is taken over', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    processes.push(other);
    await writeFile(join(directory, 'marquee.lock'), JSON.stringify({ pid: other.pid }));
    await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${other.pid}`);
    const exited = once(other, 'exit');
    other.kill('SIGKILL');
    await exited;
    const unlock = await lockDirectory(directory);
    expect(JSON.parse(await readFile(join(directory, 'marquee.lock'), 'utf8'))).toMatchObject({ pid: process.pid });
    await unlock();
  });

  test('of a live process is respected even if its process id says nothing, as between containers', async () => {
    const socket = `marquee.${randomUUID()}.sock`;
    const address = process.platform === 'win32' ? `\\\\.\\pipe\\${socket}` : socket;
    const script = `require('node:net').createServer().listen(${JSON.stringify(address)}, () => console.log('listening'))`;
    const other = spawn(process.execPath, ['-e', script], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
    processes.push(other);
    await once(other.stdout, 'data');
    await writeFile(join(directory, 'marquee.lock'), JSON.stringify({ pid: process.pid, started: 'long ago', socket }));
    await expect(lockDirectory(directory)).rejects.toThrow(`in use by process ${process.pid}`);
    const exited = once(other, 'exit');
    other.kill('SIGKILL');
    await exited;
    const unlock = await lockDirectory(directory);
    await unlock();
    expect(await readdir(directory)).toEqual([]);
  });

  test('leaves nothing behind, even in a directory with a long name', async () => {
    const longNamed = join(directory, '目录'.repeat(20), 'data '.repeat(20).trim());
    await (await lockDirectory(longNamed))();
    expect(await readdir(longNamed)).toEqual([]);
  });

  test.each([
    ['another process has the id now', () => JSON.stringify({ pid: process.ppid, started: 'long ago' })],
    ['this process has the id now', () => JSON.stringify({ pid: process.pid, started: 'long ago' })],
    ['the file is not a lock', () => 'nonsense'],
    ['the file is empty', () => ''],
  ])('is taken over when %s', async (_, text) => {
    await writeFile(join(directory, 'marquee.lock'), text());
    await (await lockDirectory(directory))();
  });
});
