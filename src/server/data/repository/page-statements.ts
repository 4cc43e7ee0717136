import { and, eq, fillPlaceholders, getTableColumns, getTableName, type Placeholder, type Query, type SQL, sql, type Table } from 'drizzle-orm';
import { type PgColumn, PgDialect } from 'drizzle-orm/pg-core';
import { LRUCache } from 'lru-cache';
import type { TSchema } from 'typebox';
import { type ColumnTotals, type Entity, maxCountedRows, maxRowGroups, maxTotalledRows, type RowGroup } from '#shared/contract';
import { totalOf } from '#shared/entity';
import { traitsOf } from '#shared/fields';
import type { RowState } from '#shared/row-states';
import type { Database } from '../database/database.ts';
import type { NamedTable } from '../schema/table.ts';
import type { FilterConditions } from './filters.ts';
import { orderBy, type SortColumn } from './order.ts';

/** Maximum number of rows in a table for which matches are counted with each page; counting in larger tables can cost many times the page. */
export const countedWithPage = 20_000;

/** Row counter of a table as the current work sees it. */
export interface RowCounter {
  /** Number of rows that are not deleted. */
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

/** Offset from which a page is read in two steps: its ids from the index alone, then its rows. */
const twoStepOffset = 500;

const maxStatements = 200;

/** Writes a number into the text of a statement, instead of passing it as a parameter. */
const literal = (count: number) => sql.raw(String(count)) as unknown as number;

/** A parsed request for a page. */
export interface PageRequest {
  readonly filters: FilterConditions;
  readonly restriction: SQL | undefined;
  readonly state: RowState;
  readonly sorts: readonly SortColumn[];
  readonly current: number;
  readonly offset: number;
  readonly size: number;
  /** True with filters or a restriction. */
  readonly isFiltered: boolean;
  /** True without filters; the total is then read from the row counter. */
  readonly usesRowCounter: boolean;
  /** True to count all matches, without a limit. */
  readonly countsAll: boolean;
  /** True if the page only needs to know whether more rows follow. */
  readonly withoutTotal: boolean;
}

/** Result of the statement of a page. */
export interface PageStatementResult {
  readonly rows: Record<string, unknown>[];
  /** Row counter, read by the same statement; undefined if there are no rows. */
  readonly counter: RowCounter | undefined;
  /** Matches up to `maxCountedRows`, counted by the same statement; undefined if that was not requested, or if there are no rows. */
  readonly counted: number | undefined;
}

/** Prepared statements for the pages of one entity, each built once and run many times. */
export class PageStatements {
  private readonly prepared = new LRUCache<string, Query>({ max: maxStatements });
  private readonly columns: readonly (readonly [name: string, column: PgColumn])[];

  constructor(
    private readonly db: Database,
    private readonly entity: Entity,
    private readonly table: NamedTable,
    private readonly hasRowCounter: boolean,
  ) {
    this.columns = Object.entries(getTableColumns(table));
  }

  /**
   * Reads the rows of a page by its offset. Unless the row counter has the total, it reads one more row, which shows whether there is a next page. In a table without a
   * row counter the same statement can count the matches.
   */
  async rows(request: PageRequest, isCounting = false): Promise<PageStatementResult> {
    const name = statementName(request, isCounting);
    const statement = (name === undefined ? undefined : this.prepared.get(name)) ?? this.prepare(request, isCounting);
    if (name !== undefined) this.prepared.set(name, statement);
    const parameters = fillPlaceholders(statement.params, { ...request.filters.values, offset: request.offset });
    const found = await this.db.rows(statement.sql, parameters);
    const last = found[0]?.at(-1);
    return {
      rows: found.map((values) => this.rowOf(values)),
      counter: found[0] && this.hasRowCounter ? parseRowCounter(last as string) : undefined,
      counted: found[0] && isCounting ? Number(last) : undefined,
    };
  }

  private rowOf(values: readonly unknown[]): Record<string, unknown> {
    const row: Record<string, unknown> = {};
    for (const [index, [name, column]] of this.columns.entries()) {
      const value = values[index];
      row[name] = value === null ? null : column.mapFromDriverValue(value);
    }
    return row;
  }

  /** Counts the matching rows, and returns the table's change counter for which the count is valid; 0 without a row counter. */
  async count(request: PageRequest): Promise<{ total: number; changes: number }> {
    const counter = this.hasRowCounter ? { counter: rowCounter(this.entity, this.table) } : {};
    const matching = request.usesRowCounter ? {} : { matching: matchTotal(this.table, this.where(request), request.countsAll) };
    const statement = this.db.sql
      .select({ ...counter, ...matching })
      .from(sql`(select) nothing`)
      .prepare('count');
    const [state] = await statement.execute(request.filters.values);
    if (!state) throw new Error('The count returned no row.');
    return { total: state.matching ?? state.counter?.rows ?? 0, changes: state.counter?.changes ?? 0 };
  }

