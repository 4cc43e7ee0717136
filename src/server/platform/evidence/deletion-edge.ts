import { sql } from 'drizzle-orm';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';

/** Returns the beginning of the month or of the day that was so many days ago, in milliseconds since 1970: rows before it are deleted, so that a deletion is recorded once in that time. */
export async function deletionEdge(db: Database, unit: 'month' | 'day', days: number): Promise<number> {
  const [row] = await db.asPlatform('reads the clock of the database', () =>
    queryRows<{ edge: number }>(db, sql`select (extract(epoch from date_trunc(${unit}::text, now() - make_interval(days => ${days}))) * 1000)::float8 as edge`),
  );
  return row?.edge ?? 0;
}
