import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { Post } from '#plugins/organization/contract';
import { type Actor, actingAs } from '../../../../src/server/data/context/actor.ts';
import { queryRows } from '../../../../src/server/data/database/rows.ts';
import { repositoryOf } from '../../../../src/server/data/index.ts';
import { visibleRows } from '../../../../src/server/data/repository/row-scope.ts';
import { dataScopesOf } from '../../../../src/server/platform/permission/scopes.ts';
import { type Condition, holds } from '../../../../src/shared/contract/condition.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const tenantId = '000000';
const parameters = { numRuns: Number(process.env.SCOPE_RUNS ?? 60), seed: Number(process.env.SCOPE_SEED ?? 20_260_601), endOnFailure: true };

let server: TestServer;
let pageId: string;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['access', 'organization'] });
  pageId = String((await server.sql("select id::text as id from menu where code = 'post'"))[0]?.id);
});
afterAll(() => server.stop());

/** Departments by number: the parent of each is an earlier one or the top level. */
const departments = fc.array(fc.nat({ max: 20 }), { minLength: 2, maxLength: 9 });

const remarks = ['', 'a', 'b', "o'hara; --", 'null'];
const row = fc.record({
  sort: fc.integer({ min: 0, max: 4 }),
  remark: fc.option(fc.constantFrom(...remarks), { nil: null }),
  category: fc.constantFrom('1', '2', '3'),
  createUser: fc.integer({ min: 1, max: 4 }),
  createDept: fc.option(fc.nat({ max: 8 }), { nil: null }),
});
type Row = typeof row extends fc.Arbitrary<infer One> ? One : never;

const plain: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ field: fc.constant('remark'), filled: fc.boolean() }),
  fc.record({ field: fc.constant('remark'), is: fc.subarray(remarks) }),
  fc.record({ field: fc.constantFrom('sort', 'category'), is: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }) }),
  fc.record({ field: fc.constantFrom('sort', 'category'), isNot: fc.integer({ min: 0, max: 4 }) }),
);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    plain,
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
  ),
}));

const kinds = { all: 1, own: 2, dept: 3, below: 4, custom: 5 } as const;
type Scope = { readonly kind: keyof typeof kinds; readonly condition: Condition };
const scope: fc.Arbitrary<Scope> = fc.record({
  kind: fc.oneof({ weight: 1, arbitrary: fc.constant('all' as const) }, { weight: 9, arbitrary: fc.constantFrom('own', 'dept', 'below', 'custom') }),
  condition,
});
const role = fc.record({ hasPage: fc.boolean(), scopes: fc.array(scope, { maxLength: 3 }) });
type Role = typeof role extends fc.Arbitrary<infer One> ? One : never;

