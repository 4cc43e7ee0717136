import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { actingAs } from '../../../src/server/data/context/actor.ts';
import { type Database, repositoryOf, treeRepositoryOf } from '../../../src/server/data/index.ts';
import { entity, get, NoInput } from '../../../src/shared/contract/contract.ts';
import { ApiError, problems } from '../../../src/shared/contract/errors.ts';
import { Id, MultiSelect, Nullable, Parent, Reference, Text } from '../../../src/shared/contract/fields.ts';
import { rowStates } from '../../../src/shared/text/row-states.ts';
import { sentStatements } from '../../support/sent-statements.ts';
import { openTestDatabase, serverUrl } from '../../support/test-database.ts';

const call = get('/api/test/choices', { title: ['选项', 'Options'], access: 'signedIn', input: NoInput, reply: {} as never });
const Garage = entity('garage', { id: Id(), name: Text({ title: ['名称', 'Name'], search: true }) }, { archivable: true });
const Fuel = entity('fuel', { id: Id(), name: Text({ title: ['名称', 'Name'] }) }, { owner: 'platform', archivable: true });
const Car = entity('car', {
  id: Id(),
  plate: Text({ title: ['车牌', 'Plate'] }),
  garageId: Reference({ title: ['车库', 'Garage'], onDelete: 'refuse', from: { call, entity: 'garage' } }),
  visits: Nullable(MultiSelect(Reference({ title: ['去过的车库', 'Visited garages'], onDelete: 'refuse', from: { call, entity: 'garage' } }))),
  fuelId: Nullable(Reference({ title: ['燃料', 'Fuel'], onDelete: 'refuse', from: { call, entity: 'fuel' } })),
});
const Road = entity('road', { id: Id(), parentId: Parent({ title: ['上级', 'Parent'] }), name: Text({ title: ['名称', 'Name'] }) }, { archivable: true });
const migrations = `
  create table garage (like base_row including all, name varchar(255) not null);
  call own_by_tenant('garage');
  create unique index garage_once on garage (tenant_id, name) where is_deleted = 0;
  create table fuel (like base_row including all, name varchar(255) not null);
  call own_by_platform('fuel');
  create table car (like base_row including all, plate varchar(255) not null, garage_id bigint not null, visits jsonb, fuel_id bigint);
  call own_by_tenant('car');
  create table road (like base_row including all, parent_id bigint not null default 0, name varchar(255) not null);
  call own_by_tenant('road');
`;

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
let acme: { tenantId: string };
let tenants = 0;

beforeAll(async () => {
  opened = await openTestDatabase({ migrations });
  db = opened.db;
  repositoryOf(db, Fuel);
  garages();
});
afterAll(() => opened.drop());
beforeEach(() => {
  tenants += 1;
  acme = { tenantId: `acme${tenants}` };
});

const garages = () => repositoryOf(db, Garage, { unique: [{ fields: ['name'] }] });
const cars = () => repositoryOf(db, Car);
const roads = () => treeRepositoryOf(db, Road);
const write = <Result>(work: () => Promise<Result>) => actingAs({ userId: '7', deptId: undefined, tenantId: acme.tenantId }, () => db.write(acme, work));
const garage = (name: string) => write(() => garages().save({ name }));
const car = (form: object) => write(() => cars().save({ plate: 'A1', ...form } as never));
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => (error instanceof ApiError ? error.problem : error),
  );