  /** Adds up columns over all matching rows in one statement that reads at most `maxTotalledRows`; null if there are more. */
  async totals(request: PageRequest, isVisible: (field: string) => boolean): Promise<ColumnTotals | null> {
    const totalled = this.columns.flatMap(([name, column]) => {
      const kind = totalOf(this.entity.fields[name] ?? ({} as TSchema));
      return kind && isVisible(name) ? [{ name, kind, column }] : [];
    });
    if (totalled.length === 0) return {};
    const matching = this.db.sql
      .select(Object.fromEntries(totalled.map(({ name, column }) => [name, column])))
      .from(this.table)
      .where(this.where(request))
      .limit(literal(maxTotalledRows + 1))
      .as('matching');
    const aggregates = totalled.flatMap(({ name, column }) => {
      const value = sql`${sql.identifier('matching')}.${sql.identifier(column.name)}::numeric`;
      const decimals = traitsOf(this.entity.fields[name] as TSchema)?.widget === 'money' ? 0 : 2;
      return [sql`sum(${value})::text`, sql`round(avg(${value}), ${sql.raw(String(decimals))})::text`];
    });
    const statement = this.db.sql
      .select({ count: sql`count(*)::text`, ...Object.fromEntries(aggregates.map((aggregate, index) => [`total${index}`, aggregate])) })
      .from(matching);
    const { sql: text, params } = statement.toSQL();
    const [row = []] = await this.db.rows(text, fillPlaceholders(params, request.filters.values));
    if (Number(row[0]) > maxTotalledRows) return null;
    const textAt = (index: number) => String(row[1 + index] ?? '0');
    return Object.fromEntries(
      totalled.map(({ name, kind }, index) => [name, { ...(kind === 'sum' ? { sum: textAt(2 * index) } : {}), average: textAt(2 * index + 1) }]),
    );
  }

  /** Counts the matching rows by the values of a field in one statement, the largest groups first. */
  async groups(request: PageRequest, field: string): Promise<RowGroup[]> {
    const column = this.table[field] as PgColumn;
    const count = sql<string>`count(*)`;
    const statement = this.db.sql
      .select({ value: sql<string | null>`${column}::text`, count: sql<string>`${count}::text` })
      .from(this.table)
      .where(this.where(request))
      .groupBy(column)
      .orderBy(sql`${count} desc`, column)
      .limit(literal(maxRowGroups))
      .toSQL();
    const found = await this.db.rows(statement.sql, fillPlaceholders(statement.params, request.filters.values));
    return found.map(([value, rows]) => ({ value: (value ?? null) as string | null, count: Number(rows) }));
  }

  /** Returns PostgreSQL's estimate of the matching rows, from column statistics without reading rows. */
  async estimate(request: PageRequest): Promise<number> {
    const statement = this.db.sql.select({ id: this.table.id }).from(this.table).where(this.where(request)).toSQL();
    const [row] = await this.db.rows(`explain (format json) ${statement.sql}`, fillPlaceholders(statement.params, request.filters.values));
    const plan = typeof row?.[0] === 'string' ? JSON.parse(row[0]) : row?.[0];
    return (plan as [{ Plan: { 'Plan Rows': number } }])[0].Plan['Plan Rows'];
  }

  /** Returns true if the table has more rows than a page counts; reads no more rows than that. */
  async isLarge(): Promise<boolean> {
    const limit = sql.raw(String(countedWithPage + 1));
    const found = await this.db.sql.execute<{ rows: string }>(
      sql`select count(*)::text as rows from (select from ${this.table} where is_deleted = 0 limit ${limit}) counted`,
    );
    return Number(found[0]?.rows) > countedWithPage;
  }

  private prepare(request: PageRequest, isCounting: boolean): Query {
    const { sorts, offset, size, usesRowCounter } = request;
    const order = orderBy(sorts);
    const where = this.where(request);
    const matching = isCounting ? matchTotal(this.table, where, false) : sql`null`;
    const columns = { row: getTableColumns(this.table), counter: this.hasRowCounter ? rowCounter(this.entity, this.table) : matching };
    // The limit is part of the text, because PostgreSQL keeps one plan for a statement whose limit it knows.
    const limit = literal(usesRowCounter ? size : size + 1);
    if (offset < twoStepOffset) {
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
    // A subquery hides the offset, because PostgreSQL estimates a generic plan with a parameter as offset too expensive. An index-only scan is cheapest at any offset, which
    // does not hold for statements that also read the rows.
    const offsetParameter = (usesRowCounter ? sql`(select ${sql.placeholder('offset')}::bigint)` : sql.placeholder('offset')) as Placeholder;
    const pageIds = ids.limit(limit).offset(offsetParameter).as('page_ids');
    return this.db.sql
      .select(columns)
      .from(this.table)
      .innerJoin(pageIds, eq(this.table.id, pageIds.id))
      .orderBy(...order)
      .toSQL();
  }

  private where({ filters, restriction, state }: PageRequest): SQL {
    return and(sql`${this.table.isDeleted} = ${sql.raw(String(state))}`, ...filters.conditions, restriction) as SQL;
  }
}

const dialect = new PgDialect();
/** Longest name of a request. For conditions with longer values, no statement is prepared. */
const maxNameLength = 4000;

/** Builds a name for the conditions of a request without the values of its filters; undefined if the conditions depend on the rows that they find. */
export function requestName({ filters, restriction, state }: PageRequest): string | undefined {
  if (filters.typed.length > 0) return undefined;
  const { sql: text, params } = restriction ? dialect.sqlToQuery(restriction) : { sql: '', params: [] };
  const name = JSON.stringify([Object.keys(filters.values), state, text, params]);
  return name.length > maxNameLength ? undefined : name;
}

/** Builds the name of a statement. Requests with the same name differ only in values. */
function statementName(request: PageRequest, isCounting: boolean): string | undefined {
  const { sorts, offset, size } = request;
  const name = requestName(request);
  if (name === undefined) return undefined;
  const depth = offset === 0 ? 0 : offset < twoStepOffset ? 1 : 2;
  return JSON.stringify([name, sorts.map(({ field, descending }) => [field, descending]), size, depth, isCounting]);
}
