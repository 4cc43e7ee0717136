import type { SQL } from 'drizzle-orm';
import type { Database } from './db/database.ts';

/** The rows of a hand-written statement; ids, times and dates are PostgreSQL's own text. */
export async function rowsOf<Row extends object>(db: Database, statement: SQL): Promise<Row[]> {
  return (await db.sql.execute(statement)) as unknown as Row[];
}