test('an archived row leaves lists and counts, stays readable, is read-only and comes back', async () => {
  const [north, south] = [await garage('North'), await garage('South')];
  await car({ garageId: north.id });
  expect(await problemOf(write(() => garages().remove([north.id])))).toBe(problems.inUseArchivable);
  await write(() => garages().archive([north.id]));
  expect((await write(() => garages().list())).map(({ id }) => id)).toEqual([south.id]);
  expect(await write(() => garages().page({}))).toMatchObject({ total: 1, records: [{ id: south.id }] });
  expect(await write(() => garages().detail(north.id))).toMatchObject({ name: 'North', isDeleted: rowStates.archived });
  expect(await write(() => garages().find({ name: 'North' }))).toMatchObject({ id: north.id });
  expect(await write(() => garages().archived({ name: 'Nor' }))).toMatchObject({ total: 1, records: [{ id: north.id }] });
  expect(await problemOf(write(() => garages().save({ id: north.id, name: 'Norther' })))).toBe(problems.archived);
  expect(await problemOf(write(() => garages().remove([north.id])))).toBe(problems.archived);
  expect(await problemOf(write(() => garages().archive([north.id])))).toBe(problems.archived);
  await write(() => garages().unarchive([north.id]));
  expect(await write(() => garages().page({}))).toMatchObject({ total: 2 });
  expect(await problemOf(write(() => garages().unarchive([north.id])))).toBe(problems.notFound);
});

test('several rows are archived and brought back, all or none', async () => {
  const [north, south] = [await garage('North'), await garage('South')];
  expect(await problemOf(write(() => garages().archive([north.id, '1'])))).toBe(problems.notFound);
  await write(() => garages().archive([north.id, south.id]));
  expect(await write(() => garages().list())).toEqual([]);
  await write(() => garages().unarchive([north.id, south.id]));
  expect(await write(() => garages().list())).toHaveLength(2);
});

test('the unique values of an archived row stay reserved, and the refusal names it', async () => {
  const { id } = await garage('North');
  await write(() => garages().archive([id]));
  expect(await problemOf(garage('North'))).toMatchObject({
    status: 409,
    message: ['名称「North」已被已归档的「North」使用', 'Name “North” is already used by the archived record “North”.'],
  });
  const [added] = await write(() => garages().addAll([{ name: 'North' }]));
  expect(added).toBeInstanceOf(ApiError);
  await db.asPlatform('a test takes the value past all checks', () => db.script(`insert into garage (tenant_id, name) values ('${acme.tenantId}', 'North')`));
  expect(await problemOf(write(() => garages().unarchive([id])))).toMatchObject({ status: 409 });
});

test('a new reference to an archived or deleted row is refused, and a stored one stays', async () => {
  const [north, south] = [await garage('North'), await garage('South')];
  const { id } = await car({ garageId: north.id, visits: [north.id] });
  await write(() => garages().archive([north.id]));
  const archived = ['车库已归档，请重新选择', 'Garage is archived. Select another one.'];
  expect(await problemOf(car({ garageId: north.id }))).toMatchObject({ status: 400, message: archived });
  expect(await problemOf(car({ garageId: south.id, visits: [south.id, north.id] }))).toMatchObject({ status: 400 });
  expect(await write(() => cars().save({ id, plate: 'B2', garageId: north.id, visits: [north.id, south.id] }))).toMatchObject({ plate: 'B2' });
  await write(() => cars().save({ id, garageId: south.id }));
  expect(await problemOf(write(() => cars().save({ id, garageId: north.id })))).toMatchObject({ status: 400, message: archived });
  expect(await problemOf(car({ garageId: '12345' }))).toMatchObject({ message: ['车库不存在或已被删除', 'Garage not found. It may have been deleted.'] });
  const outcomes = await write(() => cars().addAll([{ plate: 'C3', garageId: north.id } as never, { plate: 'C4', garageId: south.id } as never]));
  expect(outcomes.map((one) => (one instanceof ApiError ? one.field : one.plate))).toEqual(['garageId', 'C4']);
});

test('a deleted row comes back only while what it refers to exists, be it archived', async () => {
  const [north, south] = [await garage('North'), await garage('South')];
  const [one, other] = [await car({ garageId: north.id }), await car({ garageId: south.id })];
  await write(() => cars().remove([one.id, other.id]));
  await write(() => garages().archive([north.id]));
  await write(() => garages().remove([south.id]));
  await write(() => cars().restore([one.id]));
  expect(await problemOf(write(() => cars().restore([other.id])))).toMatchObject({ message: ['车库不存在或已被删除', expect.anything()] });
});

