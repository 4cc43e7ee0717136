import { sql } from 'drizzle-orm';
import {
  ApiError,
  assertManageable,
  type CallRequest,
  type Database,
  type DeclaredReference,
  findTyped,
  type GrantableRole,
  grantableRoles,
  idArray,
  invalidatePrincipals,
  type Principal,
  problems,
  queryRows,
  recordChange,
  type ServerContext,
  visibleRows,
} from '#server';
import { localize } from '#shared/text';
import { Role, type role, roleProblems } from '../contract.ts';
import { lockRole } from './grants.ts';

type Members = (typeof role)['members'];

/** Lists the members of a role by account, limited to users that the caller may see. */
export async function membersOf(db: Database, { roleId, current = 1, size = 10 }: CallRequest<Members>['input']) {
  const { users, total } = await usersWithRole(db, { roleId, current, size });
  return { records: users, total, totalExact: true, size, current, pages: Math.ceil(total / size) };
}

/** Counts the members of roles as references to them. It counts none in a deployment whose accounts have a field of roles, because the field is counted there. */
export const roleMembers = ({ db }: Pick<ServerContext, 'db'>): DeclaredReference => ({
  entity: Role.name,
  title: ['成员', 'Members'],
  async count(ids) {
    if (db.references.fieldsTo(Role.name).length > 0) return 0;
    const [found] = await queryRows<{ count: number }>(
      db,
      sql`select count(*)::integer as count from user_role ur join user_account u on u.id = ur.user_id and u.is_deleted <> 1
          where ur.role_id = any(${idArray(ids)})`,
    );
    return found?.count ?? 0;
  },
});

/** Adds users to a role, all or none; existing members are ignored. */
export async function addMembers(db: Database, { input: { roleId, ids }, principal, language }: CallRequest<typeof role.addMembers>): Promise<void> {
  const uniqueUserIds = [...new Set(ids)];
  const changedRole = await assertCanChange(db, principal, roleId, uniqueUserIds);
  if (changedRole.isArchived) throw new ApiError(problems.archived, { name: localize(changedRole.title, language) });
  await assertManageable(db, uniqueUserIds);
  await changeRoles(db, uniqueUserIds, async () => {
    await queryRows(db, sql`insert into user_role (user_id, role_id) select unnest(${idArray(uniqueUserIds)}), ${roleId}::bigint on conflict do nothing`);
  });
  for (const userId of uniqueUserIds) await invalidatePrincipals(db, { userId });
}

/** Removes users from a role, all or none. */
export async function removeMembers(db: Database, { input: { roleId, ids }, principal }: CallRequest<typeof role.removeMembers>): Promise<void> {
  const uniqueUserIds = [...new Set(ids)];
  await assertCanChange(db, principal, roleId, uniqueUserIds);
  await assertManageable(db, uniqueUserIds);
  await changeRoles(db, uniqueUserIds, async () => {
    const removed = await queryRows(db, sql`delete from user_role where role_id = ${roleId}::bigint and user_id in ${uniqueUserIds} returning user_id`);
    if (removed.length !== uniqueUserIds.length) throw new ApiError(problems.notFound);
  });
  for (const userId of uniqueUserIds) await invalidatePrincipals(db, { userId });
}

/** Runs a change of the roles of users. It is recorded in the history of each user, and gives the users a new version, so that an open form does not overwrite the roles. */
async function changeRoles(db: Database, userIds: readonly string[], change: () => Promise<void>): Promise<void> {
  const read = async () => {
    const rows = await queryRows<{ id: string; roleId: string[] }>(
      db,
      sql`select user_id::text as id, jsonb_agg(role_id::text order by role_id) as "roleId" from user_role where user_id = any(${idArray(userIds)}) group by user_id`,
    );
    return new Map(rows.map(({ id, roleId }) => [id, roleId]));
  };
  const before = await read();
  await change();
  await queryRows(db, sql`update user_account set update_time = date_trunc('second', now()) where id = any(${idArray(userIds)})`);
  const after = await read();
  for (const id of userIds) recordChange({ entity: 'user_account', id, before: { roleId: before.get(id) }, after: { roleId: after.get(id) } });
}

/** Returns the role; throws if the caller cannot grant it, or is among the users. */
async function assertCanChange(db: Database, principal: Principal, roleId: string, userIds: readonly string[]): Promise<GrantableRole> {
  await lockRole(db, principal, roleId);
  if (userIds.includes(principal.userId)) throw new ApiError(roleProblems.ownRoles);
  const changedRole = (await grantableRoles(db, principal.roleIds)).find(({ id }) => id === roleId);
  if (!changedRole?.isGrantable) throw new ApiError(roleProblems.beyondOwn);
  return changedRole;
}

interface MemberRow {
  readonly id: string;
  readonly account: string;
  readonly realName: string;
  readonly deptName: string;
}

const maxUsers = 50;

const userColumns = sql`u.id::text as id, u.account, u.real_name as "realName",
  coalesce((select string_agg(d.dept_name, ', ' order by ud.sort) from user_dept ud join dept d on d.id = ud.dept_id and d.is_deleted <> 1
            where ud.user_id = u.id), '') as "deptName"`;

/** Builds the condition for accounts that the caller may see. */
const visibleAccounts = (db: Database) => sql`u.is_deleted = 0 and ${visibleRows(db, 'user_account', 'u')}`;

/** Finds users whose account or name contains the text, its pinyin or its initials, without those who have the given role. */
export function findUsersByName(db: Database, text: string, without?: { readonly roleId: string | undefined }): Promise<MemberRow[]> {
  const isOther = without?.roleId ? sql`and not exists (select from user_role ur where ur.user_id = u.id and ur.role_id = ${without.roleId}::bigint)` : sql``;
  return findTyped(db, { entity: 'user_account', as: 'u', fields: ['account', 'realName'], text, limit: maxUsers }, (isFound) =>
    queryRows<MemberRow>(
      db,
      sql`select ${userColumns} from user_account u where ${visibleAccounts(db)} and ${isFound} ${isOther} order by lower(u.account), u.id limit ${maxUsers}`,
    ),
  );
}

/** Returns one page of the users with a role, by account. */
async function usersWithRole(db: Database, { roleId, current, size }: { readonly roleId: string; readonly current: number; readonly size: number }) {
  const found = await queryRows<MemberRow & { total: number }>(
    db,
    sql`select ${userColumns}, count(*) over ()::int as total from user_role ur join role r on r.id = ur.role_id and r.is_deleted <> 1
          join user_account u on u.id = ur.user_id
        where ur.role_id = ${roleId}::bigint and ${visibleRows(db, 'role', 'r')} and ${visibleAccounts(db)} order by lower(u.account), u.id limit ${size} offset ${(current - 1) * size}`,
  );
  return { users: found.map(({ total: _, ...user }) => user), total: found[0]?.total ?? 0 };
}
