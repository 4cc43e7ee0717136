import { eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Entity } from '#shared/contract';
import { snakeCase } from '#shared/text';
import type { Database } from '../database/database.ts';
import { typeOfField } from '../schema/field-type.ts';
import type { NamedTable } from '../schema/table.ts';
import { orderBy, type SortColumn } from './order.ts';
import { type PageRequest, rowCounter } from './page-statements.ts';

const maxStatements = 50;

interface DeepPage {
  readonly rows: unknown[];
  readonly total: number;
}

interface BookmarkStatement {
  execute(values: { readonly offset: number }): Promise<{ row: unknown; total: number }[]>;
}

/** Reads pages far into an unfiltered list: from a bookmark in the database, or else from the nearer end. */
export class PageBookmarks {
  private readonly prepared = new LRUCache<string, BookmarkStatement>({ max: maxStatements });

  constructor(
    private readonly db: Database,
    private readonly entity: Entity,
    private readonly table: NamedTable,
  ) {}

  /** Reads a page; undefined if the list changed meanwhile. */
  async page(request: PageRequest): Promise<DeepPage | undefined> {
    const sort = bookmarkedSort(request.sorts);
    return (sort && (await this.fromBookmark(sort, request))) ?? this.fromNearerEnd(request);
  }

  /** Uses one statement, and thus one snapshot, so that bookmark, total and rows are consistent. */
  private async fromBookmark(sort: SortColumn, { sorts, size, offset }: PageRequest): Promise<DeepPage | undefined> {
    const name = JSON.stringify([sort.field, sort.descending, size]);
    const statement = this.prepared.get(name) ?? this.prepare(sort, sorts, size);
    this.prepared.set(name, statement);
    const found = await statement.execute({ offset });
    return found[0] && { rows: found.map(({ row }) => row), total: found[0].total };
  }

  private prepare(sort: SortColumn, sorts: readonly SortColumn[], size: number): BookmarkStatement {
    const { table, entity } = this;
    const column = snakeCase(sort.field);
    const bookmarkArgs = sql.raw(`'${getTableName(table)}', ${entity.owner === 'platform'}, '${column}', ${sort.descending}`);
    const bookmark = sql`page_place(${bookmarkArgs}, ${sql.placeholder('offset')}::bigint, ${sql.raw(String(size))}) place`;
    // The outer limit is an upper bound of the inner one (`take`), as a literal that the planner knows.
    const pageIds = sql`(select id as page_id from (${this.walk(sort)}) walked limit ${sql.raw(String(size))}) page_ids`;
    return this.db.sql
      .select({ row: getTableColumns(table), total: sql`page_ids.total`.mapWith(Number) })
      .from(table)
      .innerJoin(sql`(select page_id, total from ${bookmark} cross join lateral ${pageIds}) page_ids`, sql`page_ids.page_id = ${table.id}`)
      .orderBy(...orderBy(sorts))
      .prepare('deep');
  }

  /**
   * Selects the ids of the page from the bookmark on, always in ascending order: the bookmark of a descending list is counted from its end, and the outer statement
   * reverses the rows. Rows without a value come last, through a separate index scan.
   */
  private walk(sort: SortColumn): SQL {
    const { table } = this;
    const live = sql`select ${table.id} as id, ${sort.column} as value from ${table} where ${table.isDeleted} = 0`;
    const valued = sql`${live} and (${sort.column}, ${table.id}) >= (${this.bookmarkedValue(sort)}, at_id)`;
    if (!sort.nullable) return sql`${valued} order by value, id limit take offset skip`;
    // A bookmark whose `at_number` is `NaN` is a row without a value.
    const empty = sql`${live} and ${sort.column} is null and ${table.id} >= case when at_number = 'NaN' then at_id else 0 end`;
    const partLimit = sql`limit skip + take`;
    return sql`(${valued} order by value, id ${partLimit}) union all (${empty} order by value, id ${partLimit}) order by value, id limit take offset skip`;
  }

  /** Returns the value of the bookmark in the type of its column; `NaN` stands for null. */
  private bookmarkedValue({ field, nullable }: SortColumn): SQL {
    const { kind, sqlType } = typeOfField(this.entity.fields[field] as Entity['fields'][string]);
    const number = nullable ? sql`nullif(at_number, 'NaN')` : sql`at_number`;
    if (kind === 'text') return nullable ? sql`case when at_number = 'NaN' then null else at_word end` : sql`at_word`;
    if (kind === 'time') return sql`to_timestamp(${number}::double precision)`;
    if (kind === 'flag') return sql`${number}::integer::boolean`;
    return sql`${number}::${sql.raw(sqlType)}`;
  }

  /**
   * Reads a page from the nearer end of the list. Positions are only valid while the table does not change; the statement that reads the rows checks this, and
   * the result is undefined if it has changed.
   */
  private async fromNearerEnd({ sorts, offset, size }: PageRequest): Promise<DeepPage | undefined> {
    const [state] = await this.db.sql.select({ counter: rowCounter(this.entity, this.table) }).from(sql`(select) nothing`);
    if (!state) return undefined;
    const { rows: total, changes } = state.counter;
    if (offset >= total) return { rows: [], total };
    const take = Math.min(size, total - offset);
    const reversed = offset > total / 2;
    const found = await this.read(sorts, { take, reversed, skip: reversed ? total - offset - take : offset });
    const isChanged = found.length < take || found.some(({ counter }) => counter.changes !== changes);
    return isChanged ? undefined : { rows: found.map(({ row }) => row), total };
  }

  private read(sorts: readonly SortColumn[], { reversed, skip, take }: { reversed: boolean; skip: number; take: number }) {
    const { table } = this;
    const pageIds = this.db.sql
      .select({ id: table.id })
      .from(table)
      .where(sql`${table.isDeleted} = 0`)
      .orderBy(...orderBy(sorts, reversed))
      .limit(take)
      .offset(skip)
      .as('page_ids');
    return this.db.sql
      .select({ row: getTableColumns(table), counter: rowCounter(this.entity, table) })
      .from(table)
      .innerJoin(pageIds, eq(table.id, pageIds.id))
      .orderBy(...orderBy(sorts));
  }
}

/** Returns the sort column if bookmarks support the order: one column followed by `id`. */
function bookmarkedSort(sorts: readonly SortColumn[]): SortColumn | undefined {
  const [sort, id] = sorts;
  return sort && id && sorts.length === 2 && id.field === 'id' && sort.descending === id.descending ? sort : undefined;
}
