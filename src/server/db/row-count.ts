import { getTableName, type SQL, sql, type Table } from 'drizzle-orm';
import type { Entity } from '#shared/contract';
import type { Database } from './database.ts';

/** Filtered rows are counted up to here; beyond, the total is a lower bound. */
export const countedRows = 10_001;

/** How many undeleted rows the current work sees in the entity's table, from the counters: exact in the statement's own snapshot. */
export function rowTotal(db: Database, entity: Entity, table: Table): SQL<number> {
  const whose = counterOf(db, entity, table);
  return sql`(coalesce((select sum(rows) from row_count where ${whose}), 0) + coalesce((select sum(delta) from row_count_delta where ${whose}), 0))`.mapWith(
    Number,
  );
}

/** Grows with every committed change of which rows there are or how they are ordered; the same number means the same positions. */
export function rowChanges(db: Database, entity: Entity, table: Table): SQL<number> {
  const whose = counterOf(db, entity, table);
  return sql`(coalesce((select sum(changes) from row_count where ${whose}), 0) + (select count(*) from row_count_delta where ${whose}))`.mapWith(Number);
}

function counterOf(db: Database, entity: Entity, table: Table): SQL {
  const named = sql`table_name = ${getTableName(table)}`;
  if (entity.owner === 'platform') return sql`${named} and tenant_id = ''`;
  return db.scope ? sql`${named} and tenant_id = ${db.scope.tenantId}` : named;
}

/** Counts matches one by one: all of them, or no further than `countedRows`. */
export function matchTotal(table: Table, where: SQL, all: boolean): SQL<number> {
  const limit = all ? sql`` : sql` limit ${sql.raw(String(countedRows))}`;
  return sql`(select count(*) from (select from ${table} where ${where}${limit}) matching)`.mapWith(Number);
}
