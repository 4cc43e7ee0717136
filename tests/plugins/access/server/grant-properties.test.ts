import { afterAll, beforeAll, expect, test } from '@rstest/core';
import fc from 'fast-check';
import { invalidatePrincipals } from '../../../../src/server/platform/principal/principal-cache.ts';
import { openTestServer, type TestServer } from '../../../support/test-server.ts';

const parameters = { numRuns: 10, seed: Number(process.env.GRANTS_SEED ?? 20_260_603), endOnFailure: true };
const granterCodes = ['role', 'role_add', 'role_edit', 'role_view', 'role_grant', 'user', 'user_role'];
const pages = ['post', 'dept'] as const;
const codes = ['post', 'post_add', 'post_delete', 'dept', 'dept_add', 'dept_edit'];

let server: TestServer;
let granter: { userId: string; roleId: string };
let headers: Record<string, string>;
let target: string;
let member: string;
const menuIds = new Map<string, string>();
/** Four scopes for each page: three that limit its rows, and one that forbids calls. */
const scopes: { id: string; kind: 'data' | 'api'; page: string }[] = [];

beforeAll(async () => {
  server = await openTestServer({ plugins: ['access', 'organization'] });
  for (const { id, code } of await server.sql('select id::text as id, code from menu')) menuIds.set(String(code), String(id));
  for (const page of pages) {
    for (const type of [1, 2, 3])
      scopes.push({
        kind: 'data',
        page,
        id: await insert(`insert into data_scope (menu_id, scope_name, resource_code, scope_type) values (${menuIds.get(page)}, 's', 's', ${type})`),
      });
    scopes.push({
      kind: 'api',
      page,
      id: await insert(
        `insert into api_scope (menu_id, scope_name, resource_code, scope_path, scope_type) values (${menuIds.get(page)}, 's', 's', '/api/x/${page}', 2)`,
      ),
    });
  }
  granter = await server.createUser({ account: 'granter', codes: granterCodes });
  headers = await server.signIn('granter');
  ({ roleId: target, userId: member } = await server.createUser({ account: 'member' }));
});
afterAll(() => server.stop());

const insert = async (statement: string) => String((await server.sql(`${statement} returning id::text as id`))[0]?.id);

/** Ids of the menu entries, data scopes and API scopes of roles. */
interface Grants {
  readonly menus: ReadonlySet<string>;
  readonly data: ReadonlySet<string>;
  readonly api: ReadonlySet<string>;
}

async function grantsOf(roleIds: readonly string[]): Promise<Grants> {
  const list = roleIds.join(',') || '0';
  const ids = async (statement: string) => new Set((await server.sql(statement)).map(({ id }) => String(id)));
  return {
    menus: await ids(`select menu_id::text as id from role_menu where role_id in (${list})`),
    data: await ids(`select scope_id::text as id from role_scope where scope_category = 1 and role_id in (${list})`),
    api: await ids(`select scope_id::text as id from role_scope where scope_category = 2 and role_id in (${list})`),
  };
}

const someCodes = fc.subarray(codes);
const someScopes = fc.array(fc.nat({ max: 7 }), { maxLength: 4 });
const change = fc.oneof(
  fc.record({ what: fc.constant('menus' as const), codes: someCodes }),
  fc.record({ what: fc.constant('all' as const), codes: someCodes, scopes: someScopes }),
  fc.record({ what: fc.constant('copy' as const) }),
  fc.record({ what: fc.constant('assign' as const) }),
);

