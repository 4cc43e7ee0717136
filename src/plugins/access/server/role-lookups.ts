import { and, sql } from 'drizzle-orm';
import { type Database, namedAsSeen, nodesOf, type Principal, queryRows, type TreeRepository, tableOf } from '#server';
import type { InputOf } from '#shared/contract';
import { Role, type role } from '../contract.ts';
import { isAdministrator, listOf } from './grants.ts';

const roles = tableOf(Role);

/** Hides the administrator role in pickers from everyone but administrators. */
const pickable = (principal: Principal) => (isAdministrator(principal) ? undefined : sql`${roles.roleAlias} <> 'administrator'`);

/** Returns roles for a picker as a tree; empty for another tenant. */
export async function roleTree(repository: TreeRepository<typeof Role>, principal: Principal, tenantId?: string) {
  if (tenantId !== undefined && tenantId !== '' && tenantId !== principal.tenantId) return [];
  return nodesOf(namedAsSeen(Role, await repository.list(pickable(principal)), 'roleName'), 'roleName');
}

/** Returns the roles that can be the parent of a role. */
export async function possibleParents(db: Database, repository: TreeRepository<typeof Role>, principal: Principal, roleId: string) {
  const below = await queryRows<{ id: string }>(
    db,
    sql`with recursive below as (
      select id from role where id = ${roleId}::bigint union select deeper.id from role deeper join below on deeper.parent_id = below.id
    ) select id::text as id from below`,
  );
  const left = new Set(below.map(({ id }) => id));
  const rows = namedAsSeen(Role, await repository.list(pickable(principal)), 'roleName');
  return nodesOf(
    rows.filter(({ id }) => !left.has(id)),
    'roleName',
  );
}

/** Returns roles as a list, those of one user or those with certain ids. */
export function roleOptions(repository: TreeRepository<typeof Role>, principal: Principal, { userId, roleId }: InputOf<typeof role.select>) {
  const own = userId ? sql`${roles.id} in (select ur.role_id from user_role ur where ur.user_id = ${userId}::bigint)` : pickable(principal);
  const named = roleId ? sql`${roles.id} = any(${listOf(roleId.split(','))})` : undefined;
  return repository.list(and(own, named));
}
