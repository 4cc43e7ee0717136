import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, onTestFinished, test } from '@rstest/core';
import { readTar, tarEnd, tarEntry } from '../../../../src/server/base/tar.ts';
import { differenceOf, TotalsCounter } from '../../../../src/server/host/backup/archive.ts';
import { readChunks } from '../../../../src/server/host/backup/dump-database.ts';
import { readableProblem } from '../../../../src/server/platform/backup/file-problem.ts';
import { testDatabase } from '../../../support/test-database.ts';

const megabyte = 1024 * 1024;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-tar-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('an archive is a tar that every system reads', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'some.tar');
  const contents = { 'a.txt': Buffer.from('one'), 'empty/b': Buffer.alloc(0), 'block/c': Buffer.alloc(512, 'x'), 'd/two': Buffer.alloc(70_001, 'y') };
  async function* bytes() {
    for (const [name, content] of Object.entries(contents)) yield* tarEntry(name, content.length, [content]);
    yield tarEnd;
  }
  await pipeline(bytes(), createWriteStream(path));
  const found: Record<string, Buffer> = {};
  for await (const entry of readTar(createReadStream(path, { highWaterMark: 1000 }))) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry.content()) chunks.push(chunk);
    found[entry.name] = Buffer.concat(chunks);
  }
  expect(found).toEqual(contents);
  if (process.platform === 'win32') return;
  execFileSync('tar', ['xf', path, '-C', folder]);
  expect(execFileSync('cat', ['a.txt', 'd/two'], { cwd: folder })).toEqual(Buffer.concat([contents['a.txt'], contents['d/two']]));
});

test('a size beyond eight gigabytes is written and read', async () => {
  const size = 9 * 1024 ** 3;
  const [header] = [await tarEntry('large', size, []).next()].map(({ value }) => value as Uint8Array);
  const entries = readTar(Readable.from([header ?? new Uint8Array()]));
  expect((await entries.next()).value).toMatchObject({ name: 'large', size });
});

test('a file that becomes shorter or longer while it is read fails', async () => {
  for (const size of [2, 4])
    await expect(Readable.from(tarEntry('grown', size, [Buffer.from('abc')])).toArray()).rejects.toThrow('grown changed while it was read.');
});

test('large files pass through without being held in memory', async () => {
  const size = 256 * megabyte;
  const block = Buffer.alloc(64 * 1024, 'z');
  const before = process.memoryUsage();
  let peak = 0;
  const measure = () => {
    const { arrayBuffers, external } = process.memoryUsage();
    peak = Math.max(peak, arrayBuffers - before.arrayBuffers, external - before.external);
  };
  async function* content() {
    for (let written = 0; written < size; written += block.length) yield block;
  }
  async function* bytes() {
    yield* tarEntry('large', size, content());
    yield tarEnd;
  }
  let read = 0;
  for await (const entry of readTar(Readable.from(bytes(), { objectMode: false }))) {
    for await (const chunk of entry.content()) {
      read += chunk.length;
      if (read % (16 * megabyte) < chunk.length) measure();
    }
  }
  expect(read).toBe(size);
  expect(peak).toBeLessThan(64 * megabyte);
}, 60_000);

test('rows are read in chunks of about a megabyte, few where they are long', async () => {
  const db = await testDatabase();
  const sizes: { rows: number; chars: number }[] = [];
  await db.snapshot('a test', async () => {
    const statement = `select repeat('x', case when n between 5000 and 6000 then 300000 else 20 end) from generate_series(1, 20000) n`;
    for await (const lines of readChunks(db, statement)) sizes.push({ rows: lines.length, chars: lines.join('').length });
  });
  expect(sizes.reduce((sum, { rows }) => sum + rows, 0)).toBe(20_000);
  expect(Math.max(...sizes.map(({ rows }) => rows))).toBeLessThan(4096 + 128);
  expect(sizes.filter(({ rows }) => rows >= 4096).length).toBeGreaterThan(2);
  // One chunk meets the long rows, of which it has fetched at most 128; the following ones have a few of them each.
  const large = sizes.filter(({ chars }) => chars > 2 * megabyte);
  expect(large.length).toBeLessThanOrEqual(1);
  expect(Math.max(...sizes.map(({ chars }) => chars))).toBeLessThan(128 * 300_000 + megabyte);
  expect(sizes.filter(({ rows, chars }) => rows < 10 && chars > megabyte).length).toBeGreaterThan(200);
  await expect(db.snapshot('a test', () => db.rows('create table thing (a int)', []))).rejects.toThrow(/read-only/);
});

test('totals do not depend on the order of rows, and show a changed or missing row', () => {
  const totalsOf = (...lines: string[]) => {
    const counter = new TotalsCounter();
    for (const line of lines) counter.add([line]);
    return { things: counter.totals };
  };
  expect(differenceOf(totalsOf('a', 'b', 'b'), totalsOf('b', 'a', 'b'))).toBeUndefined();
  expect(differenceOf(totalsOf('a', 'b'), totalsOf('a', 'c'))).toBe('the rows of the table things have changed');
  expect(differenceOf(totalsOf('a', 'b'), totalsOf('a'))).toBe('the table things has 1 instead of 2 rows');
});

test('a full or unwritable disk is named with the remedy', () => {
  const failure = (code: string, path?: string) => Object.assign(new Error(code), { code, syscall: 'write', ...(path === undefined ? {} : { path }) });
  const sentenceOf = (error: unknown) => (readableProblem(error, '/backups/b.tar.gz') as Error).message;
  expect(sentenceOf(failure('ENOSPC'))).toBe('The disk of /backups is full. Free some space, or choose a folder on another disk.');
  expect(sentenceOf(failure('EACCES', '/backups/b.tar.gz.part'))).toMatch(/^\/backups\/b\.tar\.gz is not accessible to this user\./);
  expect(sentenceOf(new Error('outer', { cause: failure('EROFS', '/backups/b.tar.gz.part') }))).toMatch(/^\/backups is on a read-only disk\./);
  expect(sentenceOf(failure('EACCES', '/elsewhere/file'))).toBe('EACCES');
});