test('no change of roles and members gives permissions or rows that the granter does not have', async () => {
  const outcomes = new Set<number>();
  const start = fc.record({
    own: someCodes,
    ownScopes: someScopes,
    theirs: someCodes,
    theirScopes: someScopes,
    changes: fc.array(change, { minLength: 4, maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(start, async ({ own, ownScopes, theirs, theirScopes, changes }) => {
      await setGrants(granter.roleId, [...granterCodes, ...own], ownScopes);
      await setGrants(target, theirs, theirScopes);
      await server.sql(`delete from user_role where user_id = ${member} and role_id <> ${target}`);
      const ofGranter = await grantsOf([granter.roleId]);
      const limited = pagesLimited(ofGranter);
      let before = await grantsOf([target]);
      for (const each of changes) {
        const { status, copyId } = await makeChange(each);
        outcomes.add(status);
        const roleIds = [target, ...(copyId ? [copyId] : [])];
        const after = await grantsOf(roleIds);
        const exceeding = (kind: keyof Grants) => [...after[kind]].filter((id) => !before[kind].has(id) && !ofGranter[kind].has(id));
        expect({ each, menus: exceeding('menus'), api: exceeding('api') }).toEqual({ each, menus: [], api: [] });
        for (const page of limited) {
          const exceedingScopes = exceeding('data').filter((id) => scopes.find((scope) => scope.id === id)?.page === page);
          expect({ each, page, exceedingScopes }).toEqual({ each, page, exceedingScopes: [] });
          // A user who sees a part of a page's rows cannot grant a role that sees all of them.
          const hasGainedPage = status === 200 && [...after.menus].some((id) => id === menuIds.get(page) && !before.menus.has(id));
          if (hasGainedPage) for (const roleId of copyId ? [copyId] : [target]) expect(pagesLimited(await grantsOf([roleId]))).toContain(page);
        }
        before = await grantsOf([target]);
      }
    }),
    parameters,
  );
  expect([...outcomes].sort()).toEqual([200, 403]);
});

const pagesLimited = ({ data }: Grants) => pages.filter((page) => [...data].some((id) => scopes.some((scope) => scope.id === id && scope.page === page)));

/** Replaces the permissions and scopes of a role. */
async function setGrants(roleId: string, roleCodes: readonly string[], scopeIndexes: readonly number[]): Promise<void> {
  await server.sql(`delete from role_menu where role_id = ${roleId}`);
  await server.sql(`delete from role_scope where role_id = ${roleId}`);
  for (const code of new Set(roleCodes))
    await server.sql(`insert into role_menu (tenant_id, role_id, menu_id) values ('000000', ${roleId}, ${menuIds.get(code)})`);
  for (const index of new Set(scopeIndexes)) {
    const { id, kind } = scopes[index] as (typeof scopes)[number];
    await server.sql(`insert into role_scope (tenant_id, role_id, scope_category, scope_id) values ('000000', ${roleId}, ${kind === 'data' ? 1 : 2}, ${id})`);
  }
  await server.db.asPlatform('tests change grants', () => invalidatePrincipals(server.db, { roleId }));
}

let copies = 0;
/** Makes a change as the granter, and returns the id of the role that a copy has created. */
async function makeChange(each: typeof change extends fc.Arbitrary<infer One> ? One : never): Promise<{ status: number; copyId?: string }> {
  const ids = 'codes' in each ? each.codes.map((code) => menuIds.get(code)) : [];
  if (each.what === 'menus') return server.post('/api/oms-system/role/setrolemenus', { roleId: target, menuIds: ids }, { headers });
  if (each.what === 'assign') return server.post('/api/blade-system/user/grant', { userIds: [member], roleIds: [target, granter.roleId] }, { headers });
  if (each.what === 'copy') {
    const { status, data } = await server.post('/api/blade-system/role/copy', { id: target, roleName: `copy${++copies}` }, { headers });
    return status === 200 ? { status, copyId: data.id } : { status };
  }
  const idsOf = (kind: 'data' | 'api') => each.scopes.map((index) => scopes[index]).flatMap((scope) => (scope?.kind === kind ? [scope.id] : []));
  return server.post('/api/blade-system/role/grant', { roleIds: [target], menuIds: ids, dataScopeIds: idsOf('data'), apiScopeIds: idsOf('api') }, { headers });
}
