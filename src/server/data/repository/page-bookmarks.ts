import { eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Entity } from '#shared/contract';
import { snakeCase } from '#shared/text';
import type { Database } from '../database/database.ts';
import { typeOfField } from '../schema/field-type.ts';
import type { NamedTable } from '../schema/table.ts';
import { orderBy, type Sort } from './order.ts';
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
  private async fromBookmark(sort: Sort, { sorts, size, offset }: PageRequest): Promise<DeepPage | undefined> {
    const name = JSON.stringify([sort.field, sort.descending, size]);
    const statement = this.prepared.get(name) ?? this.prepare(sort, sorts, size);
    this.prepared.set(name, statement);
    const found = await statement.execute({ offset });
    return found[0] && { rows: found.map(({ row }) => row), total: found[0].total };
  }

  private prepare(sort: Sort, sorts: readonly Sort[], size: number): BookmarkStatement {
    const { table, entity } = this;
    const column = snakeCase(sort.field);
    const bookmarkArgs = sql.raw(`'${getTableName(table)}', ${entity.owner === 'platform'}, '${column}', ${sort.descending}`);
    const bookmarks = sql`page_place(${bookmarkArgs}, ${sql.placeholder('offset')}::bigint, ${sql.raw(String(size))}) place`;
    // The second limit repeats the first as a number that the planner can read.
    const walked = sql`(select id as picked_id from (${this.walk(sort)}) walked limit ${sql.raw(String(size))}) walked`;
    return this.db.sql
      .select({ row: getTableColumns(table), total: sql`total`.mapWith(Number) })
      .from(table)
      .innerJoin(sql`(select picked_id, total from ${bookmarks} cross join lateral ${walked}) picked`, sql`picked_id = ${table.id}`)
      .orderBy(...orderBy(sorts))
      .prepare('deep');
  }

  /** Reads from the bookmark on, ascending; rows without a value come last, through a separate index scan. */
  private walk(sort: Sort): SQL {
    const { table } = this;
    const live = sql`select ${table.id} as id, ${sort.column} as value from ${table} where ${table.isDeleted} = 0`;
    const valued = sql`${live} and (${sort.column}, ${table.id}) >= (${this.bookmarkedValue(sort)}, at_id)`;
    if (!sort.nullable) return sql`${valued} order by value, id limit take offset skip`;
    const empty = sql`${live} and ${sort.column} is null and ${table.id} >= case when at_number = 'NaN' then at_id else 0 end`;
    const upTo = sql`limit skip + take`;
    return sql`(${valued} order by value, id ${upTo}) union all (${empty} order by value, id ${upTo}) order by value, id limit take offset skip`;
  }

  private bookmarkedValue({ field, nullable }: Sort): SQL {
    const { kind, sqlType } = typeOfField(this.entity.fields[field] as Entity['fields'][string]);
    const number = nullable ? sql`nullif(at_number, 'NaN')` : sql`at_number`;
    if (kind === 'text') return nullable ? sql`case when at_number = 'NaN' then null else at_word end` : sql`at_word`;
    if (kind === 'time') return sql`to_timestamp(${number}::double precision)`;
    if (kind === 'flag') return sql`${number}::integer::boolean`;
    return sql`${number}::${sql.raw(sqlType)}`;
  }

  /**
   * Reads a page from the nearer end of the list. Positions are only valid while the table stays as counted; the statement that reads the rows checks that again, and
   * the result is undefined if it has changed.
   */
  private async fromNearerEnd({ sorts, offset, size }: PageRequest): Promise<DeepPage | undefined> {
    const [state] = await this.db.sql.select({ kept: rowCounter(this.entity, this.table) }).from(sql`(select) nothing`);
    if (!state) return undefined;
    const { rows: total, changes } = state.kept;
    if (offset >= total) return { rows: [], total };
    const take = Math.min(size, total - offset);
    const reversed = offset > total / 2;
    const found = await this.read(sorts, { take, reversed, skip: reversed ? total - offset - take : offset });
    return found.some(({ kept }) => kept.changes !== changes) ? undefined : { rows: found.map(({ row }) => row), total };
  }

  private read(sorts: readonly Sort[], { reversed, skip, take }: { reversed: boolean; skip: number; take: number }) {
    const { table } = this;
    const picked = this.db.sql
      .select({ id: table.id })
      .from(table)
      .where(sql`${table.isDeleted} = 0`)
      .orderBy(...orderBy(sorts, reversed))
      .limit(take)
      .offset(skip)
      .as('picked');
    return this.db.sql
      .select({ row: getTableColumns(table), kept: rowCounter(this.entity, table) })
      .from(table)
      .innerJoin(picked, eq(table.id, picked.id))
      .orderBy(...orderBy(sorts));
  }
}

/** Returns the sort column if bookmarks support the order: one column followed by `id`. */
function bookmarkedSort(sorts: readonly Sort[]): Sort | undefined {
  const [sort, id] = sorts;
  return sort && id && sorts.length === 2 && id.field === 'id' && sort.descending === id.descending ? sort : undefined;
}
