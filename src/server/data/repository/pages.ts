import type { SQL } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Entity, type ListInput, maxCountedRows, type Page, type RowOf } from '#shared/contract';
import { type RowState, rowStates } from '#shared/row-states';
import { currentActor } from '../context/actor.ts';
import type { Database } from '../database/database.ts';
import { type NamedTable, namedTableOf } from '../schema/table.ts';
import { groupFieldOf, readFiltered } from './filters.ts';
import { lastChangedFirst, orderOf } from './order.ts';
import { PageBookmarks } from './page-bookmarks.ts';
import { countedWithPage, type PageRequest, type PageStatementResult, PageStatements, type RowCounter, requestName } from './page-statements.ts';
import type { PageOptions } from './repository.ts';
import { isHidden } from './row-scope.ts';

/** Offset from which pages of an unfiltered list use bookmarks instead of counting from the front. */
const bookmarkMinOffset = 2000;

const defaultMaxPageSize = 200;
const maxTotals = 500;
/** Time for which an estimate is reused, because it costs as much as planning the page. */
const maxEstimateAgeMs = 60_000;
/** Time for which a list is known to have too many rows to count, because counting so many costs several pages. */
const maxLowerBoundAgeMs = 60_000;
/** Time for which a table is known to be large: this only decides whether matches are counted or estimated, and no total shows it. */
const maxLargeAgeMs = 3_600_000;

/** Conditions of a page besides the filters of its request. */
interface PageConditions extends PageOptions {
  /** Condition that the server adds to the filters; it must be set where the rows are not active. */
  readonly restriction: SQL | undefined;
  readonly state?: RowState;
}

interface Total {
  readonly total: number;
  readonly totalExact: boolean;
}

interface CountedRows extends Total {
  readonly rows: unknown[];
}

/** Number of rows that a page has found, one more than its size if rows follow, and what its statement has counted. */
interface FoundRows extends Pick<PageStatementResult, 'counter' | 'counted'> {
  readonly found: number;
}

/** Reads the pages of one entity. */
export class Pages<E extends Entity> {
  private readonly table: NamedTable;
  private readonly statements: PageStatements;
  private readonly bookmarks: PageBookmarks;
  private readonly totals = new LRUCache<string, Total & { readonly changes: number }>({ max: maxTotals });
  /** Tenants whose list without filters has at least `maxCountedRows` rows, in a table without a row counter: its rows are only added, until old ones are purged. */
  private readonly tenantsWithLongList = new LRUCache<string, true>({ max: maxTotals, ttl: maxLowerBoundAgeMs });
  /** Tenants with more rows than are counted with a page in a table without a row counter. */
  private readonly tenantsWithLargeTable = new LRUCache<string, true>({ max: maxTotals, ttl: maxLargeAgeMs });

  constructor(
    private readonly db: Database,
    private readonly entity: E,
    /** False for a table whose rows are counted with the page, until there are too many. */
    private readonly hasRowCounter = true,
  ) {
    this.table = namedTableOf(entity);
    this.statements = new PageStatements(db, entity, this.table, hasRowCounter);
    this.bookmarks = new PageBookmarks(db, entity, this.table);
  }

  /** Reads a page. */
  page(input: ListInput, { restriction, state = rowStates.active, withoutTotal = false }: PageConditions): Promise<Page<RowOf<E>>> {
    return readFiltered(this.db, this.entity, input, {
      read: (filters) => this.read(input, this.parseRequest(input, { filters, restriction, state, withoutTotal })),
      isEmpty: ({ total }) => total === 0,
      isShort: ({ records, size, groups, totals }) => records.length < size || size === 0 || String(input.exactTotal) === 'true' || Boolean(groups ?? totals),
    });
  }

  private async read(input: ListInput, request: PageRequest): Promise<Page<RowOf<E>>> {
    const { rows, total, totalExact } = await this.find(request);
    const { current, size } = request;
    const groupField = groupFieldOf(this.entity, input);
    const groups = groupField === undefined ? {} : { groups: await this.statements.groups(request, groupField) };
    const page = { ...groups, records: rows as RowOf<E>[], total, totalExact, size, current, pages: size === 0 ? 0 : Math.ceil(total / size) };
    return String(input.totals) === 'true' ? { ...page, totals: await this.statements.totals(request, (field) => !isHidden(this.entity, field)) } : page;
  }

  private parseRequest(
    input: ListInput,
    { filters, restriction, state, withoutTotal }: Pick<PageRequest, 'filters' | 'restriction' | 'state' | 'withoutTotal'>,
  ): PageRequest {
    const size = clampedInteger(input.size, 0, currentActor()?.maxPageSize ?? defaultMaxPageSize, 10);
    const current = clampedInteger(input.current, 1, Math.floor(Number.MAX_SAFE_INTEGER / defaultMaxPageSize), 1);
    const isUnsorted = !input.ascs && !input.descs;
    const sorts = state !== rowStates.active && isUnsorted ? lastChangedFirst(this.entity) : orderOf(this.entity, input);
    const isFiltered = filters.conditions.length > 0 || restriction !== undefined;
    const usesRowCounter = this.hasRowCounter && !isFiltered;
    const countsAll = String(input.exactTotal) === 'true';
    return { filters, restriction, state, sorts, current, offset: (current - 1) * size, size, isFiltered, usesRowCounter, countsAll, withoutTotal };
  }

