import { getTableName, type SQL, sql, type Table } from 'drizzle-orm';
import { countedRows, type Entity } from '#shared/contract';

/** Matches of a filter are counted with the page in tables of no more rows than this; counting in larger ones can cost many times the page. */
export const countedWithPage = 20_000;

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
  return sql`(select kept_count(${named})::text)`.mapWith({ mapFromDriverValue: readKept });
}

/** Reads what `keptCount` selects: `{rows,changes}`. */
export function readKept(text: string): Kept {
  const comma = text.indexOf(',');
  return { rows: Number(text.slice(1, comma)), changes: Number(text.slice(comma + 1, -1)) };
}

/** Counts matches one by one: all of them, or no further than `countedRows`. */
export function matchTotal(table: Table, where: SQL, all: boolean): SQL<number> {
  const limit = all ? sql`` : sql` limit ${sql.raw(String(countedRows))}`;
  return sql`(select count(*) from (select from ${table} where ${where}${limit}) matching)`.mapWith(Number);
}
