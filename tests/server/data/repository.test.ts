import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@rstest/core';
import { eq, gt, sql } from 'drizzle-orm';
import { actingAs } from '../../../src/server/data/context/actor.ts';
import { takeChanges } from '../../../src/server/data/context/changes.ts';
import { compareTables, createTableSql, type Database, repositoryOf, tableDifferences, tableOf } from '../../../src/server/data/index.ts';
import { entity } from '../../../src/shared/contract/contract.ts';
import { ApiError, problems } from '../../../src/shared/contract/errors.ts';
import { Id, Parent, Text } from '../../../src/shared/contract/fields.ts';
import { openTestDatabase, testDatabase } from '../../support/test-database.ts';
import { Film, filmMigration } from './film.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
let acme: { tenantId: string };
let rival: { tenantId: string };
let tenants = 0;

beforeAll(async () => {
  opened = await openTestDatabase({ migrations: filmMigration, timeZone: 'Asia/Tokyo' });
  db = opened.db;
});
afterAll(() => opened.drop());
beforeEach(() => {
  tenants += 1;
  acme = { tenantId: `acme${tenants}` };
  rival = { tenantId: `rival${tenants}` };
});

const films = (db: Database) => repositoryOf(db, Film);
const alien = { filmTitle: 'Alien', minutes: 117, genre: 1 } as const;

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof ApiError)) throw new Error(`Not refused: ${failure}`, { cause: failure });
  return failure;
}

