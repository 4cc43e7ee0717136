import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import { type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { type Database, type Repository, repositoryOf } from '../../../src/server/data/index.ts';
import type { ListInput, RowOf } from '../../../src/shared/contract/contract.ts';
import { ApiError, problems } from '../../../src/shared/contract/errors.ts';
import { isEmpty } from '../../../src/shared/text/text.ts';
import { sentStatements } from '../../support/sent-statements.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { Film, filmMigration } from './film.ts';

type FilmRow = RowOf<typeof Film>;

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
let films: Repository<typeof Film>;
beforeAll(async () => {
  opened = await openTestDatabase({ migrations: filmMigration });
  db = opened.db;
  films = repositoryOf(db, Film);
});
afterAll(() => opened.drop());

const page = (tenantId: string, input: ListInput) => db.read({ tenantId }, () => films.page(input));

const titles = ['A', 'a', 'Ab', '%', '_', '\\', "O'Hara", '100%', 'a_b', '"x"', '长津湖', '🎬'];
const plots = ['a', '%', 'Once', '', null];
const moments = ['2026-01-01 00:00:00', '2026-01-01 00:00:01', '2026-06-30 23:59:59', null];

/** Inserts rows of which some match each condition, deleted ones among them, and returns those that are not deleted. */
async function insertFilms(tenantId: string, count: number): Promise<FilmRow[]> {
  const pick = <Value>(values: readonly Value[], index: number) => values[index % values.length] as Value;
  return db.write({ tenantId }, async () => {
    for (let index = 0; index < count; index++) {
      const row = await films.save({
        filmTitle: `${pick(titles, index * 7)}${index}`,
        plot: pick(plots, index * 3),
        minutes: pick([-5, 0, 7, 90, 100, 2_147_483_647], index * 5),
        rating: pick([null, 1, 2, 3], index),
        genre: pick([1, 2] as const, index),
        studioId: pick([null, '12', '123', '9223372036854775807'], index),
        shownAt: pick(moments, index * 3),
      });
      if (index % 9 === 0) await films.remove([row.id]);
    }
    await db.sql.execute(sql`update film set create_time = create_time - make_interval(secs => minutes % 5) where minutes < 1000`);
    return films.list();
  });
}

const testText = (value: string | number | null, test: (text: string) => boolean) => value !== null && test(String(value));
const compareValues = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);

/** Implements each suffix a second time, for rows in memory. */
const predicates: Record<string, (value: string | number | null, operand: string, isNumber: boolean) => boolean> = {
  '': (value, operand) => testText(value, (text) => text.includes(operand)),
  _like: (value, operand) => testText(value, (text) => text.includes(operand)),
  _likeleft: (value, operand) => testText(value, (text) => text.endsWith(operand)),
  _likeright: (value, operand) => testText(value, (text) => text.startsWith(operand)),
  _notlike: (value, operand) => testText(value, (text) => !text.includes(operand)),
  _equal: (value, operand) => value !== null && String(value) === operand,
  _notequal: (value, operand) => value !== null && String(value) !== operand,
  _gt: (value, operand, isNumber) => value !== null && compare(value, operand, isNumber) > 0,
  _ge: (value, operand, isNumber) => value !== null && compare(value, operand, isNumber) >= 0,
  _lt: (value, operand, isNumber) => value !== null && compare(value, operand, isNumber) < 0,
  _le: (value, operand, isNumber) => value !== null && compare(value, operand, isNumber) <= 0,
  _null: (value) => value === null,
  _notnull: (value) => value !== null,
  _ignore: () => true,
};

