import { sql } from 'drizzle-orm';
import { type Database, namedAsSeen, nodesOf, type Principal, rowsOf, type TreeRepository, tableOf } from '#server';
import { Role } from '../contract.ts';
import { isAdministrator } from './grants.ts';

const roles = tableOf(Role);

/** Whoever is no administrator does not see the administrator's role among those to pick from. */
const pickable = (principal: Principal) => (isAdministrator(principal) ? undefined : sql`${roles.roleAlias} <> 'administrator'`);

/** Roles to pick from, as a tree; those of another tenant are not here. */
export async function roleTree(repository: TreeRepository<typeof Role>, principal: Principal, tenantId?: string) {
  if (tenantId !== undefined && tenantId !== '' && tenantId !== principal.tenantId) return [];
  return nodesOf(namedAsSeen(Role, await repository.list(pickable(principal)), 'roleName'), 'roleName');
}

/** The roles another one may be put below. */
export async function possibleParents(db: Database, repository: TreeRepository<typeof Role>, principal: Principal, roleId: string) {
  const below = await rowsOf<{ id: string }>(
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

/** Roles in a row, or those of one user. */
export function roleOptions(repository: TreeRepository<typeof Role>, principal: Principal, userId?: string) {
  const own = sql`${roles.id} in (select ur.role_id from user_role ur where ur.user_id = ${userId ?? '0'}::bigint)`;
  return repository.list(userId ? own : pickable(principal));
}
