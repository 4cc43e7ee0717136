import { and, sql } from 'drizzle-orm';
import {
  ApiError,
  crudRoutes,
  currentActor,
  type Database,
  hasId,
  invalidatePrincipals,
  isAdministrator,
  nodesOf,
  type PluginRoute,
  type Principal,
  queryRows,
  route,
  type ServerContext,
  type TreeRepository,
  tableOf,
  treeRepositoryOf,
  withoutOutdatedEnglish,
  withVisibleLabels,
} from '#server';
import type { InputOf } from '#shared/contract';
import { isEmpty, type Language } from '#shared/text';
import { administratorAlias, Role, role, roleProblems } from '../contract.ts';
import { canChangeRole, grantableTree, lockRole, menusOf, setMenus } from './grants.ts';
import { addMembers, findUsersByName, membersOf, removeMembers } from './members.ts';
import { copyRules, restrictToGranter, scopesOf, scopeTree, setScopes } from './role-scopes.ts';

const roles = tableOf(Role);

/** Hides the administrator role in pickers from everyone but administrators. */
const pickable = (principal: Principal) => (isAdministrator(principal.roles) ? undefined : sql`${roles.roleAlias} <> ${administratorAlias}`);

/** Reader of a picker, with their language. */
interface RoleReader {
  readonly principal: Principal;
  readonly language: Language;
}

/** Returns roles for a picker as a tree; empty for another tenant. */
async function roleTree(repository: TreeRepository<typeof Role>, { principal, language }: RoleReader, tenantId?: string) {
  if (!isEmpty(tenantId) && tenantId !== principal.tenantId) return [];
  return nodesOf(withVisibleLabels(Role, await repository.list(pickable(principal)), 'roleName', language), 'roleName');
}

/** Returns the roles that can be the parent of a role. */
async function possibleParents(db: Database, repository: TreeRepository<typeof Role>, { principal, language }: RoleReader, roleId: string) {
  const below = await queryRows<{ id: string }>(
    db,
    sql`with recursive below as (
      select id from role where id = ${roleId}::bigint union select child.id from role child join below on child.parent_id = below.id
    ) select id::text as id from below`,
  );
  const excluded = new Set(below.map(({ id }) => id));
  const rows = withVisibleLabels(Role, await repository.list(pickable(principal)), 'roleName', language);
  return nodesOf(
    rows.filter(({ id }) => !excluded.has(id)),
    'roleName',
  );
}

/** Returns roles as a list, those of one user or those with certain ids. */
function roleOptions(repository: TreeRepository<typeof Role>, principal: Principal, { userId, roleId }: InputOf<typeof role.select>) {
  const ofUser = userId ? sql`${roles.id} in (select ur.role_id from user_role ur where ur.user_id = ${userId}::bigint)` : pickable(principal);
  const named = roleId ? hasId(roles, roleId.split(',')) : undefined;
  return repository.list(and(ofUser, named));
}

