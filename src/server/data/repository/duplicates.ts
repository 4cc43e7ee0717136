import { and, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Entity } from '#shared/contract';
import { nameField } from '#shared/entity';
import type { ApiError } from '#shared/errors';
import { rowStates } from '#shared/row-states';
import { currentActor } from '../context/actor.ts';
import type { Database } from '../database/database.ts';
import { typeOfField } from '../schema/field-type.ts';
import type { NamedTable } from '../schema/table.ts';
import { isHidden, scopeOf } from './row-scope.ts';
import type { RowValues } from './row-values.ts';
import { alreadyExists, type DuplicateHolder, type Unique } from './write-problems.ts';

/** Rows that must not have the same values. */
export interface ComparedRows {
  readonly db: Database;
  readonly entity: Entity;
  readonly table: NamedTable;
  /** Condition for the rows to compare with. */
  readonly undeleted: SQL | undefined;
}

const isMissing = (value: unknown) => value === null || value === undefined;

/** Rejects a row whose unique values another row has, and names that row if the actor may see it. */
export async function assertUnique(table: ComparedRows, uniques: readonly Unique[], row: RowValues, id: unknown): Promise<void> {
  for (const unique of uniques) {
    const { fields } = unique;
    if (fields.some((field) => isMissing(row[field]))) continue;
    const columns = getTableColumns(table.table);
    const others = id === undefined ? undefined : ne(table.table.id, id);
    // Rows outside the actor's data scope count too: their values are taken all the same.
    const isDuplicate = and(table.undeleted, ...fields.map((field) => eq(columns[field] as PgColumn, row[field])), others);
    const [duplicate] = await table.db.sql.select(holderColumns(table)).from(table.table).where(isDuplicate).limit(1);
    if (duplicate) throw alreadyExists(table.entity, unique, { row, holder: holderOf(duplicate) });
  }
}

/** Selects the id and the name of a row; both are null for a row that the actor may not see, and for work without an actor, such as a registration. */
function holderColumns({ entity, table }: ComparedRows) {
  const isVisible = currentActor() ? (scopeOf(entity) ?? sql`true`) : sql`false`;
  const named = nameField(entity);
  const name = named !== undefined && !isHidden(entity, named) ? sql`${table[named]}::text` : sql`null`;
  return {
    holderId: sql<string | null>`case when ${isVisible} then ${table.id}::text end`,
    holderName: sql<string | null>`case when ${isVisible} then ${name} end`,
    holderState: sql<number>`${table.isDeleted}`,
  };
}

interface HolderColumns {
  readonly holderId: string | null;
  readonly holderName: string | null;
  readonly holderState: number;
}

function holderOf({ holderId, holderName, holderState }: HolderColumns): DuplicateHolder | undefined {
  if (holderId === null) return undefined;
  return { id: holderId, ...(holderName ? { name: holderName } : {}), ...(holderState === rowStates.archived ? { isArchived: true } : {}) };
}

/** Finds duplicates among rows to be added, both in the table and among themselves; one statement per rule. */
export async function findDuplicates(table: ComparedRows, uniques: readonly Unique[], rows: readonly RowValues[]): Promise<Map<RowValues, ApiError>> {
  const duplicates = new Map<RowValues, ApiError>();
  for (const unique of uniques) {
    const completeRows = rows.filter((row) => !unique.fields.some((field) => isMissing(row[field])));
    const holders = completeRows.length > 0 ? await storedHolders(table, unique, completeRows) : new Map<string, DuplicateHolder | undefined>();
    for (const row of completeRows) {
      const key = keyOf(unique, row);
      if (holders.has(key) && !duplicates.has(row)) duplicates.set(row, alreadyExists(table.entity, unique, { row, holder: holders.get(key) }));
      // A later row with the same values duplicates this one, which has no id yet.
      if (!holders.has(key)) holders.set(key, undefined);
    }
  }
  return duplicates;
}

async function storedHolders(compared: ComparedRows, unique: Unique, rows: readonly RowValues[]): Promise<Map<string, DuplicateHolder | undefined>> {
  const { db, entity, table, undeleted } = compared;
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
    .select({ ...columns, ...holderColumns(compared) })
    .from(table)
    .where(and(undeleted, sql`(${names}) in (${sql.join(tuples, sql`, `)})`));
  return new Map(found.map((row) => [keyOf(unique, row), holderOf(row as HolderColumns)]));
}

const keyOf = ({ fields }: Unique, row: RowValues) => JSON.stringify(fields.map((field) => String(row[field])));
