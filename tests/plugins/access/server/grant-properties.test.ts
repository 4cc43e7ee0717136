import { afterAll, beforeAll, expect, test } from '@rstest/core';
import fc from 'fast-check';
import { invalidatePrincipals } from '../../../../src/server/platform/principal/principal-cache.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const parameters = { numRuns: 10, seed: Number(process.env.GRANTS_SEED ?? 20_260_603), endOnFailure: true };
const powers = ['role', 'role_add', 'role_edit', 'role_view', 'role_grant', 'user', 'user_role'];
const pages = ['post', 'dept'] as const;
const codes = ['post', 'post_add', 'post_delete', 'dept', 'dept_add', 'dept_edit'];

let server: TestServer;
let granter: { userId: string; roleId: string };
let headers: Record<string, string>;
let target: string;
let member: string;
const menuIds = new Map<string, string>();
/** Two scopes for each page: one that limits rows, and one that forbids calls. */
const scopes: { id: string; kind: 'data' | 'api'; page: string }[] = [];

beforeAll(async () => {
  server = await openTestServer({ plugins: ['access', 'organization'] });
  for (const { id, code } of await server.sql('select id::text as id, code from menu')) menuIds.set(String(code), String(id));
  for (const page of pages) {
    for (const type of [1, 2, 3])
      scopes.push({
        kind: 'data',
        page,
        id: await added(`insert into data_scope (menu_id, scope_name, resource_code, scope_type) values (${menuIds.get(page)}, 's', 's', ${type})`),
      });
    scopes.push({
      kind: 'api',
      page,
      id: await added(
        `insert into api_scope (menu_id, scope_name, resource_code, scope_path, scope_type) values (${menuIds.get(page)}, 's', 's', '/api/x/${page}', 2)`,
      ),
    });
  }
  granter = await server.createUser({ account: 'granter', codes: powers });
  headers = await server.signIn('granter');
  ({ roleId: target, userId: member } = await server.createUser({ account: 'member' }));
});
afterAll(() => server.stop());

const added = async (statement: string) => String((await server.sql(`${statement} returning id::text as id`))[0]?.id);

interface Held {
  readonly menus: ReadonlySet<string>;
  readonly data: ReadonlySet<string>;
  readonly api: ReadonlySet<string>;
}

async function heldBy(roleIds: readonly string[]): Promise<Held> {
  const of = roleIds.join(',') || '0';
  const ids = async (statement: string) => new Set((await server.sql(statement)).map(({ id }) => String(id)));
  return {
    menus: await ids(`select menu_id::text as id from role_menu where role_id in (${of})`),
    data: await ids(`select scope_id::text as id from role_scope where scope_category = 1 and role_id in (${of})`),
    api: await ids(`select scope_id::text as id from role_scope where scope_category = 2 and role_id in (${of})`),
  };
}

const some = fc.subarray(codes);
const someScopes = fc.array(fc.nat({ max: 7 }), { maxLength: 4 });
const deed = fc.oneof(
  fc.record({ what: fc.constant('menus' as const), codes: some }),
  fc.record({ what: fc.constant('all' as const), codes: some, scopes: someScopes }),
  fc.record({ what: fc.constant('copy' as const) }),
  fc.record({ what: fc.constant('give' as const) }),
);

test('after any changes of roles and members no user has gained permissions or rows that the granter did not have', async () => {
  const outcomes = new Set<number>();
  const start = fc.record({ own: some, ownScopes: someScopes, theirs: some, theirScopes: someScopes, deeds: fc.array(deed, { minLength: 4, maxLength: 8 }) });
  await fc.assert(
    fc.asyncProperty(start, async ({ own, ownScopes, theirs, theirScopes, deeds }) => {
      await settle(granter.roleId, [...powers, ...own], ownScopes);
      await settle(target, theirs, theirScopes);
      await server.sql(`delete from user_role where user_id = ${member} and role_id <> ${target}`);
      const has = await heldBy([granter.roleId]);
      const limited = pagesLimited(has);
      let before = await heldBy([target]);
      for (const each of deeds) {
        const { status, made } = await act(each);
        outcomes.add(status);
        const roleIds = [target, ...(made ? [made] : [])];
        const after = await heldBy(roleIds);
        const beyond = (of: keyof Held) => [...after[of]].filter((id) => !before[of].has(id) && !has[of].has(id));
        expect({ each, menus: beyond('menus'), api: beyond('api') }).toEqual({ each, menus: [], api: [] });
        for (const page of limited) {
          const fresh = beyond('data').filter((id) => scopes.find((scope) => scope.id === id)?.page === page);
          expect({ each, page, fresh }).toEqual({ each, page, fresh: [] });
          // A user who sees a part of a page's rows cannot grant a role that sees all of them.
          const gained = status === 200 && [...after.menus].some((id) => id === menuIds.get(page) && !before.menus.has(id));
          if (gained) for (const roleId of made ? [made] : [target]) expect(pagesLimited(await heldBy([roleId]))).toContain(page);
        }
        before = await heldBy([target]);
      }
    }),
    parameters,
  );
  expect([...outcomes].sort()).toEqual([200, 403]);
});

const pagesLimited = ({ data }: Held) => pages.filter((page) => [...data].some((id) => scopes.some((scope) => scope.id === id && scope.page === page)));

async function settle(roleId: string, wanted: readonly string[], wantedScopes: readonly number[]): Promise<void> {
  await server.sql(`delete from role_menu where role_id = ${roleId}`);
  await server.sql(`delete from role_scope where role_id = ${roleId}`);
  for (const code of new Set(wanted))
    await server.sql(`insert into role_menu (tenant_id, role_id, menu_id) values ('000000', ${roleId}, ${menuIds.get(code)})`);
  for (const place of new Set(wantedScopes)) {
    const { id, kind } = scopes[place] as (typeof scopes)[number];
    await server.sql(`insert into role_scope (tenant_id, role_id, scope_category, scope_id) values ('000000', ${roleId}, ${kind === 'data' ? 1 : 2}, ${id})`);
  }
  await server.db.asPlatform('tests change grants', () => invalidatePrincipals(server.db, { roleId }));
}

let copies = 0;
async function act(each: typeof deed extends fc.Arbitrary<infer One> ? One : never): Promise<{ status: number; made?: string }> {
  const ids = 'codes' in each ? each.codes.map((code) => menuIds.get(code)) : [];
  if (each.what === 'menus') return server.post('/api/oms-system/role/setrolemenus', { roleId: target, menuIds: ids }, { headers });
  if (each.what === 'give') return server.post('/api/blade-system/user/grant', { userIds: [member], roleIds: [target, granter.roleId] }, { headers });
  if (each.what === 'copy') {
    const { status, data } = await server.post('/api/blade-system/role/copy', { id: target, roleName: `copy${++copies}` }, { headers });
    return status === 200 ? { status, made: data.id } : { status };
  }
  const of = (kind: 'data' | 'api') => each.scopes.map((place) => scopes[place]).flatMap((scope) => (scope?.kind === kind ? [scope.id] : []));
  return server.post('/api/blade-system/role/grant', { roleIds: [target], menuIds: ids, dataScopeIds: of('data'), apiScopeIds: of('api') }, { headers });
}
