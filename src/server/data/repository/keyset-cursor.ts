import { and, getTableColumns, or, type SQL, sql } from 'drizzle-orm';
import type { Entity, ListInput } from '#shared/contract';
import type { Database } from '../database/database.ts';
import { hasId } from '../database/rows.ts';
import { typeOfField } from '../schema/field-type.ts';
import type { NamedTable } from '../schema/table.ts';
import { exhaustiveFilters, type FilterConditions, filtersOf } from './filters.ts';
import { orderBy, orderOf, type SortColumn } from './order.ts';

/** Options for reading a list in steps. */
export interface WalkOptions {
  readonly where?: SQL | undefined;
  /** Restricts the list to these rows. */
  readonly ids?: readonly string[] | undefined;
  /** Rows per step; 1,000 by default. */
  readonly size?: number | undefined;
}

/** Reads a list of any length in steps, each after the last row of the previous one; a step without rows is the last. */
export function keysetCursor(
  db: Database,
  entity: Entity,
  table: NamedTable,
  input: ListInput,
  { where, ids, size = 1000 }: WalkOptions,
): () => Promise<unknown[]> {
  const literalFilters = filtersOf(entity, input);
  const sorts = orderOf(entity, input);
  const selected = ids ? hasId(table, ids) : undefined;
  const keys = Object.fromEntries(sorts.map(({ column }, index) => [`key${index}`, sql<string | null>`${column}::text`]));
  let last: Record<string, string | null> | undefined;
  let hasEnded = false;
  let filters: FilterConditions | undefined;
  return async () => {
    if (hasEnded) return [];
    filters ??= await exhaustiveFilters(db, entity, input, literalFilters);
    const { conditions, values } = filters;
    const found = await db.sql
      .select({ row: getTableColumns(table), keys })
      .from(table)
      .where(and(sql`${table.isDeleted} = 0`, ...conditions, where, selected, last && afterRow(entity, sorts, last)))
      .orderBy(...orderBy(sorts))
      .limit(size)
      .prepare('walk')
      .execute(values);
    last = found.at(-1)?.keys as typeof last;
    hasEnded = found.length < size;
    return found.map(({ row }) => row);
  };
}

/**
 * Builds the condition for the rows that follow a given row in this order. If no column is nullable and all have one direction, it is a comparison of row values, for which an
 * index can be used; otherwise it compares column by column.
 */
function afterRow(entity: Entity, sorts: readonly SortColumn[], last: Record<string, string | null>): SQL | undefined {
  const values = sorts.map((sort, index) => keyOf(entity, sort, last[`key${index}`] ?? null));
  const [first] = sorts;
  if (first && sorts.every(({ nullable, descending }) => !nullable && descending === first.descending)) {
    const columns = sql.join(
      sorts.map(({ column }) => sql`${column}`),
      sql`, `,
    );
    const keys = sql.join(
      values.map((value) => sql`${value}`),
      sql`, `,
    );
    return sql`(${columns}) ${sql.raw(first.descending ? '<' : '>')} (${keys})`;
  }
  const steps = sorts.map((sort, index) =>
    and(...sorts.slice(0, index).map((previous, position) => equal(previous, values[position])), after(sort, values[index])),
  );
  return or(...steps);
}

function keyOf(entity: Entity, { field }: SortColumn, text: string | null): SQL | undefined {
  if (text === null) return undefined;
  const schema = entity.fields[field];
  const { kind, sqlType } = schema ? typeOfField(schema) : { kind: 'text', sqlType: 'text' };
  return sql`${text}::${sql.raw(kind === 'text' ? 'text' : sqlType)}`;
}

const equal = ({ column }: SortColumn, value: SQL | undefined) => (value ? sql`${column} = ${value}` : sql`${column} is null`);

/** Compares one column; null sorts last in ascending order and first in descending order. */
function after({ column, descending, nullable }: SortColumn, value: SQL | undefined): SQL {
  if (descending) return value ? sql`${column} < ${value}` : sql`${column} is not null`;
  if (!value) return sql`false`;
  return nullable ? sql`(${column} > ${value} or ${column} is null)` : sql`${column} > ${value}`;
}
