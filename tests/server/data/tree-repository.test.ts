import { afterAll, beforeAll, beforeEach, expect, test } from '@rstest/core';
import { createTableSql, type Database, type TreeRepository, treeRepositoryOf } from '../../../src/server/data/index.ts';
import { runBatch } from '../../../src/server/data/repository/batch.ts';
import { type Branch, entity, type RowOf } from '../../../src/shared/contract/contract.ts';
import { ApiError, problem, problems } from '../../../src/shared/contract/errors.ts';
import { Id, Integer, Parent, Text } from '../../../src/shared/contract/fields.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const Area = entity(
  'area',
  {
    id: Id(),
    parentId: Parent({ title: ['上级', 'Parent'] }),
    name: Text({ title: ['名称', 'Name'], maxLength: 32, search: true }),
    sort: Integer({ title: ['排序', 'Order'], sort: true, default: 0 }),
  },
  { order: ['sort'] },
);
const taken = problem(409, ['同级已有此名称', 'The name is taken here']);

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
let areas: TreeRepository<typeof Area>;
let scope: { tenantId: string };
let tenants = 0;

beforeAll(async () => {
  const { db: blank, drop } = await openTestDatabase();
  const migrations = `${await createTableSql(Area, blank)} create unique index on area (tenant_id, parent_id, name) where is_deleted = 0;`;
  await drop();
  opened = await openTestDatabase({ migrations });
  db = opened.db;
  areas = treeRepositoryOf(db, Area, { unique: [{ fields: ['parentId', 'name'], problem: taken }] });
});
afterAll(() => opened.drop());
beforeEach(() => {
  tenants += 1;
  scope = { tenantId: `tree${tenants}` };
});

const save = (form: { id?: string; parentId?: string; name: string; sort?: number }) => db.write(scope, () => areas.save({ sort: 0, parentId: '0', ...form }));
const move = ({ id, name, sort }: RowOf<typeof Area>, parentId: string) => db.write(scope, () => areas.save({ id, name, sort, parentId }));
const remove = (...rows: { id: string }[]) => db.write(scope, () => areas.remove(rows.map(({ id }) => id)));
const read = <Result>(work: () => Promise<Result>) => db.read(scope, work);

type Names = (string | Names)[];
const names = (forest: Branch<RowOf<typeof Area>>[]): Names => forest.flatMap(({ name, children }) => (children ? [name, names(children)] : [name]));
const refused = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError ? error.problem : error),
  );

test('a tree is read completely, filtered or below a row, each in the default order unless another is requested', async () => {
  const top = await save({ name: 'top' });
  const b = await save({ name: 'b', parentId: top.id, sort: 2 });
  await save({ name: 'a', parentId: top.id, sort: 1 });
  await save({ name: 'ba', parentId: b.id, sort: 9 });
  expect(names(await read(() => areas.tree()))).toEqual(['top', ['a', 'b', ['ba']]]);
  expect(names(await read(() => areas.tree({ descs: 'sort' })))).toEqual(['top', ['b', ['ba'], 'a']]);
  expect(names(await read(() => areas.tree({ name: 'a' })))).toEqual(['a', 'ba']);
  expect(names(await read(() => areas.below(top.id)))).toEqual(['a', 'b', ['ba']]);
  for (const id of ['0', '99', '-1', '', 'x']) expect(await read(() => areas.below(id))).toEqual([]);
});

test('a page and a list have the order of the entity', async () => {
  for (const [name, sort] of Object.entries({ last: 3, first: 1, middle: 2 })) await save({ name, sort });
  expect((await read(() => areas.page({}))).records.map(({ name }) => name)).toEqual(['first', 'middle', 'last']);
  expect((await read(() => areas.list())).map(({ name }) => name)).toEqual(['first', 'middle', 'last']);
});

