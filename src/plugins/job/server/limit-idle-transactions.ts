import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';

/** Time-out for a transaction of the engine that is idle. */
const idleTimeout = '10s';

/** Sets the time-out at the start of a transaction, so that a stalled replica loses its locks to the others. */
export async function limitIdleTransactions(db: ServerContext['db']): Promise<void> {
  await queryRows(db, sql`select set_config('idle_in_transaction_session_timeout', ${idleTimeout}, true)`);
}
