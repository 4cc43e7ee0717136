import { sql } from 'drizzle-orm';
import type { SessionEnding } from '#shared/sessions';
import type { Database } from '../../../data/database/database.ts';
import { idArray, queryRows } from '../../../data/database/rows.ts';
import { endSessions } from './sessions.ts';

/** End of sessions that a provider demands: all of a user, or those of sign-ins there. */
export interface ProviderEnding {
  readonly tenantId: string;
  readonly of: { readonly userId: string } | { readonly signInIds: readonly string[] };
  readonly reason: SessionEnding;
  /** Method in the login log: the grant type of the sign-in. */
  readonly method: string;
}

/** Ends the sessions and writes an entry of the login log for each, in one transaction. */
export function endProviderSessions(db: Database, { tenantId, of, reason, method }: ProviderEnding): Promise<number> {
  const which = 'userId' in of ? sql`s.user_id = ${of.userId}::bigint` : sql`s.sign_in_id = any(${idArray(of.signInIds)})`;
  return db.write({ tenantId }, async () => {
    const ending = await queryRows<{ id: string }>(
      db,
      sql`select s.id::text as id from session s where ${which} and s.revoked_at is null and s.expires_at > now() order by s.id for update`,
    );
    if (ending.length === 0) return 0;
    const ids = ending.map(({ id }) => id);
    await queryRows(
      db,
      sql`insert into login_log (tenant_id, account, outcome, way, address, device, user_agent, client_id, user_id, create_user, create_time)
          select s.tenant_id, u.account, 'ended-by-provider', ${method}, s.address, s.device, nullif(s.user_agent, ''), s.client_id, u.id, u.id, date_trunc('second', now())
          from session s join user_account u on u.id = s.user_id where s.id::text in ${ids}`,
    );
    return endSessions(db, sql`id::text in ${ids}`, reason);
  });
}
