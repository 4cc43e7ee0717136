import { and, eq, fillPlaceholders, getTableColumns, type Placeholder, type Query, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { LRUCache } from 'lru-cache';
import type { Entity } from '#shared/contract';
import type { Database } from './database.ts';
import type { Filters } from './filters.ts';
import { orderBy, type Sort } from './order.ts';
import { type Kept, keptCount, matchTotal, readKept } from './row-count.ts';

/** From here on a page is fetched in two steps: ids from the index alone, then the few rows. */
const inStepsFrom = 500;

const statementsKept = 200;

/** A table whose columns are known by name only. */
export type NamedTable = PgTable & { readonly id: PgColumn; readonly [column: string]: unknown };

/** One request for a page, understood. */
export interface PageRequest {
  readonly filters: Filters;
  readonly narrowed: SQL | undefined;
  readonly sorts: readonly Sort[];
  readonly current: number;
  readonly offset: number;
  readonly size: number;
  /** No filter at all: the counters know the total. */
  readonly counted: boolean;
  /** Count every match, however many. */
  readonly all: boolean;
}

interface Found {
  readonly rows: Record<string, unknown>[];
  /** What the counters said in the same statement; without any row, nothing. */
  readonly kept: Kept | undefined;
}

/** The statements of one entity's pages, each built once and run many times. */
export class PageStatements {
  private readonly prepared = new LRUCache<string, Query>({ max: statementsKept });
  private readonly columns: readonly (readonly [name: string, column: PgColumn])[];

  constructor(
    private readonly db: Database,
    private readonly entity: Entity,
    private readonly table: NamedTable,
    private readonly isUncounted: boolean,
  ) {
    this.columns = Object.entries(getTableColumns(table));
  }

  /** The rows of a page, counted from the front; of a filter's matches one more, which says whether the list goes on. */
  async rows(request: PageRequest): Promise<Found> {
    const name = statementName(request);
    const statement = (name === undefined ? undefined : this.prepared.get(name)) ?? this.prepare(request);
    if (name !== undefined) this.prepared.set(name, statement);
    const parameters = fillPlaceholders(statement.params, { ...request.filters.values, offset: request.offset });
    const found = await this.db.rows(statement.sql, parameters);
    return { rows: found.map((values) => this.rowOf(values)), kept: found[0] && !this.isUncounted ? readKept(found[0].at(-1) as string) : undefined };
  }

  private rowOf(values: readonly unknown[]): Record<string, unknown> {
    const row: Record<string, unknown> = {};
    for (const [place, [name, column]] of this.columns.entries()) {
      const value = values[place];
      row[name] = value === null ? null : column.mapFromDriverValue(value);
    }
    return row;
  }

  /** How many rows match, and the state of the table in which that is true. */
  async count(request: PageRequest): Promise<{ total: number; changes: number }> {
    const kept = keptCount(this.entity, this.table);
    const matching = request.counted ? {} : { matching: matchTotal(this.table, this.where(request), request.all) };
    const statement = this.db.sql
      .select({ kept, ...matching })
      .from(sql`(select) nothing`)
      .prepare('count');
    const [state] = await statement.execute(request.filters.values);
    if (!state) throw new Error('A count without a row.');
    return { total: state.matching ?? state.kept.rows, changes: state.kept.changes };
  }

  private prepare(request: PageRequest): Query {
    const { sorts, offset, size, counted } = request;
    const columns = { row: getTableColumns(this.table), kept: this.isUncounted ? sql`null` : keptCount(this.entity, this.table) };
    const order = orderBy(sorts);
    const where = this.where(request);
    // Written into the text: PostgreSQL keeps one plan for a statement whose limit it knows.
    const limit = sql.raw(String(counted ? size : size + 1)) as unknown as number;
    if (offset < inStepsFrom) {
      const rows = this.db.sql
        .select(columns)
        .from(this.table)
        .where(where)
        .orderBy(...order)
        .limit(limit)
        .$dynamic();
      return (offset === 0 ? rows : rows.offset(sql.placeholder('offset'))).toSQL();
    }
    const ids = this.db.sql
      .select({ id: this.table.id })
      .from(this.table)
      .where(where)
      .orderBy(...order);
    // Of an offset it does not know PostgreSQL thinks too ill to keep the plan; one that is asked for is unknown to every plan alike. Reading the index alone stays
    // cheapest however far it seems to go, which is not so where rows are read with it.
    const skipped = (counted ? sql`(select ${sql.placeholder('offset')}::bigint)` : sql.placeholder('offset')) as Placeholder;
    const picked = ids.limit(limit).offset(skipped).as('picked');
    return this.db.sql
      .select(columns)
      .from(this.table)
      .innerJoin(picked, eq(this.table.id, picked.id))
      .orderBy(...order)
      .toSQL();
  }

  private where({ filters, narrowed }: PageRequest): SQL {
    return and(sql`${this.table.isDeleted} = 0`, ...filters.conditions, narrowed) as SQL;
  }
}

/** Requests of one name differ in nothing but values; what the server adds may differ in anything. */
function statementName({ filters, narrowed, sorts, offset, size }: PageRequest): string | undefined {
  if (narrowed !== undefined) return undefined;
  const depth = offset === 0 ? 0 : offset < inStepsFrom ? 1 : 2;
  return JSON.stringify([Object.keys(filters.values), sorts.map(({ field, descending }) => [field, descending]), size, depth]);
}
