import type { SQL } from 'drizzle-orm';
import type { Database } from './database.ts';

/** Runs a hand-written statement and returns its rows; ids, times and dates come as PostgreSQL's text. */
export async function rowsOf<Row extends object>(db: Database, statement: SQL): Promise<Row[]> {
  return (await db.sql.execute(statement)) as unknown as Row[];
}