  private async find(request: PageRequest): Promise<CountedRows> {
    const { usesRowCounter, offset, size } = request;
    if (size === 0) return { rows: [], ...(await this.count(request)) };
    if (usesRowCounter && offset >= bookmarkMinOffset) {
      const bookmarkedPage = await this.bookmarks.page(request);
      if (bookmarkedPage) return { ...bookmarkedPage, totalExact: true };
    }
    const { rows, counter, counted } = await this.statements.rows(request, this.countsWithPage(request));
    return { rows: rows.slice(0, size), ...(await this.total(request, { found: rows.length, counter, counted })) };
  }

  /** Tests whether the statement of the page counts the rows, as long as it is not known that there are too many to count. */
  private countsWithPage({ isFiltered, countsAll, withoutTotal }: PageRequest): boolean {
    return !this.hasRowCounter && !isFiltered && !countsAll && !withoutTotal && !this.tenantsWithLongList.has(this.tenantKey());
  }

  private async total(request: PageRequest, { found, counter, counted }: FoundRows): Promise<Total> {
    const { isFiltered, usesRowCounter, offset, size, countsAll, withoutTotal } = request;
    if (usesRowCounter && counter) return { total: counter.rows, totalExact: true };
    if (found <= size && (found > 0 || offset === 0)) {
      this.rememberLongList(request, offset + found);
      return { total: offset + found, totalExact: true };
    }
    const minTotal = found > 0 ? offset + found : 0;
    if (withoutTotal) return { total: minTotal, totalExact: false };
    const totalWithoutCounting = this.cachedTotal(request, counter);
    if (totalWithoutCounting?.totalExact) return totalWithoutCounting;
    if (countsAll || found === 0) return this.count(request);
    if (!this.hasRowCounter && !isFiltered) return this.unfilteredTotal(request, minTotal, counted);
    const estimated = (await this.isLarge(counter)) ? (totalWithoutCounting?.total ?? (await this.estimate(request, counter))) : undefined;
    if (estimated !== undefined && estimated > minTotal) return { total: estimated, totalExact: false };
    const total = await this.count(request);
    return total.totalExact ? total : { total: Math.max(total.total, minTotal), totalExact: false };
  }

  /** Returns the total of a list without filters in a table without a row counter; `counted` is undefined if the list is known to be long. */
  private unfilteredTotal(request: PageRequest, minTotal: number, counted: number | undefined): Total {
    if (counted !== undefined) this.rememberLongList(request, counted);
    if (counted !== undefined && counted < maxCountedRows) return { total: counted, totalExact: true };
    return { total: Math.max(maxCountedRows, minTotal), totalExact: false };
  }

  private rememberLongList({ isFiltered }: PageRequest, counted: number): void {
    if (this.hasRowCounter || isFiltered) return;
    if (counted < maxCountedRows) this.tenantsWithLongList.delete(this.tenantKey());
    else this.tenantsWithLongList.set(this.tenantKey(), true);
  }

  private tenantKey(): string {
    return this.db.scope?.tenantId ?? '';
  }

  /** Tests whether the table is too large to count its matches with each page. */
  private async isLarge(counter: RowCounter | undefined): Promise<boolean> {
    if (counter) return counter.rows > countedWithPage;
    if (this.hasRowCounter) return false;
    if (this.tenantsWithLargeTable.has(this.tenantKey())) return true;
    const isLarge = await this.statements.isLarge();
    if (isLarge) this.tenantsWithLargeTable.set(this.tenantKey(), true);
    return isLarge;
  }

  /** Limits an estimate to less than `maxCountedRows`, because a count would report at least that. */
  private async estimate(request: PageRequest, counter: RowCounter | undefined): Promise<number> {
    const total = Math.min(await this.statements.estimate(request), maxCountedRows - 1);
    const key = this.totalKey(request);
    if (key !== undefined) this.totals.set(key, { total, totalExact: false, changes: counter?.changes ?? 0 }, { ttl: maxEstimateAgeMs });
    return total;
  }

  /** Returns a cached total; after a change of the table it counts as an estimate. */
  private cachedTotal(request: PageRequest, counter: RowCounter | undefined): Total | undefined {
    const key = this.totalKey(request);
    const cachedTotal = key === undefined ? undefined : this.totals.get(key);
    return cachedTotal && cachedTotal.changes !== counter?.changes ? { total: cachedTotal.total, totalExact: false } : cachedTotal;
  }

  private async count(request: PageRequest): Promise<Total> {
    const { total, changes } = await this.statements.count(request);
    this.rememberLongList(request, total);
    const counted = { total, totalExact: request.usesRowCounter || request.countsAll || total < maxCountedRows };
    const key = this.totalKey(request);
    // A condition that the server adds may depend on the time, so that a count of its matches does not stay valid while the table is unchanged. Without a row counter
    // it is not known whether the table has changed.
    if (key !== undefined && request.restriction === undefined && this.hasRowCounter) this.totals.set(key, { ...counted, changes });
    return counted;
  }

  /** Builds the cache key of the matches. */
  private totalKey(request: PageRequest): string | undefined {
    const name = requestName(request);
    return name === undefined ? undefined : JSON.stringify([this.db.scope?.tenantId, request.countsAll, request.filters.values, name]);
  }
}

function clampedInteger(value: unknown, min: number, max: number, preset: number): number {
  const number = Math.trunc(Number(value ?? preset));
  return Number.isNaN(number) ? preset : Math.min(Math.max(number, min), max);
}
