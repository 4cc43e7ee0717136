import { type SQL, sql } from 'drizzle-orm';
import type { Database } from './database.ts';

/** Runs a hand-written statement and returns its rows; ids, times and dates come as PostgreSQL's text. */
export async function queryRows<Row extends object>(db: Database, statement: SQL): Promise<Row[]> {
  return (await db.sql.execute(statement)) as unknown as Row[];
}

/** Returns named numbers as SQL literals. As literals and not parameters they match the conditions of partial indexes. */
export function literals<Name extends string>(constants: Readonly<Record<Name, number>>): Readonly<Record<Name, SQL>> {
  return Object.fromEntries(Object.entries<number>(constants).map(([name, value]) => [name, sql.raw(String(value))])) as Record<Name, SQL>;
}
