import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from './database.ts';

/** Runs a hand-written statement and returns its rows; ids, times and dates come as PostgreSQL's text. */
export async function queryRows<Row extends object>(db: Database, statement: SQL): Promise<Row[]> {
  return (await db.sql.execute(statement)) as Row[];
}

/** Tests whether the database can store the text as an id. */
export const isId = (text: string) => /^\d{1,19}$/.test(text) && BigInt(text) <= 9_223_372_036_854_775_807n;

/** Passes ids as one array, so that the text of a statement does not depend on their number. */
export const idArray = (ids: Iterable<string>): SQL => sql`${`{${[...ids].join(',')}}`}::bigint[]`;

/** Builds an array of texts, each a parameter. */
export const textArray = (texts: readonly string[]): SQL =>
  sql`array[${sql.join(
    texts.map((text) => sql`${text}::text`),
    sql`, `,
  )}]::text[]`;

/** Condition for rows that have one of the ids. */
export const hasId = ({ id }: { readonly id: PgColumn }, ids: Iterable<string>): SQL => sql`${id} = any(${idArray(ids)})`;

/** Condition for rows that are neither deleted nor archived. It compares with a literal, so that partial indexes apply. */
export const isActive = ({ isDeleted }: { readonly isDeleted: PgColumn }): SQL => sql`${isDeleted} = 0`;

/** Condition for rows that are not deleted. Archived ones fulfil it, which lists do not show and everything else reads. */
export const isNotDeleted = ({ isDeleted }: { readonly isDeleted: PgColumn }): SQL => sql`${isDeleted} <> 1`;

/** Returns named numbers as SQL literals. As literals and not parameters they match the conditions of partial indexes. */
export function literals<Name extends string>(constants: Readonly<Record<Name, number>>): Readonly<Record<Name, SQL>> {
  return Object.fromEntries(Object.entries<number>(constants).map(([name, value]) => [name, sql.raw(String(value))])) as Record<Name, SQL>;
}