function compare(value: string | number, operand: string, isNumber: boolean): number {
  if (!isNumber) return Buffer.compare(Buffer.from(String(value)), Buffer.from(operand));
  const difference = BigInt(value) - BigInt(operand);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

const dateSuffixes = { _dategt: '_gt', _datege: '_ge', _datelt: '_lt', _datele: '_le', _dateequal: '_equal' } as const;

function matches(row: FilmRow, name: string, operand: string): boolean {
  if (isEmpty(operand)) return true;
  const separator = name.indexOf('_');
  const field = (separator < 0 ? name : name.slice(0, separator)) as keyof FilmRow;
  const suffix = separator < 0 ? '' : name.slice(separator);
  const predicate = predicates[dateSuffixes[suffix as keyof typeof dateSuffixes] ?? suffix];
  if (!predicate) throw new Error(`No predicate: ${name}`);
  return predicate(row[field], operand, ['minutes', 'rating', 'genre', 'studioId'].includes(field));
}

/** Returns the ids of the list in memory. */
function expectedIds(rows: FilmRow[], filters: Record<string, string>, sorts: { field: keyof FilmRow; descending: boolean }[]): string[] {
  const effective = sorts.length > 0 ? sorts : [{ field: 'createTime' as const, descending: true }];
  const all = [...effective, { field: 'id' as const, descending: effective.at(-1)?.descending ?? true }];
  return rows
    .filter((row) => Object.entries(filters).every(([name, operand]) => matches(row, name, operand)))
    .sort((one, other) => {
      for (const { field, descending } of all) {
        const difference = compareCells(one[field], other[field], field);
        if (difference !== 0) return descending ? -difference : difference;
      }
      return 0;
    })
    .map(({ id }) => id);
}

/** Rows without a value come last in ascending and first in descending order. */
function compareCells(one: string | number | null, other: string | number | null, field: string): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  if (field === 'id') return compareValues(BigInt(one) < BigInt(other) ? 0 : 1, BigInt(other) < BigInt(one) ? 0 : 1);
  return typeof one === 'number' ? compareValues(one, other) : compare(one, String(other), false);
}

