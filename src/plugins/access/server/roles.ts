import { ApiError, currentActor, type Database, invalidatePrincipals, type Principal, type TreeRepository, treeRepositoryOf } from '#server';
import { administratorAlias, Role, roleProblems } from '../contract.ts';
import { canChangeRole, lockRole, menusOf, setMenus } from './grants.ts';
import { restrictToGranter, scopesOf, setScopes } from './role-scopes.ts';

/** Repository of roles. The alias of a role cannot make its members administrators. */
export function rolesOf(db: Database): TreeRepository<typeof Role> {
  return treeRepositoryOf(db, Role, {
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
export async function copyRole(db: Database, roles: TreeRepository<typeof Role>, principal: Principal, { id, roleName }: { id: string; roleName: string }) {
  await lockRole(db, principal, id);
  const { parentId, roleAlias, sort } = await roles.detail(id);
  const copy = await roles.save({ parentId, roleName, roleAlias, sort });
  for (const kind of ['data', 'api'] as const) await setScopes(db, principal, { roleId: copy.id, kind, ids: await scopesOf(db, [id], kind) });
  await setMenus(db, principal, copy.id, { ids: await menusOf(db, [id]) });
  await restrictToGranter(db, principal, copy.id);
  return copy;
}

/** Returns the roles of the calling user; undefined if the server itself acts. */
function callerRoles(): { readonly roles: readonly string[] } | undefined {
  const actor = currentActor();
  return actor && { roles: actor.roles ?? [] };
}
