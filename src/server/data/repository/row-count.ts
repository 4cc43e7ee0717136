import { getTableName, type SQL, sql, type Table } from 'drizzle-orm';
import { type Entity, maxCountedRows } from '#shared/contract';

/** Maximum number of rows in a table for which matches are counted with each page; counting in larger tables can cost many times the page. */
export const countedWithPage = 20_000;

/** Row counter of a table as the current work sees it. */
export interface RowCounter {
  /** Number of undeleted rows. */
  readonly rows: number;
  /** Increases with every committed change of any row: while it is unchanged, earlier counts and results are still valid. */
  readonly changes: number;
}

/** Selects the row counter, exact in the snapshot of its statement. */
export function rowCounter(entity: Entity, table: Table): SQL<RowCounter> {
  const named = sql.raw(`'${getTableName(table).replaceAll("'", "''")}', ${entity.owner === 'platform'}`);
  return sql`(select kept_count(${named})::text)`.mapWith({ mapFromDriverValue: parseRowCounter });
}

/** Parses the result of `rowCounter`: `{rows,changes}`. */
export function parseRowCounter(text: string): RowCounter {
  const comma = text.indexOf(',');
  return { rows: Number(text.slice(1, comma)), changes: Number(text.slice(comma + 1, -1)) };
}

/** Counts matches one by one: all of them, or at most `maxCountedRows`. */
export function matchTotal(table: Table, where: SQL, all: boolean): SQL<number> {
  const limit = all ? sql`` : sql` limit ${sql.raw(String(maxCountedRows))}`;
  return sql`(select count(*) from (select from ${table} where ${where}${limit}) matching)`.mapWith(Number);
}
