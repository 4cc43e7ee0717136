import { getTableName, type SQL, sql, type Table } from 'drizzle-orm';
import type { Entity } from '#shared/contract';

/** Filtered rows are counted up to here; beyond, the total is a lower bound. */
export const countedRows = 10_001;

/** What the counters know of a table as the current work sees it. */
export interface Kept {
  /** Undeleted rows. */
  readonly rows: number;
  /** Grows with every committed change of any row: while it stands still, everything counted or found before still holds. */
  readonly changes: number;
}

/** The counters, exact in the snapshot of the statement this is part of. */
export function keptCount(entity: Entity, table: Table): SQL<Kept> {
  const named = sql.raw(`'${getTableName(table).replaceAll("'", "''")}', ${entity.owner === 'platform'}`);
  return sql`(select kept_count(${named}))`.mapWith({ mapFromDriverValue: ([rows, changes]: string[]) => ({ rows: Number(rows), changes: Number(changes) }) });
}

/** Counts matches one by one: all of them, or no further than `countedRows`. */
export function matchTotal(table: Table, where: SQL, all: boolean): SQL<number> {
  const limit = all ? sql`` : sql` limit ${sql.raw(String(countedRows))}`;
  return sql`(select count(*) from (select from ${table} where ${where}${limit}) matching)`.mapWith(Number);
}
