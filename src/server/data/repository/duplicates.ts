import { and, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Entity } from '#shared/contract';
import type { ApiError } from '#shared/errors';
import type { Database } from '../database/database.ts';
import { typeOfField } from '../schema/field-type.ts';
import type { NamedTable } from './page-statements.ts';
import type { Row } from './row-values.ts';
import { alreadyExists, type Unique } from './write-problems.ts';

interface ComparedRows {
  readonly db: Database;
  readonly entity: Entity;
  readonly table: NamedTable;
  /** Condition for the rows to compare with. */
  readonly undeleted: SQL | undefined;
}

/** Finds duplicates among rows to be added, both in the table and among themselves; one statement per rule. */
export async function findDuplicates(table: ComparedRows, uniques: readonly Unique[], rows: readonly Row[]): Promise<Map<Row, ApiError>> {
  const duplicates = new Map<Row, ApiError>();
  for (const unique of uniques) {
    const completeRows = rows.filter((row) => unique.fields.every((field) => row[field] !== null && row[field] !== undefined));
    const storedKeys = completeRows.length > 0 ? await stored(table, unique, completeRows) : new Set<string>();
    for (const row of completeRows) {
      const key = keyOf(unique, row);
      if (storedKeys.has(key) && !duplicates.has(row)) duplicates.set(row, alreadyExists(table.entity, unique));
      storedKeys.add(key);
    }
  }
  return duplicates;
}

async function stored({ db, entity, table, undeleted }: ComparedRows, unique: Unique, rows: readonly Row[]): Promise<Set<string>> {
  const columns = Object.fromEntries(unique.fields.map((field) => [field, table[field] as PgColumn]));
  const types = unique.fields.map((field) => sql.raw(typeOfField(entity.fields[field] as Entity['fields'][string]).sqlType.replace(/^varchar.*/, 'text')));
  const tuples = rows.map(
    (row) =>
      sql`(${sql.join(
        unique.fields.map((field, index) => sql`${row[field]}::${types[index]}`),
        sql`, `,
      )})`,
  );
  const names = sql.join(Object.values(columns), sql`, `);
  const found = await db.sql
    .select(columns)
    .from(table)
    .where(and(undeleted, sql`(${names}) in (${sql.join(tuples, sql`, `)})`));
  return new Set(found.map((row) => keyOf(unique, row)));
}

const keyOf = ({ fields }: Unique, row: Row) => JSON.stringify(fields.map((field) => String(row[field])));