describe('a list', () => {
  test('returns for any filters, sorts and page what filtering and sorting all rows in memory gives', async () => {
    const rows = await insertFilms('random', 90);
    await insertFilms('other', 5);
    const text = fc.constantFrom('filmTitle', 'plot');
    const number = fc.constantFrom('minutes', 'rating', 'genre', 'studioId');
    const pattern = fc.constantFrom('', '_like', '_likeleft', '_likeright', '_notlike', '_null', '_notnull', '_ignore');
    const comparison = fc.constantFrom('_equal', '_notequal', '_gt', '_ge', '_lt', '_le');
    const word = fc.constantFrom(...titles, 'a1', '1', '9', '长', 'b', '', 'null');
    const whole = fc.constantFrom('-5', '0', '1', '2', '7', '12', '90', '123');
    const filter = fc.oneof(
      fc.tuple(text, fc.oneof(pattern, comparison), word),
      fc.tuple(number, pattern, fc.oneof(word, whole)),
      fc.tuple(number, comparison, whole),
      fc.tuple(
        fc.constantFrom('shownAt', 'createTime'),
        fc.constantFrom(...Object.keys(dateSuffixes)),
        fc.constantFrom(...moments.filter((moment) => moment !== null)),
      ),
      fc.tuple(fc.constantFrom('shownAt'), pattern, fc.constantFrom('2026', '-06-', ':59', '2026-01-01 00:00:00')),
    );
    const sort = fc.record({ field: fc.constantFrom('filmTitle', 'minutes', 'rating', 'createTime'), descending: fc.boolean(), snake: fc.boolean() });
    const request = fc.record({
      filters: fc.array(filter, { maxLength: 3 }),
      sorts: fc.uniqueArray(sort, { maxLength: 2, selector: ({ field }) => field }),
      size: fc.constantFrom(1, 7, 10, 30, 200),
      current: fc.integer({ min: 1, max: 14 }),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ filters, sorts, size, current }) => {
        const wantedFilters = Object.fromEntries(filters.map(([field, suffix, value]) => [field + suffix, value]));
        const names = (descending: boolean) =>
          sorts
            .filter((one) => one.descending === descending)
            .map(({ field, snake }) => (snake ? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : field));
        const wantedIds = expectedIds(rows, wantedFilters, [...sorts.filter((one) => !one.descending), ...sorts.filter((one) => one.descending)] as never);
        const found = await page('random', { ...wantedFilters, ascs: names(false).join(','), descs: names(true).join(','), size, current });
        expect(found.records.map(({ id }) => id)).toEqual(wantedIds.slice((current - 1) * size, current * size));
        expect(found).toMatchObject({ total: wantedIds.length, totalExact: true, size, current, pages: Math.ceil(wantedIds.length / size) });
      }),
      { numRuns: 150 },
    );
  });

  test('given ids, it returns the existing ones of this tenant that match its filters', async () => {
    const rows = await insertFilms('named', 12);
    const [foreign] = await insertFilms('namesake', 2);
    const ids = rows.slice(0, 4).map(({ id }) => id);
    const found = await page('named', { ids: [...ids, foreign?.id, '1', ids[0]].join(','), size: 200 });
    expect(found.records.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const [first] = rows;
    expect((await page('named', { ids: ids.join(','), filmTitle_equal: first?.filmTitle ?? '' })).records.map(({ id }) => id)).toEqual([first?.id]);
    expect((await page('named', { ids: '' })).total).toBe(rows.length);
  });

  test.each<[string, ListInput, (typeof problems)[keyof typeof problems], string]>([
    ['an unknown filter', { nonsense: 'x' }, problems.unknownFilter, 'nonsense'],
    ['a field that is not searched', { secret: 'x' }, problems.unknownFilter, 'secret'],
    ['a field that is not searched, with a suffix', { secret_equal: 'x' }, problems.unknownFilter, 'secret_equal'],
    ['an unknown suffix', { filmTitle_regex: 'x' }, problems.unknownFilter, 'filmTitle_regex'],
    ['a property of every object as a suffix', { filmTitle_constructor: 'x' }, problems.unknownFilter, 'filmTitle_constructor'],
    ['a property of every object as a field', { constructor: 'x' } as unknown as ListInput, problems.unknownFilter, 'constructor'],
    ['a date suffix on a text', { filmTitle_dategt: '2026-01-01 00:00:00' }, problems.unknownFilter, 'filmTitle_dategt'],
    ['SQL for a name', { "filmTitle' or 1=1 --_equal": 'x' }, problems.unknownFilter, "filmTitle' or 1=1 --_equal"],
    ['a day that does not exist', { createTime_dategt: '2026-02-30 00:00:00' }, problems.wrongParameter, 'createTime_dategt'],
    ['a date without a time', { createTime_dategt: '2026-02-03' }, problems.wrongParameter, 'createTime_dategt'],
    ['a text for a number', { minutes_equal: 'many' }, problems.wrongParameter, 'minutes_equal'],
    ['a number out of range', { minutes_gt: '3000000000' }, problems.wrongParameter, 'minutes_gt'],
    ['an id out of range', { studioId_equal: '9223372036854775808' }, problems.wrongParameter, 'studioId_equal'],
    ['an id that is not a number', { ids: '12,x' }, problems.wrongParameter, 'ids'],
    ['an id of more than 64 bits', { ids: '9223372036854775808' }, problems.wrongParameter, 'ids'],
    ['a NUL byte', { filmTitle: 'a\0' }, problems.wrongParameter, 'filmTitle'],
    ['a repeated parameter', { filmTitle: ['a', 'b'] as unknown as string }, problems.wrongParameter, 'filmTitle'],
    ['an unknown sort', { ascs: 'nonsense' }, problems.unknownSort, 'nonsense'],
    ['a sort by a secret', { descs: 'secret' }, problems.unknownSort, 'secret'],
    ['a sort by a field that is not sortable', { ascs: 'genre,minutes' }, problems.unknownSort, 'genre'],
    ['a sort by SQL', { ascs: 'film_title,(select 1)' }, problems.unknownSort, '(select 1)'],
  ])('refuses %s and names the parameter', async (_, input, problem, name) => {
    const failure = await page('random', input).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ problem, values: { name } });
  });

  test('answers a size above 200 with 200, and a page past the end with no rows and the true total', async () => {
    await insertFilms('many', 10);
    expect(await page('many', { size: 100_000 })).toMatchObject({ size: 200, current: 1, pages: 1, total: 8 });
    expect(await page('many', { current: 9e15, size: 10 })).toMatchObject({ records: [], total: 8 });
    expect(await page('many', { current: 50, filmTitle: 'A' })).toMatchObject({ records: [], totalExact: true });
    expect(await page('nobody', {})).toMatchObject({ records: [], total: 0, totalExact: true, pages: 0 });
  });

  test('treats quotes and patterns in values literally', async () => {
    const rows = await insertFilms('quotes', 30);
    for (const filmTitle of ["'", "' or '1'='1", '%', '_', '\\', "'; drop table film; --"]) {
      const { records } = await page('quotes', { filmTitle, size: 200 });
      const matching = rows.filter((row) => row.filmTitle.includes(filmTitle));
      expect({ filmTitle, ids: records.map(({ id }) => id).sort() }).toEqual({ filmTitle, ids: matching.map(({ id }) => id).sort() });
    }
  });
});

