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
  create table user_account (id bigint, account varchar(64), real_name varchar(64));
  insert into user_account values (7, 'ann', 'Ann');
  grant select on user_account to marquee_tenant;
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

test('rows of the recycle bin are restored by any user of the list, and none if one of the rows is not deleted', async () => {
  const [one, other] = [await add('Alien'), await add('Aliens')];
  await as('7', () => films().remove([one.id]));
  expect(await problemOf(as('8', () => films().restore([one.id, other.id])))).toBe(problems.tooLateToUndo);
  expect((await as('8', () => films().recycled({}))).records).toMatchObject([{ id: one.id, deletedBy: 'Ann' }]);
  await as('8', () => films().restore([one.id]));
  expect((await as('8', () => films().recycled({}))).total).toBe(0);
});

test('deleted rows leave the recycle bin after its days', async () => {
  const { id } = await add('Alien');
  await as('7', () => films().remove([id]));
  await db.asPlatform('a test lets days pass', () => db.script(`update film set update_time = now() - interval '31 days' where id = ${id}`));
  expect((await as('7', () => films().recycled({}))).records).toEqual([]);
  expect(await problemOf(as('7', () => films().restore([id])))).toBe(problems.tooLateToUndo);
});

test('without a recycle bin the user who deleted rows can undo that for a minute', async () => {
  const { id } = await add('Alien');
  await as('7', () => films().remove([id]));
  db.recycleDays = async () => 0;
  try {
    expect((await as('7', () => films().recycled({}))).records).toEqual([]);
    expect(await problemOf(as('8', () => films().restore([id])))).toBe(problems.tooLateToUndo);
    await as('7', () => films().restore([id]));
    await as('7', () => films().remove([id]));
    await db.asPlatform('a test lets a minute pass', () => db.script(`update film set update_time = now() - interval '61 seconds' where id = ${id}`));
    expect(await problemOf(as('7', () => films().restore([id])))).toBe(problems.tooLateToUndo);
  } finally {
    db.recycleDays = undefined;
  }
});

test('a row whose unique value is in use again is not restored, with a reason', async () => {
  const { id } = await add('Alien');
  await as('7', () => films().remove([id]));
  await add('Alien');
  expect(await problemOf(as('7', () => films().restore([id])))).toMatchObject({ status: 409, message: ['片名已存在', 'Film title already exists.'] });
});

test('a branch is restored with exactly the rows that were deleted with it, and not below a deleted row', async () => {
  const shelf = (name: string, parentId: string) => as('7', () => shelves().save({ name, parentId }));
  const top = await shelf('top', '0');
  const earlier = await shelf('earlier', top.id);
  const below = await shelf('below', top.id);
  const deepest = await shelf('deepest', below.id);
  await as('7', () => shelves().remove([earlier.id]));
  await as('7', () => shelves().remove([top.id, below.id, deepest.id]));
  expect(await problemOf(as('7', () => shelves().restore([below.id])))).toBe(problems.parentGone);
  await as('7', () => shelves().restore([top.id]));
  expect(await db.read(acme, () => shelves().tree())).toMatchObject([{ name: 'top', children: [{ name: 'below', children: [{ name: 'deepest' }] }] }]);
  await as('7', () => shelves().restore([earlier.id]));
  expect((await db.read(acme, () => shelves().list())).map(({ name }) => name)).toEqual(['below', 'deepest', 'earlier', 'top']);
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