test('a branch is archived and brought back as a whole, and never below an archived parent', async () => {
  const road = (name: string, parentId: string) => write(() => roads().save({ name, parentId }));
  const top = await road('top', '0');
  const below = await road('below', top.id);
  expect(await problemOf(write(() => roads().archive([top.id])))).toBe(problems.hasChildren);
  await write(() => roads().archive([top.id, below.id]));
  expect(await write(() => roads().tree())).toEqual([]);
  expect(await write(() => roads().level({ parentId: '0' }))).toEqual([]);
  expect(await problemOf(road('new', top.id))).toBe(problems.notFound);
  expect(await problemOf(write(() => roads().unarchive([below.id])))).toBe(problems.parentGone);
  await write(() => roads().unarchive([top.id]));
  expect(await write(() => roads().tree())).toMatchObject([{ name: 'top', children: [{ name: 'below' }] }]);
});

/** Runs work in a transaction that stays open until `release` is called. */
function held<Result>(work: () => Promise<Result>) {
  let release = () => {};
  let started = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const hasStarted = new Promise<void>((resolve) => (started = resolve));
  const done = write(async () => {
    const result = await work();
    started();
    await isReleased;
    return result;
  });
  return { done, hasStarted, release };
}

// The embedded database runs one transaction after the other.
const onServer = serverUrl ? test : test.skip;

onServer('a row that is being referred to by an open transaction is deleted only after it, and then refused', async () => {
  const { id } = await garage('North');
  const saving = held(() => cars().save({ plate: 'A1', garageId: id } as never));
  await saving.hasStarted;
  const removal = problemOf(write(() => garages().remove([id])));
  saving.release();
  await saving.done;
  expect(await removal).toBe(problems.inUseArchivable);
});

onServer('a reference to a row that an open transaction deletes is refused after it', async () => {
  const { id } = await garage('North');
  const removal = held(() => garages().remove([id]));
  await removal.hasStarted;
  const saving = problemOf(car({ garageId: id }));
  removal.release();
  await removal.done;
  expect(await saving).toMatchObject({ message: ['车库不存在或已被删除', expect.anything()] });
  expect(await write(() => cars().list())).toEqual([]);
});

onServer('a row of the platform that a tenant is referring to cannot be deleted meanwhile', async () => {
  const platform = { tenantId: '000000' };
  const fuel = await db.write(platform, () => repositoryOf(db, Fuel).save({ name: 'diesel' }));
  const { id } = await garage('North');
  const saving = held(() => cars().save({ plate: 'A1', garageId: id, fuelId: fuel.id } as never));
  await saving.hasStarted;
  const removal = problemOf(db.write(platform, () => repositoryOf(db, Fuel).remove([fuel.id])));
  saving.release();
  await saving.done;
  expect(await removal).toBe(problems.inUseArchivable);
});

onServer('saving a reference does not wait for an edit of the row it leads to', async () => {
  const { id } = await garage('North');
  const edit = held(() => garages().save({ id, name: 'Norther' }));
  await edit.hasStarted;
  expect(await car({ garageId: id })).toMatchObject({ garageId: id });
  edit.release();
  await edit.done;
});

/** Counts the statements with `for key share` that some work sends. */
async function locksOf(work: () => Promise<unknown>): Promise<number> {
  const statements = await sentStatements(db, () => write(work));
  return statements.filter((text) => text.includes('for key share')).length;
}

test('references are locked by one statement, however many rows and fields have them, and by none where nothing changed', async () => {
  const [north, south] = [await garage('North'), await garage('South')];
  const form = { plate: 'A1', garageId: north.id, visits: [north.id, south.id] } as never;
  const { id } = await car(form);
  expect(await locksOf(() => cars().save(form))).toBe(1);
  expect(await locksOf(() => cars().save({ id, plate: 'B2', garageId: north.id } as never))).toBe(0);
  expect(await locksOf(() => cars().addAll(Array.from({ length: 50 }, () => form)))).toBe(1);
});
