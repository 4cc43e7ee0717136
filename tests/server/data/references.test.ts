import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { type Database, repositoryOf } from '../../../src/server/data/index.ts';
import { entity, get, NoInput } from '../../../src/shared/contract/contract.ts';
import { ApiError, problems } from '../../../src/shared/contract/errors.ts';
import { Dictionary, Id, MultiSelect, Nullable, Reference, Text } from '../../../src/shared/contract/fields.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const call = get('/api/test/choices', { title: ['选项', 'Options'], access: 'signedIn', input: NoInput, reply: {} as never });
const Harbour = entity('harbour', { id: Id(), code: Text({ title: ['代码', 'Code'], maxLength: 12 }), name: Text({ title: ['名称', 'Name'] }) });
const Ocean = entity('ocean', { id: Id(), name: Text({ title: ['名称', 'Name'] }) }, { owner: 'platform' });
const Ship = entity('ship', {
  id: Id(),
  name: Text({ title: ['船名', 'Ship'] }),
  homeId: Reference({ title: ['母港', 'Home'], search: true, onDelete: 'refuse', from: { call, entity: 'harbour' } }),
  calls: Nullable(MultiSelect(Reference({ title: ['挂靠港', 'Calls at'], onDelete: 'refuse', from: { call, entity: 'harbour' } }))),
  builtAt: Nullable(Reference({ title: ['建造地', 'Built at'], onDelete: 'refuse', from: { call, entity: 'harbour', entityField: 'code', maxLength: 12 } })),
  soldAt: Nullable(Reference({ title: ['售出地', 'Sold at'], onDelete: 'keep', from: { call, entity: 'harbour' } })),
  oceanId: Nullable(Reference({ title: ['海洋', 'Ocean'], onDelete: 'refuse', from: { call, entity: 'ocean' } })),
  towedBy: Nullable(Reference({ title: ['拖船', 'Towed by'], onDelete: 'refuse', from: { call, entity: 'ship' } })),
  flag: Nullable(Dictionary({ title: ['船旗', 'Flag'], code: 'flag' })),
});
const migration = `
  create table harbour (like base_row including all, code varchar(12) not null, name varchar(255) not null);
  call own_by_tenant('harbour');
  create table ocean (like base_row including all, name varchar(255) not null);
  call own_by_platform('ocean');
  create table ship (like base_row including all, name varchar(255) not null, home_id bigint not null, calls jsonb, built_at varchar(12), sold_at bigint, ocean_id bigint, towed_by bigint, flag varchar(64));
  call own_by_tenant('ship');
`;

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
let acme: { tenantId: string };
let tenants = 0;

beforeAll(async () => {
  opened = await openTestDatabase({ migrations: migration });
  db = opened.db;
  repositoryOf(db, Ship);
  db.references.addPage('fleet', 'ship', { title: ['船舶', 'Ships'], menu: 'ship', list: '/api/test/ship/list' });
});
afterAll(() => opened.drop());
beforeEach(() => {
  tenants += 1;
  acme = { tenantId: `acme${tenants}` };
});

const harbours = () => repositoryOf(db, Harbour);
const ships = () => repositoryOf(db, Ship);
const harbour = (name: string) => db.write(acme, () => harbours().save({ name, code: name }));
const ship = (form: object) => db.write(acme, () => ships().save({ name: 'Ann', ...form } as never));
const removeHarbours = (...ids: string[]) => db.write(acme, () => harbours().remove(ids));
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => (error instanceof ApiError ? { problem: error.problem, values: error.values, data: error.data } : error),
  );

test('a row in use is refused with its name and with every use by its kind, and nothing is removed', async () => {
  const [home, other] = [await harbour('Hull'), await harbour('Bergen')];
  await ship({ homeId: home.id, calls: [home.id, other.id] });
  await ship({ homeId: home.id });
  expect(await refusal(removeHarbours(home.id))).toEqual({
    problem: problems.inUse,
    values: { name: 'Hull' },
    data: {
      uses: [
        {
          title: ['船舶（母港）', 'Ships (Home)'],
          count: 2,
          rows: { menu: 'ship', list: '/api/test/ship/list', conditions: [{ field: 'homeId', operator: 'equal', value: home.id }] },
        },
        { title: ['船舶（挂靠港）', 'Ships (Calls at)'], count: 1 },
      ],
    },
  });
  expect(await refusal(removeHarbours(home.id, other.id))).toMatchObject({ problem: problems.someInUse });
  expect(await db.read(acme, () => harbours().list())).toHaveLength(2);
});

test('a use by a stored code counts, a reference that is kept does not, and neither does a deleted row', async () => {
  const [home, built, sold] = [await harbour('Hull'), await harbour('Kiel'), await harbour('Cork')];
  const { id } = await ship({ homeId: home.id, builtAt: 'Kiel', soldAt: sold.id });
  expect(await refusal(removeHarbours(built.id))).toMatchObject({ data: { uses: [{ title: ['船舶（建造地）', 'Ships (Built at)'], count: 1 }] } });
  expect(await refusal(removeHarbours(sold.id))).toBe('done');
  await db.write(acme, () => ships().remove([id]));
  expect(await refusal(removeHarbours(home.id, built.id))).toBe('done');
});

test('rows of other tenants do not count for a row of a tenant, and all of them count for a row of the platform', async () => {
  const home = await harbour('Hull');
  const platform = { tenantId: '000000' };
  const ocean = await db.write(platform, () => repositoryOf(db, Ocean).save({ name: 'Pacific' }));
  await ship({ homeId: home.id, oceanId: ocean.id });
  acme = { tenantId: `other${tenants}` };
  await ship({ homeId: (await harbour('Hull')).id, oceanId: ocean.id });
  expect(await refusal(db.write(platform, () => repositoryOf(db, Ocean).remove([ocean.id])))).toMatchObject({ data: { uses: [{ count: 2 }] } });
  acme = { tenantId: `acme${tenants}` };
  expect(await refusal(removeHarbours(home.id))).toMatchObject({ data: { uses: [{ count: 1 }] } });
});

test('rows that refer only to each other are removed together', async () => {
  const home = await harbour('Hull');
  const tug = await ship({ homeId: home.id });
  const towed = await ship({ homeId: home.id, towedBy: tug.id });
  expect(await refusal(db.write(acme, () => ships().remove([tug.id])))).toMatchObject({ problem: problems.inUse });
  expect(await refusal(db.write(acme, () => ships().remove([tug.id, towed.id])))).toBe('done');
});

test('uses that a plugin declares beyond fields refuse a removal as well', async () => {
  const home = await harbour('Hull');
  const rows = (id: string) => ({ menu: 'pilot', list: '/api/test/pilot/list', filters: { harbour: id } });
  db.references.declare('fleet', [{ entity: 'harbour', title: ['领航员', 'Pilots'], count: async (ids) => (ids.includes(home.id) ? 3 : 0), rows }]);
  expect(await refusal(removeHarbours(home.id))).toMatchObject({ data: { uses: [{ title: ['领航员', 'Pilots'], count: 3, rows: rows(home.id) }] } });
  const { id } = await harbour('Cork');
  expect(await refusal(removeHarbours(id))).toBe('done');
});
