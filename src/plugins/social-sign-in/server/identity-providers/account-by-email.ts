import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#server';

/** Finds the only enabled account with a verified e-mail address, unless it already has an identity of the source. */
export async function accountByEmail(db: Database, tenantId: string, email: string, source: string): Promise<string | undefined> {
  if (email === '') return undefined;
  const accounts = await db.read({ tenantId }, () =>
    queryRows<{ id: string; isLinked: boolean }>(
      db,
      sql`select u.id::text as id, exists (select 1 from user_oauth o where o.user_id = u.id and o.source = ${source} and o.is_deleted = 0) as "isLinked"
          from user_account u where lower(u.email) = lower(${email}) and u.is_deleted = 0 and u.status = 1 limit 2`,
    ),
  );
  const [account] = accounts;
  return accounts.length === 1 && account && !account.isLinked ? account.id : undefined;
}
