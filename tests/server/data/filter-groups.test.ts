import { afterAll, beforeAll, expect, test } from '@rstest/core';
import fc from 'fast-check';
import { actingAs, type RowScope } from '../../../src/server/data/context/actor.ts';
import { type Database, type Repository, repositoryOf } from '../../../src/server/data/index.ts';
import { entity, type ListInput, type RowOf } from '../../../src/shared/contract/contract.ts';
import { ApiError, problems } from '../../../src/shared/contract/errors.ts';
import { Id, Integer, Money, Nullable, Text } from '../../../src/shared/contract/fields.ts';
import { type FilterGroup, groupLimits, isGroup, writeGroup } from '../../../src/shared/text/filter-groups.ts';
import { openTestDatabase } from '../../support/test-database.ts';

const Crate = entity('crate', {
  id: Id(),
  label: Nullable(Text({ title: ['标签', 'Label'], maxLength: 16, search: true })),
  weight: Nullable(Integer({ title: ['重量', 'Weight'], search: true, total: true })),
  price: Nullable(Money({ title: ['价格', 'Price'], search: true, minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 })),
  deposit: Money({ title: ['押金', 'Deposit'], total: 'average', default: 0 }),
  rank: Integer({ title: ['等级', 'Rank'], default: 0 }),
  secret: Nullable(Text({ title: ['密码', 'Secret'] })),
});
type CrateRow = RowOf<typeof Crate>;

const migration = `
  create table crate (
    like base_row including all,
    label varchar(16), weight integer, price bigint, deposit integer not null default 0, rank integer not null default 0, secret varchar(255)
  );
  call own_by_tenant('crate');
`;

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
let db: Database;
let crates: Repository<typeof Crate>;
let rows: CrateRow[];

beforeAll(async () => {
  opened = await openTestDatabase({ migrations: migration });
  db = opened.db;
  crates = repositoryOf(db, Crate);
  rows = await db.write({ tenantId: 'groups' }, async () => {
    for (let index = 0; index < 60; index += 1) {
      const label = ['a', 'ab', 'b', '%', null][index % 5] as string | null;
      const weight = index % 7 === 0 ? null : index % 11;
      const price = index % 4 === 0 ? null : index === 1 ? 9_007_199_254_740_991 : index * 333 - 4000;
      await crates.save({ label, weight, price, deposit: index, rank: 1 });
    }
    return crates.list();
  });
});
afterAll(() => opened.drop());

const page = (input: ListInput, tenantId = 'groups') => db.read({ tenantId }, () => crates.page(input));

/** Means the same as SQL: a comparison with an empty value is neither true nor false, so the row is left out. */
const meanings: Record<string, (row: CrateRow, asked: string) => boolean> = {
  label_like: ({ label }, asked) => label?.includes(asked) ?? false,
  label_equal: ({ label }, asked) => label === asked,
  label_notequal: ({ label }, asked) => label !== null && label !== asked,
  label_null: ({ label }) => label === null,
  weight_ge: ({ weight }, asked) => weight !== null && weight >= Number(asked),
  weight_notnull: ({ weight }) => weight !== null,
  price_lt: ({ price }, asked) => price !== null && price < Number(asked),
};

const meets = (row: CrateRow, group: FilterGroup): boolean => {
  const results = group.of.map((part) => (isGroup(part) ? meets(row, part) : meanings[part.name]?.(row, String(part.value)) === true));
  return group.join === 'and' ? results.every(Boolean) : results.some(Boolean);
};

const filter = fc.oneof(
  fc.record({ name: fc.constantFrom('label_like', 'label_equal', 'label_notequal'), value: fc.constantFrom('a', 'b', 'ab', '%') }),
  fc.record({ name: fc.constantFrom('weight_ge', 'price_lt'), value: fc.integer({ min: -5000, max: 15 }) }),
  fc.record({ name: fc.constantFrom('label_null', 'weight_notnull'), value: fc.constant('true') }),
);
const { group } = fc.letrec<{ group: FilterGroup; part: FilterGroup['of'][number] }>((tie) => ({
  part: fc.oneof({ maxDepth: groupLimits.depth - 1, withCrossShrink: true }, filter, tie('group')),
  group: fc.record({ join: fc.constantFrom('and' as const, 'or' as const), of: fc.array(tie('part'), { minLength: 1, maxLength: 3 }) }),
}));