/** Replaces all data. The ids of departments, posts and roles are their indexes. */
async function settle(world: { parents: readonly number[]; rows: readonly Row[]; roles: readonly Role[] }): Promise<void> {
  const { parents, rows, roles } = world;
  const text = (value: unknown) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`);
  const statements = [
    'delete from post',
    'delete from dept',
    'delete from data_scope',
    'delete from role_scope where role_id < 100',
    'delete from role_menu where role_id < 100',
    'delete from role where id between 10 and 99',
  ];
  for (const [place, parent] of parents.entries())
    statements.push(
      `insert into dept (id, tenant_id, parent_id, ancestors, dept_name, full_name) values (${1000 + place}, '${tenantId}', ${parentOf(parents, place) ?? 0}, '', 'd', '${parent}')`,
    );
  for (const [place, one] of rows.entries())
    statements.push(
      `insert into post (id, tenant_id, post_code, post_name, category, sort, remark, create_user, create_dept)
       values (${5000 + place}, '${tenantId}', 'c${place}', 'n', ${text(one.category)}, ${one.sort}, ${text(one.remark)}, ${one.createUser}, ${deptOf(parents, one) ?? 'null'})`,
    );
  for (const [place, { hasPage, scopes }] of roles.entries()) {
    statements.push(`insert into role (id, tenant_id, role_name, role_alias) values (${10 + place}, '${tenantId}', 'r${place}', 'user')`);
    if (hasPage) statements.push(`insert into role_menu (tenant_id, role_id, menu_id) values ('${tenantId}', ${10 + place}, ${pageId})`);
    for (const [number, { kind, condition }] of scopes.entries()) {
      const id = 7000 + place * 10 + number;
      statements.push(
        `insert into data_scope (id, menu_id, scope_name, resource_code, scope_type, scope_value) values (${id}, ${pageId}, 's', 's', ${kinds[kind]}, ${text(JSON.stringify(condition))})`,
        `insert into role_scope (tenant_id, role_id, scope_category, scope_id) values ('${tenantId}', ${10 + place}, 1, ${id})`,
      );
    }
  }
  await server.db.asPlatform('tests settle a world', () => server.db.script(statements.join(';')));
}

const parentOf = (parents: readonly number[], index: number): number | undefined => {
  const above = (parents[index] as number) % (index + 1);
  return above === index ? undefined : 1000 + above;
};
const deptOf = (parents: readonly number[], { createDept }: Row): number | undefined =>
  createDept === null ? undefined : 1000 + (createDept % parents.length);

/** Checks by walking up whether `dept` is one of `own` or below it. */
function isBelow(parents: readonly number[], own: readonly number[], dept: number | undefined): boolean {
  for (let at = dept; at !== undefined; at = parentOf(parents, at - 1000)) if (own.includes(at)) return true;
  return false;
}

test('lists, details and SQL of plugins show the rows a naive reading of all roles and scopes gives', async () => {
  const posts = repositoryOf(server.db, Post);
  const world = fc.record({
    parents: departments,
    rows: fc.array(row, { minLength: 4, maxLength: 14 }),
    roles: fc.array(role, { minLength: 1, maxLength: 3 }),
    user: fc.integer({ min: 1, max: 4 }),
    own: fc.uniqueArray(fc.nat({ max: 8 }), { maxLength: 2 }),
  });
  let narrowed = 0;
  await fc.assert(
    fc.asyncProperty(world, async ({ parents, rows, roles, user, own }) => {
      await settle({ parents, rows, roles });
      const depts = own.map((place) => 1000 + (place % parents.length));
      const sees = ({ kind, condition }: Scope, one: Row, id: string): boolean => {
        if (kind === 'all') return true;
        if (kind === 'own') return one.createUser === user;
        if (kind === 'dept') return depts.includes(deptOf(parents, one) ?? -1);
        if (kind === 'below') return isBelow(parents, depts, deptOf(parents, one));
        return holds(condition, { ...one, id });
      };
      const isFree = !roles.some(({ scopes }) => scopes.length > 0) || roles.some(({ hasPage, scopes }) => hasPage && scopes.length === 0);
      const given = roles.flatMap(({ scopes }) => scopes);
      const expected = rows
        .map((one, index) => ({ one, id: String(5000 + index) }))
        .filter(({ one, id }) => isFree || given.some((each) => sees(each, one, id)))
        .map(({ id }) => id);
      if (expected.length > 0 && expected.length < rows.length) narrowed += 1;

      const grantee = { tenantId, roleIds: roles.map((_, index) => String(10 + index)), roles: ['user'] };
      const actor: Actor = {
        userId: String(user),
        tenantId,
        deptId: undefined,
        deptIds: depts.map(String),
        dataScopes: await dataScopesOf(server.db, grantee),
      };
      const found = await server.db.read({ tenantId }, () =>
        actingAs(actor, async () => {
          const page = await posts.page({ size: 200 });
          const byHand = await queryRows<{ id: string }>(
            server.db,
            sql`select p.id::text as id from post p where p.is_deleted = 0 and ${visibleRows(server.db, 'post', 'p')}`,
          );
          const details = [];
          for (const { id } of rows.map((_, index) => ({ id: String(5000 + index) }))) if (await posts.detail(id).catch(() => undefined)) details.push(id);
          return { listed: page.records.map(({ id }) => id).sort(), total: page.total, byHand: byHand.map(({ id }) => id).sort(), details };
        }),
      );
      expect(found).toEqual({ listed: expected, total: expected.length, byHand: expected, details: expected });
    }),
    parameters,
  );
  // Cases in which all rows or no rows are visible would prove little.
  expect(narrowed).toBeGreaterThan(parameters.numRuns / 4);
});
