import { sql } from 'drizzle-orm';
import { type Database, findTyped, queryRows, visibleRows } from '#server';

interface UserRow {
  readonly id: string;
  readonly account: string;
  readonly realName: string;
  readonly deptName: string;
}

const maxUsers = 50;

const userColumns = sql`u.id::text as id, u.account, u.real_name as "realName",
  coalesce((select string_agg(d.dept_name, ', ' order by ud.sort) from user_dept ud join dept d on d.id = ud.dept_id and d.is_deleted <> 1
            where ud.user_id = u.id), '') as "deptName"`;

/** Condition for accounts the caller may see. */
const visibleAccounts = (db: Database) => sql`u.is_deleted = 0 and ${visibleRows(db, 'user_account', 'u')}`;

/** Finds users whose account or name contains the text, its pinyin or its initials, without those who have the given role. */
export function findUsersByName(db: Database, text: string, without?: { readonly roleId: string | undefined }): Promise<UserRow[]> {
  const isOther = without?.roleId ? sql`and not exists (select from user_role ur where ur.user_id = u.id and ur.role_id = ${without.roleId}::bigint)` : sql``;
  return findTyped(db, { entity: 'user_account', as: 'u', fields: ['account', 'realName'], text, limit: maxUsers }, (isFound) =>
    queryRows<UserRow>(
      db,
      sql`select ${userColumns} from user_account u where ${visibleAccounts(db)} and ${isFound} ${isOther} order by lower(u.account), u.id limit ${maxUsers}`,
    ),
  );
}

/** Returns one page of the users with a role, by account. */
export async function usersWithRole(db: Database, { roleId, current, size }: { readonly roleId: string; readonly current: number; readonly size: number }) {
  const found = await queryRows<UserRow & { total: number }>(
    db,
    sql`select ${userColumns}, count(*) over ()::int as total from user_role ur join role r on r.id = ur.role_id and r.is_deleted <> 1
          join user_account u on u.id = ur.user_id
        where ur.role_id = ${roleId}::bigint and ${visibleRows(db, 'role', 'r')} and ${visibleAccounts(db)} order by lower(u.account), u.id limit ${size} offset ${(current - 1) * size}`,
  );
  return { users: found.map(({ total: _, ...user }) => user), total: found[0]?.total ?? 0 };
}