test('a row is below an existing one, never below itself, and keeps its parent when an edit names none', async () => {
  const a = await save({ name: 'a' });
  const b = await save({ name: 'b', parentId: a.id });
  expect(await refused(save({ name: 'c', parentId: '99' }))).toBe(problems.notFound);
  expect(await refused(save({ name: 'c', parentId: 'x' }))).toBe(problems.notFound);
  for (const parentId of [a.id, b.id]) expect(await refused(move(a, parentId))).toBe(problems.belowItself);
  const edit = { id: b.id, name: 'renamed' } as Parameters<typeof areas.save>[0];
  expect((await db.write(scope, () => areas.save(edit))).parentId).toBe(a.id);
});

test('rows of another tenant are no parents', async () => {
  const { id } = await save({ name: 'a' });
  scope = { tenantId: 'foreign' };
  expect(await refused(save({ name: 'b', parentId: id }))).toBe(problems.notFound);
});

test('rows go with everything below them or not at all', async () => {
  const a = await save({ name: 'a' });
  const b = await save({ name: 'b', parentId: a.id });
  expect(await refused(remove(a))).toBe(problems.hasChildren);
  await remove(a, b);
  expect(await read(() => areas.tree())).toEqual([]);
});

test('a duplicate is refused with the message of the domain, also in concurrent saves', async () => {
  const race = await Promise.all(Array.from({ length: 4 }, () => refused(save({ name: 'twin' }))));
  expect(race.filter((told) => told === taken)).toHaveLength(3);
  expect(race.filter((told) => told === undefined)).toHaveLength(1);
});

test('a lock needs a transaction to end with', async () => {
  await expect(read(() => db.lock('x'))).rejects.toThrow('inside a transaction');
});

test('after any concurrent moves and removals every row is still connected to the root', async () => {
  const random = seeded(20_260_131);
  for (let round = 0; round < 3; round += 1) {
    const rows: RowOf<typeof Area>[] = [];
    for (let number = 0; number < 8; number += 1) rows.push(await save({ name: `r${round}-${number}`, parentId: pick(random, rows)?.id ?? '0' }));
    const deeds = Array.from({ length: 30 }, () => {
      const row = pick(random, rows) as RowOf<typeof Area>;
      return refused(random() < 0.2 ? remove(row) : move(row, random() < 0.1 ? '0' : (pick(random, rows)?.id ?? '0')));
    });
    const expected = new Set<unknown>([undefined, problems.belowItself, problems.hasChildren, problems.notFound]);
    for (const told of await Promise.all(deeds)) expect(expected.has(told), String(told)).toBe(true);
    const left = await read(() => areas.list());
    const above = new Map(left.map(({ id, parentId }) => [id, parentId]));
    for (const { id } of left) {
      let at: string | undefined = id;
      for (let steps = 0; at !== undefined && at !== '0'; steps += 1) {
        expect(steps).toBeLessThan(left.length);
        at = above.get(at);
      }
      expect(at).toBe('0');
    }
  }
});

const pick = <One>(random: () => number, from: readonly One[]): One | undefined => from[Math.floor(random() * from.length)];

/** Returns the same numbers each time, so that a failure can be reproduced. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

test('a partial removal keeps the rows with other children, and removes parents with children that are removed too', async () => {
  const top = await save({ name: 'top' });
  const parent = await save({ name: 'parent', parentId: top.id });
  const child = await save({ name: 'child', parentId: parent.id });
  const kept = await save({ name: 'kept' });
  await save({ name: 'below', parentId: kept.id });
  const input = { ids: [top.id, parent.id, kept.id, child.id], partial: true };
  const result = await db.write(scope, () => runBatch(db, Area, { input, language: 'en' }, (ids) => areas.remove(ids)));
  expect(result).toEqual({ done: 3, total: 4, rows: [{ id: kept.id, title: 'kept', code: 409, message: 'Delete its child items first.' }] });
  expect(names(await read(() => areas.tree()))).toEqual(['kept', ['below']]);
});
