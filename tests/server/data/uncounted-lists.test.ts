import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import { actingAs } from '../../../src/server/data/context/actor.ts';
import { type Database, type Repository, repositoryOf } from '../../../src/server/data/index.ts';
import type { ListInput, Page, RowOf } from '../../../src/shared/contract/contract.ts';
import { sentStatements } from '../../support/sent-statements.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { Film, filmMigration } from './film.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
/** Repository of a table without a row counter. Each test has a new one, which remembers no totals. */
let films: Repository<typeof Film>;
beforeAll(async () => {
  opened = await openTestDatabase({ migrations: filmMigration });
  db = opened.db;
  await insertMany('long', 12_500);
  await insertMany('vast', 20_100);
  await insertMany('short', 30);
  await db.asPlatform('statistics', () => db.sql.execute(sql`analyze film`));
});
beforeEach(() => {
  films = repositoryOf(db, Film, { noTotal: true });
});
afterAll(() => opened.drop());

const insertMany = (tenantId: string, rows: number) =>
  db.write({ tenantId }, () =>
    db.sql.execute(sql`insert into film (film_title, minutes, rating, genre, create_time)
      select 'Film ' || n || clock_timestamp(), n % 500, nullif(n % 5, 0), 1 + n % 2, '2026-01-01 00:00:00'::timestamptz + make_interval(mins => n)
      from generate_series(1, ${rows}::int) n`),
  );

/** Reads a page, and returns it with the statements that were sent for it. */
async function readPage(tenantId: string, input: ListInput, { isCounted = true }: { isCounted?: boolean } = {}) {
  let page: Page<RowOf<typeof Film>> | undefined;
  const statements = await sentStatements(db, () =>
    db.read({ tenantId }, async () => {
      page = await films.page(input, undefined, { withoutTotal: !isCounted });
    }),
  );
  return { ...(page as NonNullable<typeof page>), statements };
}

/** Tells for each statement whether it counts rows. */
const countsRows = (statements: readonly string[]) => statements.map((text) => text.includes('count(*)'));

test('a list without a row counter counts up to 10,001 rows in the statement of its page, and not again while it is known to be longer', async () => {
  const first = await readPage('long', {});
  expect(first).toMatchObject({ total: 10_001, totalExact: false, size: 10 });
  expect(first.records).toHaveLength(10);
  expect(countsRows(first.statements)).toEqual([true]);
  for (const input of [{}, { current: 2 }, { current: 90, size: 100 }, { ascs: 'minutes' }]) {
    const page = await readPage('long', input);
    expect(page).toMatchObject({ total: 10_001, totalExact: false });
    expect(countsRows(page.statements)).toEqual([false]);
  }
  expect(await readPage('long', { current: 1249 })).toMatchObject({ total: 12_491, totalExact: false });
  expect(await readPage('long', { current: 1250 })).toMatchObject({ total: 12_500, totalExact: true });
  expect(await readPage('long', { exactTotal: true })).toMatchObject({ total: 12_500, totalExact: true });
  expect(await readPage('long', { size: 0, exactTotal: true })).toMatchObject({ records: [], total: 12_500, totalExact: true });
});

test('the known length of a list is not used for another tenant', async () => {
  expect(await readPage('long', {})).toMatchObject({ total: 10_001, totalExact: false });
  const short = await readPage('short', {});
  expect(short).toMatchObject({ total: 30, totalExact: true, pages: 3 });
  expect(countsRows(short.statements)).toEqual([true]);
  expect(await readPage('none', {})).toMatchObject({ records: [], total: 0, totalExact: true });
});

test('a data scope limits the total of a list that is known to be long, and its total is not used for other users', async () => {
  const scope = { parts: [{ kind: 'custom', condition: { field: 'minutes', is: '7' } }], fields: undefined } as const;
  const actor = { userId: '1', tenantId: 'long', deptId: undefined, dataScopes: new Map([['film', scope]]) };
  const scoped = () => actingAs(actor, () => readPage('long', {}));
  expect(await scoped()).toMatchObject({ total: 25, totalExact: true });
  expect(await readPage('long', {})).toMatchObject({ total: 10_001, totalExact: false });
  expect(await scoped()).toMatchObject({ total: 25, totalExact: true });
});

test('the total of a short list follows every change, with one statement for each page', async () => {
  await insertMany('growing', 12);
  for (const rows of [12, 13, 14]) {
    const page = await readPage('growing', {});
    expect(page).toMatchObject({ total: rows, totalExact: true });
    expect(page.statements).toHaveLength(1);
    await insertMany('growing', 1);
  }
});

test.each([
  ['that ends the list', 'purged-end', { current: 3 }],
  ['beyond the end of the list', 'purged-past', { current: 700 }],
])('after a purge, a page %s has the exact total, and so have all pages from then on', async (_, tenantId, input) => {
  await insertMany(tenantId, 10_500);
  expect(await readPage(tenantId, {})).toMatchObject({ total: 10_001, totalExact: false });
  await db.write({ tenantId }, () => db.sql.execute(sql`delete from film where create_time > '2026-01-01 00:25:00'`));
  expect(await readPage(tenantId, input)).toMatchObject({ total: 25, totalExact: true });
  expect(await readPage(tenantId, {})).toMatchObject({ total: 25, totalExact: true });
});

test('a filtered page of a large table takes one statement, once the size of the table and an estimate are known', async () => {
  const filter = { genre_equal: 1 };
  const first = await readPage('vast', filter);
  expect(first.totalExact).toBe(false);
  expect(first.total).toBeGreaterThan(11);
  expect(first.total).toBeLessThan(10_001);
  expect(first.statements).toHaveLength(3);
  for (const current of [1, 2, 3]) {
    const page = await readPage('vast', { ...filter, current });
    expect(page).toMatchObject({ total: first.total, totalExact: false });
    expect(page.statements).toHaveLength(1);
  }
  // For another filter only the estimate is repeated.
  expect((await readPage('vast', { genre_equal: 2 })).statements.map((text) => text.startsWith('explain'))).toEqual([false, true]);
  expect(await readPage('vast', { ...filter, size: 0 })).toMatchObject({ records: [], total: 10_001, totalExact: false });
  expect(await readPage('vast', { ...filter, size: 0, exactTotal: true })).toMatchObject({ total: 10_050, totalExact: true });
  expect(await readPage('vast', { minutes_equal: 7, size: 0 })).toMatchObject({ total: 41, totalExact: true });
});

test('the matches of a filter in a table that is not large are counted with each page', async () => {
  const filter = { genre_equal: 1 };
  expect(await readPage('long', filter)).toMatchObject({ total: 6250, totalExact: true });
  await insertMany('long', 1);
  expect(await readPage('long', { genre_equal: 2 })).toMatchObject({ total: 6251, totalExact: true });
});

test('a page without its total takes one statement and says whether rows follow', async () => {
  for (const filter of [{}, { genre_equal: 1 }]) {
    const page = await readPage('vast', { ...filter, current: 2 }, { isCounted: false });
    expect(page).toMatchObject({ total: 21, totalExact: false });
    expect(page.records).toHaveLength(10);
    expect(countsRows(page.statements)).toEqual([false]);
  }
  const last = await readPage('short', { current: 3 }, { isCounted: false });
  expect(last).toMatchObject({ total: 30, totalExact: true });
  expect(last.statements).toHaveLength(1);
});
