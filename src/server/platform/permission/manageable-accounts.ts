import { sql } from 'drizzle-orm';
import { accountProblems } from '#shared/auth-problems';
import { ApiError, problems } from '#shared/errors';
import { currentActor } from '../../data/context/actor.ts';
import { platformTenant } from '../../data/context/identity.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { visibleRows } from '../../data/repository/row-scope.ts';
import { type GrantableRole, grantableRoles } from './grantable-roles.ts';

/** Lists every role of the tenant, and whether the caller may grant and revoke it. Code that runs without a user may grant all roles. */
export async function rolesForCaller(db: Database): Promise<GrantableRole[]> {
  const actor = currentActor();
  const ownRoles = actor
    ? await queryRows<{ id: string }>(
        db,
        sql`select ur.role_id::text as id from user_role ur join role r on r.id = ur.role_id and r.is_deleted <> 1
            where ur.user_id = ${actor.userId}::bigint and (r.role_alias <> 'administrator' or ${actor.tenantId} = ${platformTenant})`,
      )
    : [];
  const roles = await grantableRoles(
    db,
    ownRoles.map(({ id }) => id),
  );
  return actor ? roles : roles.map((role) => ({ ...role, isGrantable: true }));
}

/**
 * Throws unless the caller may manage these accounts: accounts outside the data scope are reported as not found, and none may have a role that the caller cannot
 * grant. Every call that changes another account runs this check first; the caller's own account is not checked. Call it inside `write`.
 */
export async function assertManageable(db: Database, ids: readonly string[]): Promise<void> {
  const actor = currentActor();
  const others = [...new Set(ids)].filter((id) => id !== actor?.userId);
  if (!actor || others.length === 0) return;
  const visibleAccounts = await queryRows(
    db,
    sql`select u.id from user_account u where u.id in ${others} and u.is_deleted = 0 and ${visibleRows(db, 'user_account', 'u')}`,
  );
  if (visibleAccounts.length !== others.length) throw new ApiError(problems.notFound);
  const heldRoles = await queryRows<{ id: string }>(
    db,
    sql`select distinct ur.role_id::text as id from user_role ur join role r on r.id = ur.role_id and r.is_deleted <> 1 where ur.user_id in ${others}`,
  );
  const roles = await rolesForCaller(db);
  if (heldRoles.some(({ id }) => !roles.some((role) => role.id === id && role.isGrantable))) throw new ApiError(accountProblems.beyond);
}
