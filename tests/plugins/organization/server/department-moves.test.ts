import { afterAll, beforeAll, expect, test } from '@rstest/core';
import fc from 'fast-check';
import { organizationProblems } from '#plugins/organization/contract';
import { departmentsOf } from '../../../../src/plugins/organization/server/departments.ts';
import { ApiError, problems } from '../../../../src/shared/contract/errors.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const parameters = { numRuns: 8, seed: Number(process.env.MOVES_SEED ?? 20_260_602), endOnFailure: true };
const scope = { tenantId: '000000' };

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ plugins: ['organization'] });
});
afterAll(() => server.stop());

const place = fc.nat({ max: 9 });
/** Actions that several users take at the same time; a `to` of 9 is the top level. */
const action = fc.record({ what: fc.constantFrom('move', 'move', 'move', 'remove', 'add', 'restore'), which: place, to: place });
const allowed = new Set<unknown>([
  organizationProblems.deptOwnParent,
  organizationProblems.noParentDept,
  organizationProblems.deptHasChildren,
  problems.notFound,
  problems.tooLateToUndo,
]);

interface Stored {
  readonly id: string;
  readonly parent: string;
  readonly ancestors: string;
  readonly gone: number;
}

test('after any concurrent moves, additions, removals and restores, no department is below itself or without a parent, and paths are correct', async () => {
  const departments = departmentsOf(server.db);
  const write = <Result>(work: () => Promise<Result>) => server.db.write(scope, work);
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => (error instanceof ApiError ? error.problem : error),
    );

  await fc.assert(
    fc.asyncProperty(
      fc.array(place, { minLength: 4, maxLength: 9 }),
      fc.array(fc.array(action, { minLength: 2, maxLength: 6 }), { minLength: 2, maxLength: 4 }),
      async (tree, rounds) => {
        await server.sql('delete from dept');
        const ids: string[] = [];
        const add = async (parentId: string) => {
          const row = await write(() => departments.save({ parentId, deptName: 'd', fullName: 'd', sort: 1 } as Parameters<typeof departments.save>[0]));
          ids.push(row.id);
        };
        for (const above of tree) await add(ids[above] ?? '0');
        const known = (at: number) => ids[at % ids.length] as string;
        for (const together of rounds) {
          const results = await Promise.all(
            together.map(({ what, which, to }) => {
              const id = known(which);
              const parentId = to === 9 ? '0' : known(to);
              if (what === 'add') return refusal(add(parentId));
              if (what === 'remove') return refusal(write(() => departments.remove([id])));
              if (what === 'restore') return refusal(write(() => departments.restore([id])));
              return refusal(write(() => departments.save({ id, parentId } as Parameters<typeof departments.save>[0])));
            }),
          );
          for (const one of results) expect(one === undefined || allowed.has(one), String(one)).toBe(true);
          await expectConsistentTree();
        }
      },
    ),
    parameters,
  );
});

async function expectConsistentTree(): Promise<void> {
  const rows = (await server.sql('select id::text as id, parent_id::text as parent, ancestors, is_deleted as gone from dept')) as unknown as Stored[];
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) {
    const path: string[] = [];
    for (let at = row.parent; at !== '0'; at = (byId.get(at) as Stored).parent) {
      expect(path.length).toBeLessThan(rows.length);
      const above = byId.get(at);
      expect(above && (row.gone === 1 || above.gone === 0), `${row.id} is below ${at}, which is missing or removed`).toBe(true);
      path.unshift(at);
    }
    expect({ id: row.id, ancestors: row.ancestors }).toEqual({ id: row.id, ancestors: ['0', ...path].join(',') });
  }
}