describe('a long list', () => {
  const count = 12_500;
  const insertMany = (tenantId: string, rows: number) =>
    db.write({ tenantId }, () =>
      db.sql.execute(sql`insert into film (film_title, minutes, rating, genre, create_time)
        select 'Film ' || n, (n * 7919) % 500, nullif(n % 5, 0), 1 + n % 2, '2026-01-01 00:00:00'::timestamptz + make_interval(mins => n / 3) from generate_series(1, ${rows}::int) n`),
    );
  const ids = async (tenantId: string, order: string) =>
    (await db.read({ tenantId }, () => db.sql.execute<{ id: string }>(sql`select id from film where is_deleted = 0 order by ${sql.raw(order)}`))).map(
      ({ id }) => id,
    );

  beforeAll(async () => {
    await insertMany('long', count);
  });

  test('counts filtered matches up to 10,001 unless asked for all', async () => {
    expect(await page('long', { filmTitle: 'Film' })).toMatchObject({ total: 10_001, totalExact: false });
    expect(await page('long', { filmTitle: 'Film', current: 1249 })).toMatchObject({ total: 12_491, totalExact: false });
    expect(await page('long', { filmTitle: 'Film', current: 1250 })).toMatchObject({ total: 12_500, totalExact: true });
    expect(await page('long', { filmTitle: 'Film', exactTotal: true })).toMatchObject({ total: count, totalExact: true });
    expect(await page('long', { genre_equal: 1 })).toMatchObject({ total: count / 2, totalExact: true });
    expect(await page('long', {})).toMatchObject({ total: count, totalExact: true, pages: count / 10 });
  });

  test('in a large table estimates the matches of a filter, counts them when asked to, and knows them until something changes', async () => {
    await insertMany('vast', 20_100);
    const filter = { minutes_equal: 7 };
    const first = await page('vast', filter);
    expect(first.total).toBeGreaterThan(11);
    expect(first.totalExact).toBe(first.total === 40);
    expect((await page('vast', { filmTitle: 'Film' })).total).toBeGreaterThan(11);
    expect(first.records).toHaveLength(10);
    expect(await page('vast', { ...filter, current: 5 })).toMatchObject({ records: [], total: 40, totalExact: true });
    expect(await page('vast', { ...filter, size: 0 })).toMatchObject({ records: [], total: 40, totalExact: true, pages: 0 });
    expect(await page('vast', filter)).toMatchObject({ total: 40, totalExact: true });
    await db.write({ tenantId: 'vast' }, () => db.sql.execute(sql`update film set minutes = 8 where film_title = 'Film 13'`));
    expect(await page('vast', { ...filter, current: 2 })).toMatchObject({ total: 40, totalExact: false });
    expect(await page('vast', { minutes_equal: 8, size: 0 })).toMatchObject({ total: 41, totalExact: true });
    expect(await page('vast', { filmTitle: 'Film', size: 0 })).toMatchObject({ total: 10_001, totalExact: false });
    expect(await page('vast', { filmTitle: 'Film', size: 0, exactTotal: true })).toMatchObject({ total: 20_100, totalExact: true });
    expect(await page('vast', { size: 0 })).toMatchObject({ records: [], total: 20_100, totalExact: true });
  });

  test('reuses an estimate for a minute, for the same filter and the same condition of the server only', async () => {
    await insertMany('guessed', 20_100);
    await db.asPlatform('statistics', () => db.sql.execute(sql`analyze film`));
    const estimates = async (input: ListInput, where?: SQL) => {
      const statements = await sentStatements(db, () => db.read({ tenantId: 'guessed' }, () => films.page(input, where)));
      return statements.filter((text) => text.startsWith('explain')).length;
    };
    const filter = { genre_equal: '1' };
    expect(await estimates(filter)).toBe(1);
    expect(await estimates({ ...filter, current: 2 })).toBe(0);
    expect(await estimates({ genre_equal: '2' })).toBe(1);
    const longerThan = (minutes: number) => sql`${films.table.minutes} > ${minutes}`;
    expect(await estimates({}, longerThan(10))).toBe(1);
    expect(await estimates({ current: 3 }, longerThan(10))).toBe(0);
    expect(await estimates({}, longerThan(20))).toBe(1);
    expect(await estimates(filter, longerThan(20))).toBe(1);
    await db.write({ tenantId: 'guessed' }, () => db.sql.execute(sql`update film set minutes = 8 where film_title = 'Film 13'`));
    expect(await estimates(filter)).toBe(0);
  });

  test('separates the rows of each state, also when a condition of the server is the same', async () => {
    const rows = await insertFilms('states', 12);
    await db.write({ tenantId: 'states' }, () => films.archive([rows[0]?.id ?? '']));
    const all = sql`true`;
    const read = () =>
      db.read({ tenantId: 'states' }, async () => [
        (await films.page({}, all)).records.length,
        (await films.archived({})).total,
        (await films.recycled({})).total,
      ]);
    const expected = [rows.length - 1, 1, 2];
    // The first reading builds the statements, and the later ones take them from the cache.
    for (let reading = 0; reading < 3; reading += 1) expect(await read()).toEqual(expected);
  });

  test('counts what a condition of the server matches with each page, because the condition may depend on the time', async () => {
    await insertFilms('timed', 30);
    await db.write({ tenantId: 'timed' }, () => db.sql.execute(sql`update film set shown_at = now() + interval '1 second' where film_title like 'A%'`));
    const due = sql`${films.table.shownAt} <= clock_timestamp()`;
    const total = async () => (await db.read({ tenantId: 'timed' }, () => films.page({ size: 0 }, due))).total;
    const before = await total();
    await expect.poll(total, { timeout: 5000 }).toBeGreaterThan(before);
  });

  test.each([
    [{}, 'create_time desc, id desc'],
    [{ ascs: 'create_time' }, 'create_time, id'],
    [{ descs: 'minutes' }, 'minutes desc, id desc'],
    [{ ascs: 'film_title' }, 'film_title, id'],
    [{ descs: 'rating' }, 'rating desc, id desc'],
    [{ ascs: 'minutes', descs: 'rating' }, 'minutes, rating desc, id desc'],
  ])('sorted by %j has the same pages counted from the start, from the end and from a bookmark', async (sorts, orderText) => {
    const all = await ids('long', orderText);
    for (const current of [625, 625, 625]) await page('long', { ...sorts, current });
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const current of [1, 200, 201, 400, 624, 625, 626, 627, 900, 1249, 1250, 1251, 625, 626, 700, 1]) {
      const { records, total } = await page('long', { ...sorts, current });
      expect([total, records.map(({ id }) => id)]).toEqual([count, all.slice((current - 1) * 10, current * 10)]);
    }
    const otherSize = await page('long', { ...sorts, current: 42, size: 171 });
    expect(otherSize.records.map(({ id }) => id)).toEqual(all.slice(41 * 171, 42 * 171));
  });

  test('stays correct while rows are added, removed and moved between the pages', async () => {
    await insertMany('moving', 9000);
    const statements = [
      sql`insert into film (film_title, minutes, genre, create_time) select 'New ' || n || clock_timestamp(), 1, 1, '2025-01-01' from generate_series(1, 7) n`,
      sql`update film set is_deleted = 1 where id in (select id from film where is_deleted = 0 order by create_time limit 5)`,
      sql`update film set create_time = create_time + interval '1 year' where id in (select id from film order by create_time limit 3)`,
      sql`delete from film where id in (select id from film order by create_time desc limit 11)`,
    ];
    for (const statement of [...statements, ...statements]) {
      for (let visit = 0; visit < 3; visit++) await page('moving', { current: 455 });
      await new Promise((resolve) => setTimeout(resolve, 60));
      await page('moving', { current: 455 });
      await db.write({ tenantId: 'moving' }, () => db.sql.execute(statement));
      const all = await ids('moving', 'create_time desc, id desc');
      const { records, total } = await page('moving', { current: 455 });
      expect([total, records.map(({ id }) => id)]).toEqual([all.length, all.slice(4540, 4550)]);
    }
  });
});