describe('a saved row', () => {
  test('is returned with its id, its author and its times in the deployment’s zone', async () => {
    const actor = { userId: '7', deptId: '8', tenantId: acme.tenantId };
    const row = await actingAs(actor, () => db.write(acme, () => films(db).save({ ...alien, shownAt: '1979-05-25 20:00:00' })));
    const { id, createTime, updateTime, version, ...rest } = row;
    expect(version).toMatch(/^\d+$/);
    expect(rest).toEqual({
      filmTitle: 'Alien',
      plot: null,
      minutes: 117,
      rating: null,
      genre: 1,
      studioId: null,
      shownAt: '1979-05-25 20:00:00',
      secret: null,
      createUser: '7',
      createDept: '8',
      updateUser: '7',
      status: 1,
      isDeleted: 0,
    });
    expect(id).toMatch(/^\d{15,19}$/);
    expect(createTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(updateTime).toBe(createTime);
    const [utc] = await db.read(acme, () => db.sql.execute<{ text: string }>(sql`select (shown_at at time zone 'utc')::text as text from film`));
    expect(utc?.text).toBe('1979-05-25 11:00:00');
    expect(await db.read(acme, () => films(db).detail(id))).toEqual(row);
  });

  test('keeps fields that an update omits, and clears those that it sets to null', async () => {
    const { id } = await db.write(acme, () => films(db).save({ ...alien, plot: 'In space', rating: 9 }));
    const { filmTitle, plot, rating, minutes } = await db.write(acme, () => films(db).save({ id, filmTitle: 'Aliens', minutes: 137, genre: 1, rating: null }));
    expect({ filmTitle, plot, rating, minutes }).toEqual({ filmTitle: 'Aliens', plot: 'In space', rating: null, minutes: 137 });
  });

  test('takes nothing from the form but the operator’s fields', async () => {
    const forged = { ...alien, tenantId: 'rival', tenant_id: 'rival', isDeleted: 1, createUser: '1', createTime: '2000-01-01 00:00:00' };
    const row = await db.write(acme, () => films(db).save(forged));
    expect(row.isDeleted).toBe(0);
    expect(row.createUser).toBeNull();
    expect(row.createTime > '2020').toBe(true);
  });

  test('is reported with its state before and after', async () => {
    const changes = await db.write(acme, async () => {
      const { id } = await films(db).save(alien);
      await films(db).save({ id, ...alien, minutes: 120 });
      await films(db).remove([id]);
      return takeChanges();
    });
    expect(changes.map(({ before, after }) => [before?.minutes, after?.minutes])).toEqual([
      [undefined, 117],
      [117, 120],
      [120, undefined],
    ]);
  });

  test('with a taken name is refused with the title of the field, also when two save at once', async () => {
    const save = () => db.write(acme, () => films(db).save(alien));
    await save();
    const { problem, text } = await refusal(save()).then((found) => ({ problem: found.problem, text: [found.text('zh'), found.text('en')] }));
    expect(problem.status).toBe(409);
    expect(text).toEqual(['片名已存在', 'Film title already exists.']);
    const race = await Promise.allSettled(Array.from({ length: 5 }, () => db.write(acme, () => films(db).save({ ...alien, filmTitle: 'Heat' }))));
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await db.write(rival, () => films(db).save(alien));
  });

  test.each([
    ['a NUL byte', { filmTitle: 'a\0b' }],
    ['a date that does not exist', { shownAt: '2026-02-30 00:00:00' }],
    ['a text that is too long', { filmTitle: 'x'.repeat(65) }],
    ['a number out of range', { minutes: 3_000_000_000 }],
    ['null for what is required', { filmTitle: null as unknown as string }],
  ])('with %s is refused as an error of the request', async (_, wrong) => {
    expect((await refusal(db.write(acme, () => films(db).save({ ...alien, ...wrong })))).problem.status).toBe(400);
    expect((await db.read(acme, () => films(db).page({}))).total).toBe(0);
  });
});

describe('a count', () => {
  test('is of the active rows of the tenant with these values, or that match a condition', async () => {
    const save = (filmTitle: string, plot: string | null, minutes = 100) => db.write(acme, () => films(db).save({ ...alien, filmTitle, plot, minutes }));
    const removed = await save('Duel', null);
    for (const [title, plot, minutes] of [
      ['Alien', null, 117],
      ['Heat', 'Bank', 170],
    ] as const)
      await save(title, plot, minutes);
    await db.write(acme, () => films(db).remove([removed.id]));
    await db.write(rival, () => films(db).save(alien));
    const long = repositoryOf(db, Film, { where: () => gt(tableOf(Film).minutes, 150) });
    const counts = () => [
      films(db).count(),
      films(db).count({ plot: null, genre: 1 }),
      films(db).count(gt(films(db).table.minutes, 150)),
      long.count({ genre: 1 }),
    ];
    expect(await db.read(acme, () => Promise.all(counts()))).toEqual([2, 1, 1, 1]);
  });
});

describe('absent, deleted and foreign rows', () => {
  test('are the same 404 to detail, save and remove', async () => {
    const foreign = await db.write(rival, () => films(db).save(alien));
    const deleted = await db.write(acme, () => films(db).save(alien));
    await db.write(acme, () => films(db).remove([deleted.id]));
    for (const id of [foreign.id, deleted.id, '1', '0', 'x', '9999999999999999999', "1' or '1'='1"]) {
      const asked = [
        () => db.read(acme, () => films(db).detail(id)),
        () => db.write(acme, () => films(db).save({ id, ...alien })),
        () => db.write(acme, () => films(db).remove([id])),
      ];
      for (const ask of asked) expect((await refusal(ask())).problem).toBe(problems.notFound);
    }
    expect((await db.read(rival, () => films(db).detail(foreign.id))).isDeleted).toBe(0);
  });

  test('refuse a whole batch', async () => {
    const { id } = await db.write(acme, () => films(db).save(alien));
    await refusal(db.write(acme, () => films(db).remove([id, '1'])));
    expect((await db.read(acme, () => films(db).page({}))).total).toBe(1);
    await db.write(acme, () => films(db).remove([id, id]));
    expect((await db.read(acme, () => films(db).page({}))).total).toBe(0);
  });
});

describe('a domain’s own rules', () => {
  const Word = entity('word', {
    id: Id(),
    parentId: Parent({ title: ['上级', 'Parent'] }),
    key: Text({ title: ['键值', 'Key'], maxLength: 32, search: true }),
  });

  const words = (db: Database) => {
    const repository = repositoryOf(db, Word, {
      unique: [{ fields: ['parentId', 'key'] }],
      async beforeRemove(rows) {
        for (const { id } of rows) if (await repository.find({ parentId: id })) throw new ApiError(problems.conflict);
      },
    });
    return repository;
  };

  test('hold: unique within a parent, no removal of a parent with children', async () => {
    const db = await testDatabase({ migrations: await createTableSql(Word) });
    const save = (parentId: string, key: string) => db.write(acme, () => words(db).save({ parentId, key }));
    const root = await save('0', 'sex');
    const child = await save(root.id, '1');
    await save('0', '1');
    expect((await refusal(save(root.id, '1'))).text('zh')).toBe('键值已存在');
    await db.write(acme, () => words(db).save({ id: child.id, parentId: root.id, key: '1' }));
    expect((await refusal(db.write(acme, () => words(db).remove([root.id])))).problem).toBe(problems.conflict);
    expect((await db.read(acme, () => words(db).list(eq(words(db).table.parentId, root.id)))).map(({ key }) => key)).toEqual(['1']);
    await db.write(acme, () => words(db).remove([child.id]));
    await db.write(acme, () => words(db).remove([root.id]));
  });

  test('narrow every way in', async () => {
    const long = repositoryOf(db, Film, { where: () => sql`${tableOf(Film).minutes} > 100` });
    const short = await db.write(acme, () => films(db).save({ ...alien, filmTitle: 'Duel', minutes: 74 }));
    await db.write(acme, () => films(db).save(alien));
    const page = await db.read(acme, () => long.page({}));
    expect([page.total, page.records.map(({ filmTitle }) => filmTitle)]).toEqual([1, ['Alien']]);
    await refusal(db.read(acme, () => long.detail(short.id)));
    await refusal(db.write(acme, () => long.remove([short.id])));
    expect(await db.read(acme, () => long.find({ filmTitle: 'Duel' }))).toBeUndefined();
  });
});

describe('a table and its entity', () => {
  test('agree when the migration is the one the entity writes', async () => {
    const db = await testDatabase({ migrations: await createTableSql(Film) });
    expect(await compareTables(db, Film)).toEqual([]);
    expect(await createTableSql(Film, db)).toBe('');
  });

  test('are distinguished by type, nullability, presence, owner and order', async () => {
    const db = await testDatabase({
      migrations: `create table film (like base_row including all, film_title varchar(20) not null, plot text not null, minutes text not null,
        rating integer, genre smallint not null, shown_at timestamptz, secret varchar(300), extra integer not null)`,
    });
    expect(await compareTables(db, Film)).toEqual([
      'film.film_title is character varying(20), but should be varchar(64)',
      'film.plot should be nullable',
      'film.minutes is text, but should be integer',
      'film.studio_id is missing',
      'film.shown_at is timestamp with time zone, but should be timestamptz(0)',
      'film.extra is not null and has no default, but the entity has no such field',
      "film lacks: call own_by_tenant('film')",
      ...['film_title', 'minutes', 'rating', 'create_time'].map((column) => `film lacks: call sort_by('film', '${column}')`),
    ]);
    expect(await createTableSql(Film, db)).toBe('alter table film add column studio_id bigint;\n');
    // Each difference comes with the statement that mends it.
    const differences = await tableDifferences(db, [Film]);
    await db.asPlatform('a test', () => db.script(differences.map(({ sql }) => sql).join('\n')));
    expect(await compareTables(db, Film)).toEqual([]);
  });

  test('that is missing, or lacks a column that is not null, is mended in spite of its rows', async () => {
    const db = await testDatabase({ migrations: '' });
    const [missing] = await tableDifferences(db, [Film]);
    expect(missing).toMatchObject({ table: 'film', sentence: 'table film is missing' });
    await db.asPlatform('a test', () => db.script(missing?.sql ?? ''));
    await db.write(acme, () => films(db).save(alien));
    await db.asPlatform('a test', () => db.script('alter table film drop column genre, drop column minutes, drop column film_title'));
    const differences = await tableDifferences(db, [Film]);
    expect(differences.map(({ sql }) => sql)).toEqual(
      expect.arrayContaining([
        "alter table film add column film_title varchar(64) not null default '';",
        'alter table film add column genre integer not null default 1;',
      ]),
    );
    await db.asPlatform('a test', () => db.script(differences.map(({ sql }) => sql).join('\n')));
    expect(await compareTables(db, Film)).toEqual([]);
  });

  test('types of selected rows are the entity’s', async () => {
    await db.write(acme, () => films(db).save(alien));
    const table = tableOf(Film);
    const rows = await db.read(acme, () => db.sql.select({ title: table.filmTitle, plot: table.plot, minutes: table.minutes }).from(table));
    const typed: { title: string; plot: string | null; minutes: number }[] = rows;
    expect(typed).toEqual([{ title: 'Alien', plot: null, minutes: 117 }]);
  });
});
