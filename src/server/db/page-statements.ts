import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Entity } from '#shared/contract';
import type { Database } from './database.ts';
import type { Filters } from './filters.ts';
import { Memory } from './memory.ts';
import { orderBy, type Sort } from './order.ts';
import { type Kept, keptCount, matchTotal } from './row-count.ts';

/** From here on a page is fetched in two steps: ids from the index alone, then the few rows. */
export const deepFrom = 2000;

const statementsKept = 200;

/** A table whose columns are known by name only. */
export type NamedTable = PgTable & { readonly id: PgColumn; readonly [column: string]: unknown };

/** One request for a page, understood. */
export interface PageRequest {
  readonly filters: Filters;
  readonly narrowed: SQL | undefined;
  readonly sorts: readonly Sort[];
  readonly offset: number;
  readonly size: number;
  /** No filter at all: the counters know the total. */
  readonly counted: boolean;
  /** Count every match, however many. */
  readonly all: boolean;
}

interface FoundRow {
  readonly row: Record<string, unknown>;
  /** What the counters said in the same statement. */
  readonly kept: Kept;
}

interface Prepared<Row> {
  execute(values: Record<string, unknown>): Promise<Row[]>;
}

/** The statements of one entity's pages, each built once and run many times. */
export class PageStatements {
  private readonly prepared = new Memory<Prepared<FoundRow>>(statementsKept);

  constructor(
    private readonly db: Database,
    private readonly entity: Entity,
    private readonly table: NamedTable,
  ) {}

  /** The rows of a page, counted from the front. */
  rows(request: PageRequest): Promise<FoundRow[]> {
    const name = statementName(request);
    const statement = (name === undefined ? undefined : this.prepared.get(name)) ?? this.prepare(request);
    if (name !== undefined) this.prepared.set(name, statement);
    return statement.execute({ ...request.filters.values, offset: request.offset });
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

  private prepare(request: PageRequest): Prepared<FoundRow> {
    const { sorts, offset, size } = request;
    const columns = { row: getTableColumns(this.table), kept: keptCount(this.entity, this.table) };
    const order = orderBy(sorts);
    const where = this.where(request);
    // Written into the text: PostgreSQL keeps one plan for a statement whose limit it knows.
    const limit = sql.raw(String(size)) as unknown as number;
    if (offset < deepFrom) {
      const rows = this.db.sql
        .select(columns)
        .from(this.table)
        .where(where)
        .orderBy(...order)
        .limit(limit)
        .$dynamic();
      return (offset === 0 ? rows : rows.offset(sql.placeholder('offset'))).prepare('rows');
    }
    const ids = this.db.sql
      .select({ id: this.table.id })
      .from(this.table)
      .where(where)
      .orderBy(...order);
    const picked = ids.limit(limit).offset(sql.placeholder('offset')).as('picked');
    return this.db.sql
      .select(columns)
      .from(this.table)
      .innerJoin(picked, eq(this.table.id, picked.id))
      .orderBy(...order)
      .prepare('rows');
  }

  private where({ filters, narrowed }: PageRequest): SQL {
    return and(sql`${this.table.isDeleted} = 0`, ...filters.conditions, narrowed) as SQL;
  }
}

/** Requests of one name differ in nothing but values; what the server adds may differ in anything. */
function statementName({ filters, narrowed, sorts, offset, size }: PageRequest): string | undefined {
  if (narrowed !== undefined) return undefined;
  const depth = offset === 0 ? 0 : offset < deepFrom ? 1 : 2;
  return JSON.stringify([Object.keys(filters.values), sorts.map(({ field, descending }) => [field, descending]), size, depth]);
}