const depth = (one: FilterGroup): number => 1 + Math.max(0, ...one.of.map((part) => (isGroup(part) ? depth(part) : 0)));

test('any group of conditions answers the rows that a plain look at each row finds, and adds up exactly those', async () => {
  const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
  await fc.assert(
    fc.asyncProperty(
      group.filter((one) => depth(one) <= groupLimits.depth),
      fc.boolean(),
      async (one, isNarrowed) => {
        const wanted = rows.filter((row) => meets(row, one) && (!isNarrowed || (row.weight ?? -1) >= 3));
        const asked = { where: writeGroup(one), ...(isNarrowed ? { weight_ge: 3 } : {}) };
        const found = await page({ ...asked, size: 200, totals: true });
        expect(found.records.map(({ id }) => id).sort()).toEqual(
          [...wanted]
            .sort(byId)
            .map(({ id }) => id)
            .sort(),
        );
        expect(found.total).toBe(wanted.length);
        expect(found.totals).toEqual(totalsOf(wanted));
        expect((await page({ ...asked, size: 0 })).total).toBe(wanted.length);
      },
    ),
    { numRuns: 120, includeErrorInReport: true },
  );
});

/** Adds up with integers, so that no sum is rounded. */
function totalsOf(wanted: readonly CrateRow[]) {
  const add = (values: readonly (number | null)[], decimals: 0 | 2) => {
    const present = values.filter((value) => value !== null).map(BigInt);
    const sum = present.reduce((total, value) => total + value, 0n);
    return { sum: String(sum), average: average(sum, BigInt(present.length), decimals) };
  };
  return {
    weight: add(
      wanted.map(({ weight }) => weight),
      2,
    ),
    price: add(
      wanted.map(({ price }) => price),
      0,
    ),
    deposit: {
      average: add(
        wanted.map(({ deposit }) => deposit),
        0,
      ).average,
    },
  };
}

/** Rounds half away from zero, as PostgreSQL does. */
function average(sum: bigint, count: bigint, decimals: 0 | 2): string {
  if (count === 0n) return '0';
  const scale = decimals === 0 ? 1n : 100n;
  const positive = sum < 0n ? -sum : sum;
  const rounded = (2n * positive * scale + count) / (2n * count);
  const text = decimals === 0 ? String(rounded) : `${rounded / 100n}.${String(rounded % 100n).padStart(2, '0')}`;
  return sum < 0n && rounded > 0n ? `-${text}` : text;
}

test('groups with other values or of another shape have other results', async () => {
  const count = async (where: object) => (await page({ where: JSON.stringify(where), size: 1 })).total;
  const both = [{ label_equal: 'a' }, { weight_ge: 5 }];
  const [and, or] = [await count({ and: both }), await count({ or: both })];
  expect(or).toBeGreaterThan(and);
  expect([await count({ and: both }), await count({ or: both }), await count({ label_equal: 'a', weight_ge: 5 })]).toEqual([and, or, and]);
  expect(await count({ or: [{ label_equal: 'b' }, { weight_ge: 9 }] })).not.toBe(or);
});

test('empty groups and empty values are no filters', async () => {
  for (const where of ['', '{}', '{"or":[]}', '{"label_like":""}', '{"and":[{"or":[]},{"label_like":null}]}']) expect((await page({ where })).total).toBe(60);
});

const nested = (levels: number): object => (levels === 0 ? { label_like: 'a' } : { or: [nested(levels - 1), { weight_ge: 1 }] });

test.each<[string, string, (typeof problems)[keyof typeof problems], Record<string, string>]>([
  ['what is no JSON', '{', problems.wrongParameter, { name: 'where' }],
  ['a list', '[{"label_like":"a"}]', problems.wrongParameter, { name: 'where' }],
  ['a group that is no list', '{"or":{"label_like":"a"}}', problems.wrongParameter, { name: 'where' }],
  ['a value that is a list', '{"label_like":["a"]}', problems.wrongParameter, { name: 'where' }],
  ['an unknown filter', '{"or":[{"secret_equal":"a"}]}', problems.unknownFilter, { name: 'secret_equal' }],
  ['a group within a filter', '{"label_like":{"or":[]}}', problems.wrongParameter, { name: 'where' }],
  ['SQL for a name', '{"label\' or 1=1 --_equal":"a"}', problems.unknownFilter, { name: "label' or 1=1 --_equal" }],
  ['a wrong value', '{"or":[{"weight_ge":"x"}]}', problems.wrongParameter, { name: 'weight_ge' }],
  ['too many levels', JSON.stringify(nested(groupLimits.depth + 1)), problems.groupsTooDeep, { max: '5' }],
  ['too many levels without filters', '{"or":['.repeat(700) + ']}'.repeat(700), problems.groupsTooDeep, { max: '5' }],
  ['too many conditions', JSON.stringify({ or: Array.from({ length: 51 }, () => ({ label_like: 'a' })) }), problems.tooManyFilters, { max: '50' }],
])('refuses %s with a clear error', async (_, where, problem, values) => {
  const failure = await page({ where }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ problem, values });
});

