import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { silent } from '../../../src/server/base/log.ts';
import { ConnectedDatabase } from '../../../src/server/data/database/connected-database.ts';
import { connectToOwner } from '../../../src/server/data/embedded/directory-lock.ts';
import { type SharedDatabase, shareDatabase } from '../../../src/server/data/embedded/shared-database.ts';
import { sharedDriver } from '../../../src/server/data/embedded/shared-driver.ts';
import { toLine } from '../../../src/server/data/embedded/wire-lines.ts';
import { type Database, openDatabase } from '../../../src/server/data/index.ts';

let directory: string;
let owner: SharedDatabase;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'marquee-shared-'));
  owner = await shareDatabase({ directory, timeZone: 'Asia/Shanghai' });
}, 180_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Opens the shared database as another process does. */
async function joinDatabase(): Promise<Database> {
  const driver = await sharedDriver(directory);
  if (!driver) throw new Error('The database is not shared.');
  return new ConnectedDatabase(driver, silent);
}

const firstRow = async (db: Database, statement: string) => (await db.asPlatform('a test', () => db.sql.execute(sql.raw(statement))))[0];

test('several processes use one embedded database, each with its own tenant, and it outlives them', async () => {
  const [first, second] = [await joinDatabase(), await joinDatabase()];
  await first.asPlatform('a test', () => first.script('create table thing (a bigint, b bytea, c double precision, d timestamptz)'));
  await second.asPlatform('a test', () =>
    second.sql.execute(sql`insert into thing values (9007199254740993, '\\x00ff', 'infinity', '2026-01-02 03:04:05+08')`),
  );
  const row = { a: '9007199254740993', b: new Uint8Array([0, 255]), c: Number.POSITIVE_INFINITY, d: '2026-01-02 03:04:05+08' };
  expect(await firstRow(first, 'select * from thing')).toEqual(row);
  const tenantOf = (db: Database) => db.sql.execute(sql`select current_setting('app.tenant') as tenant`);
  for (const tenantId of ['a', 'b', 'a']) {
    expect(await first.read({ tenantId }, () => tenantOf(first))).toEqual([{ tenant: tenantId }]);
    expect(await second.read({ tenantId: 'other' }, () => tenantOf(second))).toEqual([{ tenant: 'other' }]);
  }
  await first.close();
  await second.close();
  const third = await joinDatabase();
  expect(await firstRow(third, 'select count(*)::int as rows from thing')).toEqual({ rows: 1 });
  await third.close();
});

test('an error carries its code and position, and a transaction waits for that of another process', async () => {
  const [first, second] = [await joinDatabase(), await joinDatabase()];
  const failed = await first.asPlatform('a test', () => first.script('select 1;\nselect wrong')).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: '42703', position: '18' });
  const order: string[] = [];
  const slow = first.asPlatform('a test', async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    order.push('first');
  });
  await Promise.all([slow, second.asPlatform('a test', async () => void order.push('second'))]);
  expect(order).toEqual(['first', 'second']);
  await first.close();
  await second.close();
});

test('the transaction of a process that is killed is rolled back, and the next one continues', async () => {
  const db = await joinDatabase();
  await db.asPlatform('a test', () => db.script('create table counted (a int)'));
  const killed = await connectToOwner(directory);
  const send = (request: Parameters<typeof toLine>[0]) => killed?.write(toLine(request));
  send({ kind: 'join' });
  send({ kind: 'use' });
  send({ kind: 'script', text: 'begin read write; insert into counted values (1)' });
  await new Promise((resolve) => killed?.once('data', resolve));
  killed?.destroy();
  expect(await firstRow(db, 'select count(*)::int as rows from counted')).toEqual({ rows: 0 });
  await db.close();
});

test('the database is not shared once its owner is closed, nor by a server that opens it for itself', async () => {
  await owner.close();
  expect(await sharedDriver(directory)).toBeUndefined();
  const db = await openDatabase({ dataDirectory: directory, timeZone: 'UTC' });
  expect(await sharedDriver(directory)).toBeUndefined();
  await db.close();
});
