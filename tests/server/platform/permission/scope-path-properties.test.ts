import { afterAll, beforeAll, expect, test } from '@rstest/core';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { LedgerPosting, Payout } from '#plugins/payment/contract';
import { Submission } from '#plugins/task/contract';
import { type Actor, actingAs } from '../../../../src/server/data/context/actor.ts';
import { queryRows } from '../../../../src/server/data/database/rows.ts';
import { boundOf, visibleRows } from '../../../../src/server/data/repository/row-scope.ts';
import type { ScopeCondition } from '../../../../src/shared/platform/scopes.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const tenantId = '000000';
const parameters = { numRuns: Number(process.env.SCOPE_RUNS ?? 60), seed: Number(process.env.SCOPE_SEED ?? 20_260_601), endOnFailure: true };
/** Departments, each below the one before it. */
const depts = ['100', '110', '111'];

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['dictionary', 'organization', 'region', 'base-data', 'resource', 'miniapp', 'task', 'access', 'payment'] });
  await server.sql(`insert into dept (id, tenant_id, parent_id, ancestors, dept_name, full_name)
    values (100, '${tenantId}', 0, '', 'a', 'a'), (110, '${tenantId}', 100, '', 'b', 'b'), (111, '${tenantId}', 110, '', 'c', 'c')`);
}, 300_000);
afterAll(() => server.stop());

const id = fc.constantFrom('1', '2', '3');
const task = fc.record({
  advertiserId: id,
  categoryId: id,
  cityIds: fc.option(fc.subarray(['1', '2', '3'], { minLength: 1 }), { nil: null }),
  user: id,
  dept: fc.constantFrom(...depts),
});
type TaskRow = typeof task extends fc.Arbitrary<infer One> ? One : never;

const fields = ['taskId.advertiserId', 'taskId.categoryId', 'taskId.cityIds'] as const;
const leaf: fc.Arbitrary<ScopeCondition> = fc.oneof(
  fc.record({ field: fc.constantFrom(...fields), is: fc.oneof(id, fc.subarray(['1', '2', '3', '007', 'x'])) }),
  fc.record({ field: fc.constantFrom(...fields), isNot: fc.oneof(id, fc.subarray(['1', '2', '3'])) }),
  fc.record({ field: fc.constant('taskId.cityIds'), filled: fc.boolean() }),
  fc.record({ field: fc.constant('taskId.createUser'), of: fc.constant('me' as const) }),
  fc.record({ field: fc.constant('taskId.createDept'), of: fc.constantFrom('department' as const, 'departmentAndBelow' as const) }),
  fc.record({ field: fc.constant('taskId.createDept'), below: fc.subarray(depts) }),
);
const { condition } = fc.letrec<{ condition: ScopeCondition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
  ),
}));

const isBelow = (dept: string, tops: readonly string[]) => depts.slice(0, depts.indexOf(dept) + 1).some((above) => tops.includes(above));

/** Evaluates a condition on a task in memory. */
function matches(part: ScopeCondition, row: TaskRow, actor: Actor): boolean {
  if ('all' in part) return part.all.every((each) => matches(each, row, actor));
  if ('any' in part) return part.any.some((each) => matches(each, row, actor));
  const name = part.field.split('.').at(-1) ?? '';
  const value = { advertiserId: row.advertiserId, categoryId: row.categoryId, cityIds: row.cityIds, createUser: row.user, createDept: row.dept }[name];
  const values = [value ?? []].flat();
  if ('of' in part && part.of === 'me') return values.includes(actor.userId);
  if ('of' in part) return values.some((dept) => (part.of === 'department' ? actor.deptIds?.includes(dept) : isBelow(dept, actor.deptIds ?? [])));
  if ('below' in part) return values.some((dept) => isBelow(dept, part.below));
  if ('filled' in part) return values.length > 0 === part.filled;
  const wanted = ['is' in part ? part.is : part.isNot].flat().map(String);
  return values.some((one) => wanted.includes(one)) === 'is' in part;
}

/** Replaces all tasks, and adds a submission for each. */
async function replaceTasks(tasks: readonly TaskRow[]): Promise<void> {
  const rows = tasks.map(({ advertiserId, categoryId, cityIds, user, dept }, index) => {
    const cities = cityIds ? `'${JSON.stringify(cityIds)}'` : 'null';
    return `(${1000 + index}, '${tenantId}', 't', ${advertiserId}, 1, ${categoryId}, 1, ${cities}, 100, 1, 'r', ${user}, ${dept})`;
  });
  const proofs = tasks.map((_, index) => `(${2000 + index}, '${tenantId}', ${1000 + index}, 't', 1, 'n', now(), 100)`);
  await server.db.asPlatform('tests replace tasks', () =>
    server.db.script(`delete from task_submission; delete from task;
      insert into task (id, tenant_id, title, advertiser_id, platform_id, category_id, grade_id, city_ids, unit_price, quantity, requirement, create_user, create_dept) values ${rows.join(', ')};
      insert into task_submission (id, tenant_id, task_id, task_title, user_id, nick_name, deadline, amount) values ${proofs.join(', ')}`),
  );
}

test('a condition on the task of a submission shows the same rows as its evaluation in memory, by itself and as the bound of a granter', async () => {
  const scenario = fc.record({ tasks: fc.array(task, { minLength: 3, maxLength: 8 }), condition, user: id, ownDepts: fc.subarray(depts) });
  let partialResults = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ tasks, condition, user, ownDepts }) => {
      await replaceTasks(tasks);
      const actor: Actor = { userId: user, tenantId, deptId: ownDepts[0], deptIds: ownDepts };
      const expected = tasks.flatMap((row, index) => (matches(condition, row, actor) ? [String(2000 + index)] : []));
      if (expected.length > 0 && expected.length < tasks.length) partialResults += 1;
      const readRows = (as: Actor, custom: ScopeCondition) =>
        server.db.read({ tenantId }, () =>
          actingAs({ ...as, dataScopes: new Map([[Submission.name, { parts: [{ kind: 'custom', condition: custom }], fields: undefined }]]) }, () =>
            queryRows<{ id: string }>(
              server.db,
              sql`select s.id::text as id from task_submission s where s.is_deleted = 0 and ${visibleRows(server.db, Submission.name, 's')} order by s.id`,
            ),
          ),
        );
      const ids = (rows: { id: string }[]) => rows.map((row) => row.id);
      expect(ids(await readRows(actor, condition))).toEqual(expected);
      const bound = boundOf([{ kind: 'custom', condition }], actor);
      expect(ids(await readRows({ userId: '99', tenantId, deptId: undefined, deptIds: [] }, bound))).toEqual(expected);
    }),
    parameters,
  );
  expect(partialResults).toBeGreaterThan(parameters.numRuns / 4);
});

test('every ownership path that an entity declares leads to a column', async () => {
  for (const entity of [Submission, Payout, LedgerPosting]) {
    const paths = Object.values(entity.ownership ?? {});
    expect({ entity: entity.name, paths }).not.toEqual({ entity: entity.name, paths: [] });
    for (const path of paths) {
      const dataScopes = new Map([[entity.name, { parts: [{ kind: 'own' as const, column: path }], fields: undefined }]]);
      const statement = actingAs({ userId: '1', tenantId, deptId: undefined, dataScopes }, () => visibleRows(server.db, entity.name));
      expect(statement.queryChunks).not.toEqual(sql`false`.queryChunks);
    }
  }
});