test('the deepest group that is allowed answers', async () => {
  expect((await page({ where: JSON.stringify(nested(groupLimits.depth)) })).total).toBeGreaterThan(0);
});

const countsOf = (found: readonly CrateRow[], field: 'label' | 'weight') => {
  const counts = new Map<string | null, number>();
  for (const row of found) {
    const value = row[field] === null ? null : String(row[field]);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count }));
};
const sorted = (groups: readonly { value: string | null; count: number }[] = []) =>
  [...groups].sort((one, other) => String(one.value).localeCompare(String(other.value)));

test('rows are counted by the values of a field, also by no value, among all matches and not those of the page', async () => {
  const { groups = [], records } = await page({ groups: 'weight', size: 3 });
  expect(records).toHaveLength(3);
  expect(sorted(groups)).toEqual(sorted(countsOf(rows, 'weight')));
  expect(groups.map(({ count }) => count)).toEqual(groups.map(({ count }) => count).sort((one, other) => other - one));
  const where = '{"or":[{"weight_ge":5},{"label_null":"true"}]}';
  const wanted = rows.filter(({ weight, label }) => (weight !== null && weight >= 5) || label === null);
  const both = await page({ groups: 'label', where, totals: true, size: 0 });
  expect(sorted(both.groups)).toEqual(sorted(countsOf(wanted, 'label')));
  expect(both).toMatchObject({ total: wanted.length, totals: totalsOf(wanted) });
  expect((await page({ groups: '' })).groups).toBeUndefined();
});

test.each(['rank', 'secret', 'nothing', '__proto__', 'label_equal', "label' --"])('no rows are counted by %s', async (groups) => {
  expect(await page({ groups }).catch((error: unknown) => error)).toMatchObject({ problem: problems.unknownFilter, values: { name: groups } });
});

test('hidden fields and the actor’s rows hold for groups of filters, totals and groups', async () => {
  const actor = { userId: '1', tenantId: 'groups', deptId: undefined };
  const as = (scope: RowScope, input: ListInput) =>
    db.read({ tenantId: 'groups' }, () => actingAs({ ...actor, dataScopes: new Map([['crate', scope]]) }, () => crates.page(input)));
  const parts: RowScope['parts'] = [{ kind: 'custom', condition: { field: 'label', is: 'a' } }];
  const own = rows.filter(({ label }) => label === 'a');
  expect(await as({ parts, fields: undefined }, { where: '{"or":[{"label_equal":"b"},{"weight_null":"true"}]}', totals: true, groups: 'label' })).toMatchObject(
    {
      total: own.filter(({ weight }) => weight === null).length,
      totals: totalsOf(own.filter(({ weight }) => weight === null)),
      groups: countsOf(
        own.filter(({ weight }) => weight === null),
        'label',
      ),
    },
  );
  const few: RowScope = { parts, fields: new Set(['label', 'deposit']) };
  expect((await as(few, { totals: true })).totals).toEqual({ deposit: totalsOf(own).deposit });
  for (const [input, name] of [
    [{ where: '{"or":[{"label_equal":"a"},{"weight_ge":1}]}' }, 'weight_ge'],
    [{ groups: 'weight' }, 'weight'],
  ] as const)
    expect(await as(few, input).catch((error: unknown) => error)).toMatchObject({ problem: problems.unknownFilter, values: { name } });
});

test('groups and totals stay within the tenant', async () => {
  const where = '{"or":[{"label_like":"a"},{"label_null":"true"},{"weight_ge":0}]}';
  expect(await page({ where, totals: true, groups: 'label' }, 'elsewhere')).toMatchObject({
    records: [],
    total: 0,
    groups: [],
    totals: { price: { sum: '0', average: '0' } },
  });
});
