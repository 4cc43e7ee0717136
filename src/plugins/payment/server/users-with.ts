import { sql } from 'drizzle-orm';
import { platformTenant, queryRows, type ServerContext } from '#server';

/** Returns the ids of the enabled users of a tenant whose roles hold a code, and of its platform administrators. */
export async function usersWith(db: ServerContext['db'], tenantId: string, code: string): Promise<string[]> {
  const users = await queryRows<{ id: string }>(
    db,
    sql`select u.id::text as id from user_account u where u.is_deleted = 0 and u.status = 1 and u.tenant_id = ${tenantId}
          and exists (select from user_role ur join role r on r.id = ur.role_id and r.is_deleted = 0
            where ur.user_id = u.id and ((r.role_alias = 'administrator' and ${tenantId === platformTenant}) or exists (
              select from role_menu rm join menu m on m.id = rm.menu_id and m.is_deleted = 0 where rm.role_id = r.id and m.code = ${code})))`,
  );
  return users.map(({ id }) => id);
}
