import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { type Database, openDatabase, repositoryOf } from '../../../src/server/data/index.ts';
import type { ListInput } from '../../../src/shared/contract/contract.ts';
import { openTestDatabase, serverUrl, testDatabase } from '../../support/test-database.ts';
import { Film, filmMigration } from './film.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
beforeAll(async () => {
  opened = await openTestDatabase({ migrations: filmMigration });
  db = opened.db;
});
afterAll(() => opened.drop());

const orders = [
  [{}, 'create_time desc, id desc'],
  [{ ascs: 'create_time' }, 'create_time, id'],
  [{ descs: 'minutes' }, 'minutes desc, id desc'],
  [{ ascs: 'film_title' }, 'film_title, id'],
  [{ ascs: 'rating' }, 'rating, id'],
  [{ descs: 'rating' }, 'rating desc, id desc'],
] as const;

let batches = 0;
const write = (tenantId: string, statement: SQL) => db.write({ tenantId }, () => db.sql.execute(statement));
/** Reads a page with an empty cache, like a server that has just started. */
const page = (tenantId: string, input: ListInput) => db.read({ tenantId }, () => repositoryOf(db, Film).page(input));
const foldMoves = (tenantId: string) => db.asPlatform('a test', () => db.sql.execute(sql`select fold_list_moves('film', ${tenantId})`));
const insertFilms = (count: number, minutes = 500) => sql`
  insert into film (film_title, minutes, rating, genre, create_time)
  select 'Film ' || ${String(++batches)}::text || '-' || n, (n * 7919) % ${minutes}::int, nullif(n % 5, 0), 1, '2026-01-01 00:00:00'::timestamptz + make_interval(mins => (n * 31) % 4000)
  from generate_series(1, ${count}::int) n`;
/** Reads some live rows in the order of a column, from an offset on. */
const rowsFrom = (column: string, from: number, count: number) =>
  sql`(select id from film where is_deleted = 0 order by ${sql.raw(column)}, id offset ${from}::int limit ${count}::int)`;

/** Compares some pages deep in the list, in each order, with a scan of all rows. */
async function expectCorrectPages(tenantId: string, seed: number): Promise<void> {
  for (const [input, order] of orders) {
    const rows = await db.read({ tenantId }, () => db.sql.execute<{ id: string }>(sql`select id from film where is_deleted = 0 order by ${sql.raw(order)}`));
    const all = rows.map(({ id }) => id);
    const last = Math.ceil(all.length / 50);
    for (const current of [41, 41 + ((seed * 7) % Math.max(last - 41, 1)), last, last + 1]) {
      const found = await page(tenantId, { ...input, current, size: 50 });
      expect([order, current, found.total, found.records.map(({ id }) => id)]).toEqual([
        order,
        current,
        all.length,
        all.slice((current - 1) * 50, current * 50),
      ]);
    }
  }
}

const column = fc.constantFrom('create_time', 'minutes', 'film_title', 'rating');
const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), count: fc.constantFrom(1, 30, 1500), minutes: fc.constantFrom(3, 500) }),
  fc.record({
    kind: fc.constantFrom('move', 'empty', 'hide', 'restore', 'delete', 'remark', 'fail', 'fold'),
    column,
    from: fc.nat(9000),
    count: fc.constantFrom(1, 20, 900, 4000),
  }),
);

function statementOf(one: Exclude<typeof change extends fc.Arbitrary<infer Change> ? Change : never, { kind: 'add' }>): SQL {
  const { kind, from, count } = one;
  const rows = rowsFrom(one.column, from, count);
  if (kind === 'move')
    return sql`update film set minutes = (minutes * 17) % 499, create_time = create_time + interval '7 hours', rating = 3 where id in ${rows}`;
  if (kind === 'empty') return sql`update film set rating = null where id in ${rows}`;
  if (kind === 'hide') return sql`update film set is_deleted = 1 where id in ${rows}`;
  if (kind === 'restore') return sql`update film set is_deleted = 0 where id in (select id from film where is_deleted = 1 order by id limit ${count}::int)`;
  if (kind === 'delete') return sql`delete from film where id in ${rows}`;
  return sql`update film set plot = 'seen' where id in ${rows}`;
}

