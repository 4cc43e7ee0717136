import { sql } from 'drizzle-orm';
import type { ActingChoices } from '#shared/auth';
import type { Language } from '#shared/text';
import { platformTenant } from '../../../data/context/identity.ts';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { roleNameIn } from '../../permission/grantable-roles.ts';
import { invalidatePrincipals } from '../../principal/principal-cache.ts';
import type { Account } from './accounts.ts';

/** The active department and the active role; without a value all of the user's count. */
export interface RoleChoice {
  readonly deptId?: string | null;
  readonly roleId?: string | null;
}

/** Reduces an account to the active role and department; ignores ones that the account does not have. */
export function withActiveRole(account: Account, { deptId, roleId }: RoleChoice): Account {
  const role = account.roleIds.indexOf(roleId ?? '');
  return {
    ...account,
    ...(deptId && account.deptIds.includes(deptId) ? { deptIds: [deptId] } : {}),
    ...(role < 0
      ? {}
      : {
          roleIds: only(account.roleIds, role),
          roles: only(account.roles, role),
          roleNames: only(account.roleNames, role),
          roleNamesEn: only(account.roleNamesEn, role),
        }),
  };
}

const only = (list: readonly string[], index: number) => list.slice(index, index + 1);

/** Stores the selection for the rest of the session, on every replica; a value that is not the account's own changes nothing. */
export async function selectRole(db: Database, account: Account, sid: string, wanted: RoleChoice): Promise<void> {
  const deptId = account.deptIds.find((id) => id === wanted.deptId);
  const roleId = account.roleIds.find((id) => id === wanted.roleId);
  if (deptId === undefined && roleId === undefined) return;
  await db.write({ tenantId: account.tenantId }, async () => {
    await queryRows(
      db,
      sql`update session set dept_id = coalesce(${deptId ?? null}::bigint, dept_id), role_id = coalesce(${roleId ?? null}::bigint, role_id) where id = ${sid}::uuid`,
    );
    await invalidatePrincipals(db, { sessionId: sid });
  });
}

/** Lists every role and department a user can select, regardless of the current selection, with their names in a language. Call it inside `read`. */
export async function activeRoleChoices(db: Database, { userId, tenantId }: Account, language: Language): Promise<ActingChoices> {
  const depts = await queryRows<{ id: string; name: string }>(
    db,
    sql`select d.id::text as id, d.dept_name as name from user_dept ud join dept d on d.id = ud.dept_id and d.is_deleted <> 1
        where ud.user_id = ${userId} order by ud.sort, ud.dept_id`,
  );
  const roles = await queryRows<{ id: string; name: string }>(
    db,
    sql`select r.id::text as id, ${roleNameIn(language)} as name from user_role ur join role r on r.id = ur.role_id and r.is_deleted <> 1
        where ur.user_id = ${userId} and (r.role_alias <> 'administrator' or ${tenantId} = ${platformTenant}) order by r.sort, r.id`,
  );
  return { depts, roles };
}
