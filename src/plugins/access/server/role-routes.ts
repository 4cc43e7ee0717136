import type { ServerContext } from '#server';
import { role } from '../contract.ts';
import { grantableTree, menusOf, setMenus } from './grants.ts';
import { addMembers, membersOf, removeMembers } from './members.ts';
import { peopleNamed } from './people.ts';
import { possibleParents, roleOptions, roleTree } from './role-lookups.ts';
import { restrictToGranter, scopesOf, scopeTree, setScopes } from './role-scopes.ts';
import { copyRole, rolesOf } from './roles.ts';

/** Serves the calls of roles. */
export function serveRoles({ serve, serveCrud, db }: ServerContext): void {
  const roles = rolesOf(db);

  serveCrud(role, roles, { also: ['/api/blade-system/role', '/api/oms-system/role'] });
  serve(role.tree, ({ input, principal }) => roleTree(roles, principal, input.tenantId));
  serve(role.treeById, ({ input, principal }) => possibleParents(db, roles, principal, input.roleId));
  serve(role.select, ({ input, principal }) => roleOptions(roles, principal, input));
  serve(role.menus, ({ input }) => menusOf(db, [input.roleId]));
  serve(role.setMenus, async ({ input, principal }) => {
    await setMenus(db, principal, input.roleId, input.menuIds);
    await restrictToGranter(db, principal, input.roleId);
  });
  serve(role.grant, async ({ input, principal }) => {
    const { menuIds, dataScopeIds, apiScopeIds } = input;
    for (const roleId of new Set(input.roleIds)) {
      if (dataScopeIds) await setScopes(db, principal, { roleId, kind: 'data', ids: dataScopeIds });
      if (apiScopeIds) await setScopes(db, principal, { roleId, kind: 'api', ids: apiScopeIds });
      if (menuIds) await setMenus(db, principal, roleId, menuIds);
      await restrictToGranter(db, principal, roleId);
    }
  });
  serve(role.grantTree, async ({ principal, language }) => ({
    menu: await grantableTree(db, principal, language),
    dataScope: await scopeTree(db, principal, { kind: 'data', language }),
    apiScope: await scopeTree(db, principal, { kind: 'api', language }),
  }));
  serve(role.grantedKeys, async ({ input }) => ({
    menu: await menusOf(db, input.roleIds),
    dataScope: await scopesOf(db, input.roleIds, 'data'),
    apiScope: await scopesOf(db, input.roleIds, 'api'),
  }));
  serve(role.copy, ({ input, principal }) => copyRole(db, roles, principal, input));
  serve(role.members, ({ input }) => membersOf(db, input));
  serve(role.candidates, ({ input }) => peopleNamed(db, input.text ?? '', { roleId: input.roleId }));
  serve(role.enlist, ({ input, principal }) => addMembers(db, principal, input.roleId, input.ids));
  serve(role.dismiss, ({ input, principal }) => removeMembers(db, principal, input.roleId, input.ids));
}
