import { sql } from 'drizzle-orm';
import { rowsOf, type ServerContext } from '#server';

/** No transaction of the engine waits so long for anything but the database. */
const patience = '10s';

/** First in a transaction: whoever stands still with it in hand loses it, and what it has locked, to the others. */
export async function endAtStandstill(db: ServerContext['db']): Promise<void> {
  await rowsOf(db, sql`select set_config('idle_in_transaction_session_timeout', ${patience}, true)`);
}