async function applyChange(tenantId: string, one: typeof change extends fc.Arbitrary<infer Change> ? Change : never): Promise<void> {
  if (one.kind === 'add') await write(tenantId, insertFilms(one.count, one.minutes));
  else if (one.kind === 'fold') await foldMoves(tenantId);
  else if (one.kind === 'fail') {
    const failing = db.write({ tenantId }, async () => {
      await db.sql.execute(sql`delete from film where id in ${rowsFrom(one.column, one.from, one.count)}`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow();
  } else await write(tenantId, statementOf(one));
}

describe('a page deep in a list', () => {
  test('equals the result of a full scan after any preceding writes', async () => {
    await write('random', insertFilms(9000));
    await write('other', insertFilms(3000));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), fc.nat(), async (changes, seed) => {
        for (const one of changes) await applyChange('random', one);
        await expectCorrectPages('random', seed);
      }),
      { numRuns: serverUrl ? 6 : 3, endOnFailure: true },
    );
    await expectCorrectPages('other', 5);
  });

  test('is correct during and after concurrent writes', async () => {
    await write('busy', insertFilms(9000));
    const changesOfWriter = serverUrl ? 5 : 3;
    const writers = Array.from({ length: 6 }, async () => {
      for (const one of fc.sample(change, changesOfWriter)) await applyChange('busy', one).catch(allowDeadlock);
    });
    const pages = Array.from({ length: 10 }, async (_, turn) => {
      const { records } = await page('busy', { current: 50 + turn, size: 50, ascs: 'minutes' });
      expect(records.map(({ minutes }) => minutes)).toEqual(records.map(({ minutes }) => minutes).sort((one, other) => one - other));
    });
    await Promise.all([...writers, ...pages]);
    await expectCorrectPages('busy', 3);
    await foldMoves('busy');
    await expectCorrectPages('busy', 4);
  });

  test('is correct right after a bulk load, whose bookmarks are at most 4,000 rows apart, and after a truncation, which removes them', async () => {
    await write('loaded', insertFilms(12_000));
    const blocks = () => db.asPlatform('a test', () => db.sql.execute<{ rows: number }>(sql`select rows from list_block where tenant_id = 'loaded'`));
    expect(Math.max(...(await blocks()).map(({ rows }) => rows))).toBeLessThanOrEqual(4000);
    await expectCorrectPages('loaded', 1);
    await db.asPlatform('a test', () => db.sql.execute(sql`truncate film`));
    expect(await blocks()).toEqual([]);
    expect(await page('loaded', { current: 300 })).toMatchObject({ records: [], total: 0 });
    await write('loaded', insertFilms(2500));
    await expectCorrectPages('loaded', 2);
  });
});

test('a new sort index gets bookmarks for existing rows', async () => {
  const older = await testDatabase({ migrations: filmMigration });
  await older.write({ tenantId: 'older' }, () => older.sql.execute(insertFilms(9000)));
  await older.asPlatform('a test', async () => {
    await older.script("delete from list_block; delete from list_move; delete from list_order; call sort_by('film', 'minutes')");
  });
  const [sum] = await older.asPlatform('a test', () =>
    older.sql.execute<{ rows: string; blocks: string }>(sql`select sum(rows)::text as rows, count(*)::text as blocks from list_block`),
  );
  expect(sum).toEqual({ rows: '9000', blocks: '3' });
});

test('a page deep in a list is found even if the table has a column named total', async () => {
  const totalled = await testDatabase({ migrations: `${filmMigration}; alter table film add column total integer` });
  await totalled.write({ tenantId: 'totalled' }, () => totalled.sql.execute(insertFilms(2500)));
  const found = await totalled.read({ tenantId: 'totalled' }, () => repositoryOf(totalled, Film).page({ current: 50, size: 50, ascs: 'minutes' }));
  expect([found.total, found.records.length]).toEqual([2500, 50]);
});

test.skipIf(!serverUrl)('a new connection does not wait for a transaction that changes a table', async () => {
  await db.asPlatform('a test', async () => {
    await db.script('lock table film in access exclusive mode');
    const other = await openDatabase({ url: opened.url, timeZone: 'Asia/Shanghai' });
    const rows = await other.read({ tenantId: 'newcomer' }, () => other.sql.execute(sql`select 1 as here`));
    await other.close();
    expect(rows).toEqual([{ here: 1 }]);
  });
});

/** PostgreSQL may reject writers that change the same rows in different orders; their changes are then rolled back completely. */
function allowDeadlock(error: unknown): void {
  const { code } = ((error as Error).cause ?? error) as { code?: string };
  if (code !== '40P01') throw error;
}