/** Serves the calls of roles. */
export function roleRoutes({ db }: ServerContext): PluginRoute[] {
  const roles = rolesOf(db);

  return [
    crudRoutes(role, roles, {
      pathPrefixes: ['/api/blade-system/role', '/api/oms-system/role'],
      search: { fields: ['roleName', 'roleNameEn', 'roleAlias'], subtitle: ['roleAlias'], actions: { role_edit: true, role_grant: true } },
    }),
    route(role.tree, ({ input, ...reader }) => roleTree(roles, reader, input.tenantId)),
    route(role.treeById, ({ input, ...reader }) => possibleParents(db, roles, reader, input.roleId)),
    route(role.select, ({ input, principal }) => roleOptions(roles, principal, input)),
    route(role.menus, ({ input }) => menusOf(db, [input.roleId])),
    route(role.setMenus, async ({ input, principal }) => {
      await setMenus(db, principal, input.roleId, { ids: input.menuIds });
      await restrictToGranter(db, principal, input.roleId);
    }),
    route(role.grant, async ({ input, principal }) => {
      const { menuIds, dataScopeIds, apiScopeIds, base } = input;
      for (const roleId of new Set(input.roleIds)) {
        if (dataScopeIds) await setScopes(db, principal, { roleId, kind: 'data', ids: dataScopeIds, base: base?.dataScope });
        if (apiScopeIds) await setScopes(db, principal, { roleId, kind: 'api', ids: apiScopeIds, base: base?.apiScope });
        if (menuIds) await setMenus(db, principal, roleId, { ids: menuIds, base: base?.menu });
        await restrictToGranter(db, principal, roleId);
      }
    }),
    route(role.grantTree, async ({ principal, language }) => ({
      menu: await grantableTree(db, principal, language),
      dataScope: await scopeTree(db, principal, { kind: 'data', language }),
      apiScope: await scopeTree(db, principal, { kind: 'api', language }),
    })),
    route(role.grantedKeys, async ({ input }) => ({
      menu: await menusOf(db, input.roleIds),
      dataScope: await scopesOf(db, input.roleIds, 'data'),
      apiScope: await scopesOf(db, input.roleIds, 'api'),
    })),
    route(role.copy, ({ input, principal }) => copyRole(db, roles, principal, input)),
    route(role.members, ({ input }) => membersOf(db, input)),
    route(role.candidates, ({ input }) => findUsersByName(db, input.text ?? '', { roleId: input.roleId })),
    route(role.addMembers, (request) => addMembers(db, request)),
    route(role.removeMembers, (request) => removeMembers(db, request)),
  ];
}

/** Repository of roles. The alias of a role cannot make its members administrators. */
export function rolesOf(db: Database): TreeRepository<typeof Role> {
  return treeRepositoryOf(db, Role, {
    complete: (form, writing) => withoutOutdatedEnglish(Role, form, writing),
    beforeSave(form, before) {
      const caller = callerRoles();
      if (!caller) return;
      if (before?.roleAlias === administratorAlias) {
        if (form.roleAlias !== undefined && form.roleAlias !== administratorAlias) throw new ApiError(roleProblems.administrator, {}, { field: 'roleAlias' });
        if (!caller.roles.includes(administratorAlias)) throw new ApiError(roleProblems.administrator);
        return;
      }
      for (const alias of [form.roleAlias, before?.roleAlias])
        if (alias !== undefined && !canChangeRole(caller, alias)) throw new ApiError(roleProblems.reserved, {}, { field: 'roleAlias' });
    },
    async saved(after) {
      await invalidatePrincipals(db, { roleId: after.id });
    },
    async beforeRemove(rows) {
      const caller = callerRoles();
      for (const { roleAlias } of rows)
        if (caller && !canChangeRole(caller, roleAlias))
          throw new ApiError(roleAlias === administratorAlias ? roleProblems.administrator : roleProblems.beyondOwn);
    },
    async removed(rows) {
      for (const { id } of rows) await invalidatePrincipals(db, { roleId: id });
    },
  });
}

/** Creates a role with the same grants and another name; throws for grants that the caller cannot give. */
async function copyRole(db: Database, roles: TreeRepository<typeof Role>, principal: Principal, { id, ...names }: InputOf<typeof role.copy>) {
  await lockRole(db, principal, id);
  const { parentId, roleAlias, sort, requiresSecondFactor } = await roles.detail(id);
  const copy = await roles.save({ parentId, ...names, roleAlias, sort, requiresSecondFactor });
  for (const kind of ['data', 'api'] as const) await setScopes(db, principal, { roleId: copy.id, kind, ids: await scopesOf(db, [id], kind) });
  await copyRules(db, principal, { from: id, to: copy.id });
  await setMenus(db, principal, copy.id, { ids: await menusOf(db, [id]) });
  await restrictToGranter(db, principal, copy.id);
  return copy;
}

/** Returns the roles of the calling user; undefined if the server itself acts. */
function callerRoles(): { readonly roles: readonly string[] } | undefined {
  const actor = currentActor();
  return actor && { roles: actor.roles ?? [] };
}
