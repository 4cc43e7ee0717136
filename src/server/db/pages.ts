import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Entity, ListInput, Page, RowOf } from '#shared/contract';
import type { Database } from './database.ts';
import { deepPage } from './deep-page.ts';
import { filtersOf } from './filters.ts';
import { Milestones } from './milestones.ts';
import { orderBy, orderOf, type Sort } from './order.ts';
import { countedRows, matchTotal, rowTotal } from './row-count.ts';
import { tableOf } from './table.ts';

const largestPage = 200;

/** From here on a page is fetched in two steps: ids from the index alone, then the few rows. */
export const deepFrom = 2000;

/** A table whose columns are known by name only. */
export type NamedTable = PgTable & { readonly id: PgColumn; readonly [column: string]: unknown };

/** One request for a page, understood. */
export interface PageRequest {
  readonly where: SQL;
  readonly sorts: readonly Sort[];
  readonly offset: number;
  readonly size: number;
  /** Gives the total in the statement that reads the rows. */
  readonly total: SQL<number>;
}

interface Found<Row> {
  readonly rows: Row[];
  readonly total: number;
}

/** Reads the pages of one entity. */
export class Pages<E extends Entity> {
  private readonly table: NamedTable;
  private readonly milestones = new Milestones();

  constructor(
    private readonly db: Database,
    private readonly entity: E,
  ) {
    this.table = tableOf(entity) as unknown as NamedTable;
  }

  /** `narrowed` is what the server itself adds to the filters of the request. */
  async page(input: ListInput, narrowed: SQL | undefined): Promise<Page<RowOf<E>>> {
    const filters = [...filtersOf(this.entity, input), ...(narrowed ? [narrowed] : [])];
    const current = within(input.current, 1, Number.MAX_SAFE_INTEGER / largestPage, 1);
    const size = within(input.size, 1, largestPage, 10);
    const where = and(sql`${this.table.isDeleted} = 0`, ...filters) as SQL;
    const counted = filters.length === 0;
    const all = String(input.exactTotal) === 'true';
    const total = counted ? rowTotal(this.db, this.entity, this.table) : matchTotal(this.table, where, all);
    const request = { where, total, sorts: orderOf(this.entity, input), offset: (current - 1) * size, size };
    const found = await this.find(request, counted);
    const totalExact = counted || all || found.total < countedRows;
    const least = totalExact ? found.total : Math.max(found.total, request.offset + found.rows.length);
    return { records: found.rows as RowOf<E>[], total: least, totalExact, size, current, pages: Math.ceil(least / size) };
  }

  private async find(request: PageRequest, counted: boolean): Promise<Found<unknown>> {
    if (counted && request.offset >= deepFrom) {
      const deep = await deepPage({ db: this.db, entity: this.entity, table: this.table, milestones: this.milestones }, request);
      if (deep) return deep;
    }
    const found = await this.walk(request);
    const [first] = found;
    if (first) return { rows: found.map(({ row }) => row), total: first.total };
    const [alone] = await this.db.sql.select({ total: request.total }).from(sql`(select) nothing`);
    return { rows: [], total: alone?.total ?? 0 };
  }

  /** Rows and total in one statement, from the front. */
  private async walk({ where, total, sorts, offset, size }: PageRequest) {
    const columns = { row: getTableColumns(this.table), total };
    const order = orderBy(sorts);
    if (offset < deepFrom)
      return this.db.sql
        .select(columns)
        .from(this.table)
        .where(where)
        .orderBy(...order)
        .limit(size)
        .offset(offset);
    const picked = this.db.sql
      .select({ id: this.table.id })
      .from(this.table)
      .where(where)
      .orderBy(...order)
      .limit(size)
      .offset(offset)
      .as('picked');
    return this.db.sql
      .select(columns)
      .from(this.table)
      .innerJoin(picked, eq(this.table.id, picked.id))
      .orderBy(...order);
  }
}

function within(value: unknown, least: number, most: number, preset: number): number {
  const number = Math.trunc(Number(value ?? preset));
  return Number.isNaN(number) ? preset : Math.min(Math.max(number, least), Math.trunc(most));
}
