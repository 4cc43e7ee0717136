import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { actingAs } from '../../../src/server/data/context/actor.ts';
import { type Database, repositoryOf, treeRepositoryOf } from '../../../src/server/data/index.ts';
import { entity } from '../../../src/shared/contract/contract.ts';
import { ApiError, problems } from '../../../src/shared/contract/errors.ts';
import { Id, Parent, Text } from '../../../src/shared/contract/fields.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { Film, filmMigration } from './film.ts';

const Shelf = entity(
  'shelf',
  { id: Id(), parentId: Parent({ title: ['上级', 'Above'] }), name: Text({ title: ['名称', 'Name'], sort: true, search: true }) },
  { order: ['name'] },
);
const shelfMigration = `
  create table shelf (like base_row including all, parent_id bigint not null default 0, name varchar(255) not null);
  call own_by_tenant('shelf');
  call sort_by('shelf', 'name');
`;

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
let acme: { tenantId: string };
let tenants = 0;

beforeAll(async () => {
  opened = await openTestDatabase({ migrations: filmMigration + shelfMigration });
  db = opened.db;
});
afterAll(() => opened.drop());
beforeEach(() => {
  tenants += 1;
  acme = { tenantId: `acme${tenants}` };
});

const as = <Result>(userId: string, work: () => Promise<Result>) =>
  actingAs({ userId, deptId: undefined, tenantId: acme.tenantId }, () => db.write(acme, work));
const films = () => repositoryOf(db, Film);
const shelves = () => treeRepositoryOf(db, Shelf);
const add = (filmTitle: string) => as('7', () => films().save({ filmTitle, minutes: 100, genre: 1 }));
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => (error instanceof ApiError ? error.problem : error),
  );

test('the user who removed rows restores them unchanged', async () => {
  const rows = [await add('Alien'), await add('Aliens')];
  const ids = rows.map(({ id }) => id);
  await as('7', () => films().remove(ids));
  await as('7', () => films().restore(ids));
  expect((await db.read(acme, () => films().list())).map(({ filmTitle, isDeleted }) => ({ filmTitle, isDeleted }))).toEqual([
    { filmTitle: 'Alien', isDeleted: 0 },
    { filmTitle: 'Aliens', isDeleted: 0 },
  ]);
  expect((await db.read(acme, () => films().page({}))).total).toBe(2);
});

test('nothing is restored for another user, after a minute, or if one of the rows is not removed', async () => {
  const [one, other] = [await add('Alien'), await add('Aliens')];
  await as('7', () => films().remove([one.id]));
  expect(await problemOf(as('8', () => films().restore([one.id])))).toBe(problems.tooLateToUndo);
  expect(await problemOf(as('7', () => films().restore([one.id, other.id])))).toBe(problems.tooLateToUndo);
  await db.asPlatform('a test lets a minute pass', () => db.script(`update film set update_time = now() - interval '61 seconds' where id = ${one.id}`));
  expect(await problemOf(as('7', () => films().restore([one.id])))).toBe(problems.tooLateToUndo);
});

test('a row whose unique value is in use again is not restored, with a reason', async () => {
  const { id } = await add('Alien');
  await as('7', () => films().remove([id]));
  await add('Alien');
  expect(await problemOf(as('7', () => films().restore([id])))).toMatchObject({ status: 409, message: ['片名已存在', 'Film title already exists.'] });
});

test('a branch is restored completely, and not below a removed row', async () => {
  const top = await as('7', () => shelves().save({ name: 'top', parentId: '0' }));
  const below = await as('7', () => shelves().save({ name: 'below', parentId: top.id }));
  await as('7', () => shelves().remove([top.id, below.id]));
  expect(await problemOf(as('7', () => shelves().restore([below.id])))).toBe(problems.notFound);
  await as('7', () => shelves().restore([below.id, top.id]));
  expect(await db.read(acme, () => shelves().tree())).toMatchObject([{ name: 'top', children: [{ name: 'below' }] }]);
});

test('a level of a tree reports which rows have children', async () => {
  const top = await as('7', () => shelves().save({ name: 'a', parentId: '0' }));
  await as('7', () => shelves().save({ name: 'b', parentId: '0' }));
  await as('7', () => shelves().save({ name: 'c', parentId: top.id }));
  expect(await db.read(acme, () => shelves().level({}))).toMatchObject([
    { name: 'a', hasChildren: true },
    { name: 'b', hasChildren: false },
  ]);
  expect(await db.read(acme, () => shelves().level({ parentId: top.id }))).toMatchObject([{ name: 'c', hasChildren: false }]);
  expect(await db.read(acme, () => shelves().level({ parentId: top.id, name: 'x' }))).toEqual([]);
});
