import { afterEach, describe, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { type Database, migrate, openDatabase } from '../../../src/server/data/index.ts';
import { freshDatabase, onServer, serverUrl, testDatabase } from '../../support/test-database.ts';

const plugin = (id: string, migrations: Record<string, string>) => ({ plugin: { id, title: ['插件', 'Plugin'] as const }, migrations });
const tables = (db: Database) =>
  db.asPlatform('a test', async () => {
    const rows = await db.sql.execute<{ name: string }>(sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`);
    return rows.map(({ name }) => name).filter((name) => name.startsWith('thing'));
  });

describe('migrations', () => {
  test('run once each, in the plugins’ order and by name', async () => {
    const db = await testDatabase();
    const first = plugin('first', { '0002-b.sql': 'alter table thing add b int', '0001-a.sql': 'create table thing (a int)' });
    const second = plugin('second', { '0001-a.sql': 'alter table thing add c int; create table thing_too (d int)' });
    expect(await migrate(db, [first, second])).toEqual(['first/0001-a.sql', 'first/0002-b.sql', 'second/0001-a.sql']);
    expect(await migrate(db, [first, second])).toEqual([]);
    expect(await tables(db)).toEqual(['thing', 'thing_too']);
  });

  test('that were changed after they had been applied refuse the start, line endings aside', async () => {
    const db = await testDatabase();
    await migrate(db, [plugin('one', { '0001.sql': 'create table thing (\na int)' })]);
    expect(await migrate(db, [plugin('one', { '0001.sql': 'create table thing (\r\na int)' })])).toEqual([]);
    await expect(migrate(db, [plugin('one', { '0001.sql': 'create table thing (\nb int)' })])).rejects.toThrow(
      'one/0001.sql was changed after it had been applied',
    );
  });

  test('that fail leave nothing of themselves and all of those before', async () => {
    const db = await testDatabase();
    const failing = plugin('one', { '0001.sql': 'create table thing (a int)', '0002.sql': 'create table thing_two (a int); select nonsense' });
    await expect(migrate(db, [failing])).rejects.toThrow('The migration one/0002.sql failed');
    expect(await tables(db)).toEqual(['thing']);
    expect(await migrate(db, [plugin('one', { '0001.sql': 'create table thing (a int)', '0002.sql': 'create table thing_two (a int)' })])).toEqual([
      'one/0002.sql',
    ]);
  });

  test('are applied exactly once by servers that start together', async () => {
    const db = await testDatabase();
    const installed = Array.from({ length: 6 }, (_, index) =>
      plugin(`p${index}`, { '0001.sql': `create table thing_${index} (a int)`, '0002.sql': `alter table thing_${index} add b int` }),
    );
    const applied = await Promise.all([migrate(db, installed), migrate(db, installed), migrate(db, installed)]);
    expect(applied.flat().sort()).toEqual(installed.flatMap(({ plugin: { id } }) => [`${id}/0001.sql`, `${id}/0002.sql`]).sort());
  });

  test('with concurrent indexes build them on the embedded database too', async () => {
    const db = await testDatabase();
    const one = plugin('one', {
      '0001.sql': 'create table thing (a int)',
      '0002.sql': '-- Built while the table is written.\ncreate index concurrently if not exists thing_a on thing (a);\n',
    });
    expect(await migrate(db, [one])).toEqual(['one/0001.sql', 'one/0002.sql']);
    expect(await db.asPlatform('a test', () => db.sql.execute(sql`select indexname from pg_indexes where tablename = 'thing'`))).toEqual([
      { indexname: 'thing_a' },
    ]);
  });
});

describe.runIf(serverUrl !== undefined)('on a PostgreSQL server', () => {
  const undo: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  const fresh = async (): Promise<string> => {
    const url = await freshDatabase(serverUrl ?? '');
    undo.push(() => onServer(serverUrl ?? '', `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`));
    return url;
  };

  const open = async (url: string): Promise<Database> => {
    const db = await openDatabase({ url, timeZone: 'UTC' });
    undo.push(() => db.close());
    return db;
  };

  test('servers that start together on an empty database all come up', async () => {
    const url = await fresh();
    const dbs = await Promise.all([open(url), open(url), open(url)]);
    const installed = [plugin('one', { '0001.sql': 'create table thing (like base_row including all)' })];
    const applied = await Promise.all(dbs.map((db) => migrate(db, installed)));
    expect(applied.flat().sort()).toEqual([
      'kernel/0001-foundation.sql',
      'kernel/0002-page-places.sql',
      'kernel/0003-tenant-looked-up-once.sql',
      'kernel/0004-tenant-row.sql',
      'one/0001.sql',
    ]);
  });

  test('a table in use delays a migration, and the migration delays the others who need the table for seconds only', async () => {
    const url = await fresh();
    const [db, user] = [await open(url), new pg.Client({ connectionString: url })];
    await user.connect();
    undo.push(() => user.end());
    await migrate(db, [plugin('one', { '0001.sql': 'create table thing (a int)' })]);
    await user.query('begin; select * from thing');
    let isMigrated = false;
    const migration = migrate(db, [plugin('one', { '0001.sql': 'create table thing (a int)', '0002.sql': 'alter table thing add b int' })]).then((applied) => {
      isMigrated = true;
      return applied;
    });
    const isWaiting = `select 1 from pg_locks where not granted and relation = 'thing'::regclass`;
    await expect.poll(async () => (await user.query(isWaiting)).rowCount, { timeout: 10_000 }).toBe(1);
    await onServer(url, 'select * from thing');
    expect(isMigrated).toBe(false);
    await user.query('commit');
    expect(await migration).toEqual(['one/0002.sql']);
  });

  test('a migration that is part of a deadlock is applied again', async () => {
    const url = await fresh();
    const [db, user] = [await open(url), new pg.Client({ connectionString: url })];
    await user.connect();
    undo.push(() => user.end());
    const tables = { '0001.sql': 'create table first (a int); create table second (a int)' };
    await migrate(db, [plugin('one', tables)]);
    await user.query('begin; lock table second in access share mode');
    const migration = migrate(db, [plugin('one', { ...tables, '0002.sql': 'alter table first add b int; alter table second add b int' })]);
    const isWaiting = `select 1 from pg_locks where not granted and relation = 'second'::regclass`;
    await expect.poll(async () => (await user.query(isWaiting)).rowCount, { timeout: 10_000 }).toBe(1);
    await user.query('lock table first in access share mode; commit');
    expect(await migration).toEqual(['one/0002.sql']);
  });

  test('an index is built while its table is written, once by servers that start together, and one left invalid is built again', async () => {
    const url = await fresh();
    const [db, other, user] = [await open(url), await open(url), new pg.Client({ connectionString: url })];
    await user.connect();
    undo.push(() => user.end());
    const table = { '0001.sql': 'create table thing (a int)' };
    const unique = { ...table, '0002.sql': 'create unique index concurrently if not exists thing_a on thing (a)' };
    await migrate(db, [plugin('one', table)]);
    await onServer(url, 'insert into thing values (1), (1)');
    await expect(migrate(db, [plugin('one', unique)])).rejects.toThrow('The migration one/0002.sql failed');
    const state = async () => (await user.query(`select i.indisvalid as valid from pg_index i where i.indrelid = 'thing'::regclass`)).rows;
    expect(await state()).toEqual([{ valid: false }]);
    await onServer(url, 'delete from thing where ctid = (select min(ctid) from thing)');

    await user.query('begin; insert into thing values (2)');
    const building = Promise.all([migrate(db, [plugin('one', unique)]), migrate(other, [plugin('one', unique)])]);
    // The index waits for the open transaction, and other writers do not wait for the index.
    const waits = `select 1 from pg_locks where not granted and locktype = 'virtualxid'`;
    await expect.poll(async () => (await user.query(waits)).rowCount, { timeout: 20_000 }).toBeGreaterThan(0);
    await onServer(url, 'insert into thing values (3)');
    await user.query('commit');
    expect((await building).flat()).toEqual(['one/0002.sql']);
    expect(await state()).toEqual([{ valid: true }]);
    await expect(onServer(url, 'insert into thing values (3)')).rejects.toThrow('duplicate key');
    const mixed = { ...unique, '0003.sql': 'create index concurrently if not exists thing_b on thing (a); alter table thing add b int' };
    await expect(migrate(db, [plugin('one', mixed)])).rejects.toThrow('The migration one/0003.sql failed: Put the statements');
    expect(await state()).toEqual([{ valid: true }]);
  });

  test('an owner without superuser rights sees all rows in platform work, and tenants are separated', async () => {
    const url = new URL(await fresh());
    const owner = `owner_${Math.random().toString(36).slice(2, 8)}`;
    await onServer(
      serverUrl ?? '',
      `create role ${owner} login password 'x' createrole; grant marquee_tenant to ${owner}; alter database ${url.pathname.slice(1)} owner to ${owner}`,
    );
    undo.unshift(() => onServer(serverUrl ?? '', `drop role ${owner}`));
    url.username = owner;
    url.password = 'x';
    const db = await open(url.href);
    await migrate(db, [plugin('one', { '0001.sql': "create table thing (like base_row including all, words text); call own_by_tenant('thing')" })]);
    for (const tenantId of ['a', 'b']) await db.write({ tenantId }, () => db.sql.execute(sql`insert into thing (words) values (${tenantId})`));
    const words = async () => (await db.sql.execute<{ words: string }>(sql`select words from thing order by words`)).map((row) => row.words);
    expect(await db.asPlatform('a test', words)).toEqual(['a', 'b']);
    expect(await db.read({ tenantId: 'b' }, words)).toEqual(['b']);
  });

  test('a user without the required rights gets the statements to run', async () => {
    const url = new URL(await fresh());
    const weak = `weak_${Math.random().toString(36).slice(2, 8)}`;
    await onServer(serverUrl ?? '', `create role ${weak} login password 'x'`);
    undo.unshift(() => onServer(serverUrl ?? '', `drop role ${weak}`));
    url.username = weak;
    url.password = 'x';
    await expect(open(url.href)).rejects.toThrow(`Ask a database administrator to run: create role marquee_tenant nologin; grant marquee_tenant to ${weak};`);
  });

  test('signals reach other servers, also after the connection was lost', async () => {
    const url = await fresh();
    const [one, other] = [await open(url), await open(url)];
    const heard: string[] = [];
    other.onSignal('menu', (payload) => heard.push(payload));
    await one.signal('menu', 'first');
    await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['first']);
    await onServer(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'marquee signals'`);
    await expect
      .poll(
        async () => {
          await one.signal('menu', 'again');
          return heard.includes('again');
        },
        { timeout: 5000, interval: 100 },
      )
      .toBe(true);
  });

  test('a lost connection fails its own work only', async () => {
    const url = await fresh();
    const db = await open(url);
    const cut = db.asPlatform('a test', () => db.sql.execute(sql`select pg_terminate_backend(pg_backend_pid())`));
    await expect(cut).rejects.toThrow();
    expect(await db.asPlatform('a test', () => db.sql.execute(sql`select 1 as one`))).toEqual([{ one: 1 }]);
  });

  test('statements PostgreSQL keeps planned stay narrowed from tenant to tenant', async () => {
    const url = await fresh();
    const db = await openDatabase({ url, timeZone: 'UTC', poolSize: 1 });
    undo.push(() => db.close());
    await migrate(db, [plugin('one', { '0001.sql': "create table thing (like base_row including all, words text); call own_by_tenant('thing')" })]);
    for (const tenantId of ['a', 'b']) await db.write({ tenantId }, () => db.sql.execute(sql`insert into thing (words) values (${tenantId})`));
    const words = async () => (await db.sql.execute<{ words: string }>(sql`select words from thing order by words`)).map((row) => row.words).join();
    const seen: string[] = [];
    for (let round = 0; round < 12; round++) {
      seen.push(await db.read({ tenantId: 'a' }, words), await db.asPlatform('a test', words), await db.read({ tenantId: 'b' }, words));
    }
    expect(seen).toEqual(Array.from({ length: 12 }, () => ['a', 'a,b', 'b']).flat());
  });
});
