import { sql } from 'drizzle-orm';
import { type Database, grantableRoles as grantable, type Principal, queryRows, visibleRows } from '#server';

/** Role or department with its name. */
export interface Option {
  readonly id: string;
  readonly name: string;
}

/** Lists the roles the caller can grant. */
export async function roleOptions(db: Database, { roleIds }: Principal): Promise<Option[]> {
  const roles = await grantable(db, roleIds);
  return roles.filter(({ isGrantable }) => isGrantable).map(({ id, name }) => ({ id, name }));
}

/** Lists the departments of the tenant. */
export function departmentOptions(db: Database): Promise<Option[]> {
  return queryRows<Option>(db, sql`select id::text as id, full_name as name from dept where is_deleted = 0 and ${visibleRows(db, 'dept')} order by sort, id`);
}
