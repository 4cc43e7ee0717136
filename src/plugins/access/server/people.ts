import { sql } from 'drizzle-orm';
import { type Database, queryRows, visibleRows } from '#server';

interface PersonRow {
  readonly id: string;
  readonly account: string;
  readonly realName: string;
  readonly deptName: string;
}

const facts = sql`u.id::text as id, u.account, u.real_name as "realName",
  coalesce((select string_agg(d.dept_name, ', ' order by ud.sort) from user_dept ud join dept d on d.id = ud.dept_id and d.is_deleted = 0
            where ud.user_id = u.id), '') as "deptName"`;

/** Condition for accounts the caller may see. */
const visibleAccounts = (db: Database) => sql`u.is_deleted = 0 and ${visibleRows(db, 'user_account', 'u')}`;

/** Finds users whose account or name contains the text, without those who have the given role. */
export function findUsersByName(db: Database, text: string, without?: { readonly roleId: string | undefined }): Promise<PersonRow[]> {
  const pattern = `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
  const others = without?.roleId ? sql`and not exists (select from user_role ur where ur.user_id = u.id and ur.role_id = ${without.roleId}::bigint)` : sql``;
  return queryRows<PersonRow>(
    db,
    sql`select ${facts} from user_account u where ${visibleAccounts(db)} and (u.account ilike ${pattern} or u.real_name ilike ${pattern}) ${others}
        order by lower(u.account), u.id limit 50`,
  );
}

/** Returns one page of the users with a role, by account. */
export async function peopleWith(db: Database, { roleId, current, size }: { readonly roleId: string; readonly current: number; readonly size: number }) {
  const found = await queryRows<PersonRow & { total: number }>(
    db,
    sql`select ${facts}, count(*) over ()::int as total from user_role ur join role r on r.id = ur.role_id and r.is_deleted = 0
          join user_account u on u.id = ur.user_id
        where ur.role_id = ${roleId}::bigint and ${visibleRows(db, 'role', 'r')} and ${visibleAccounts(db)} order by lower(u.account), u.id limit ${size} offset ${(current - 1) * size}`,
  );
  return { people: found.map(({ total: _total, ...person }) => person), total: found[0]?.total ?? 0 };
}
