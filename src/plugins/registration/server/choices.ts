import { sql } from 'drizzle-orm';
import { type Database, grantableRoles as grantable, type Principal, queryRows, visibleRows } from '#server';

/** Role or department with its name. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** Lists the roles the caller can grant. */
export async function grantableRoles(db: Database, { roleIds }: Principal): Promise<Choice[]> {
  const roles = await grantable(db, roleIds);
  return roles.filter(({ isGrantable }) => isGrantable).map(({ id, name }) => ({ id, name }));
}

/** Lists the departments of the tenant. */
export function depts(db: Database): Promise<Choice[]> {
  return queryRows<Choice>(db, sql`select id::text as id, full_name as name from dept where is_deleted = 0 and ${visibleRows(db, 'dept')} order by sort, id`);
}