describe('the total', () => {
  const save = (filmTitle: string) => films.save({ filmTitle, minutes: 1, genre: 1 });

  test('is right at once: inside the writing transaction, after it, and after a rollback', async () => {
    const tenant = { tenantId: 'counter' };
    const total = async () => (await films.page({})).total;
    await db.write(tenant, async () => {
      const { id } = await save('one');
      await save('two');
      expect(await total()).toBe(2);
      await films.remove([id]);
      expect(await total()).toBe(1);
    });
    const failing = db.write(tenant, async () => {
      await save('three');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await db.read(tenant, total)).toBe(1);
    await db.write(tenant, () => db.sql.execute(sql`update film set is_deleted = 0`));
    expect(await db.read(tenant, total)).toBe(2);
    await db.write(tenant, () => db.sql.execute(sql`delete from film`));
    expect(await db.read(tenant, total)).toBe(0);
  });

  test('is right after many writers at once, some of them failing', async () => {
    const tenant = { tenantId: 'busy' };
    const writer = (turn: number) =>
      db.write(tenant, async () => {
        const { id } = await save(`film ${turn}`);
        if (turn % 4 === 0) await films.remove([id]);
        if (turn % 5 === 0) throw new Error('no');
      });
    await Promise.allSettled(Array.from({ length: 300 }, (_, turn) => writer(turn)));
    const savedCount = Array.from({ length: 300 }, (_, turn) => turn).filter((turn) => turn % 4 !== 0 && turn % 5 !== 0).length;
    expect((await page('busy', {})).total).toBe(savedCount);
    const [{ waiting } = { waiting: 0 }] = await db.asPlatform('a test', () =>
      db.sql.execute<{ waiting: number }>(sql`select count(*)::int as waiting from row_count_delta where tenant_id = 'busy'`),
    );
    expect(waiting).toBeLessThan(300);
  });

  test('of a filter follows every change of its rows', async () => {
    const tenant = { tenantId: 'filtered' };
    await db.write(tenant, () => db.sql.execute(sql`insert into film (film_title, minutes, genre) select 'Film ' || n, n, 1 from generate_series(1, 40) n`));
    const total = async () => (await page('filtered', { minutes_gt: 20, filmTitle: 'Film' })).total;
    const totals = [await total(), await total()];
    for (const statement of [
      sql`update film set minutes = 0 where minutes > 35`,
      sql`update film set plot = 'none'`,
      sql`delete from film where minutes = 30`,
    ]) {
      await db.write(tenant, () => db.sql.execute(statement));
      totals.push(await total(), await total());
    }
    expect(totals).toEqual([20, 20, 15, 15, 15, 15, 14, 14]);
    expect((await page('filtered', { minutes_gt: 25, filmTitle: 'Film' })).total).toBe(9);
  });

  test('as the platform is that of all tenants together', async () => {
    const [all, found] = await db.asPlatform('a test', async () => [
      (await db.sql.execute<{ rows: number }>(sql`select count(*)::int as rows from film where is_deleted = 0`))[0]?.rows,
      (await films.page({})).total,
    ]);
    expect(found).toBe(all);
  });
});
