import type { SQL } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Entity, type ListInput, maxCountedRows, type Page, type RowOf } from '#shared/contract';
import { type RowState, rowStates } from '#shared/row-states';
import { currentActor } from '../context/actor.ts';
import type { Database } from '../database/database.ts';
import { tableOf } from '../schema/table.ts';
import { type Filters, groupFieldOf, readFiltered } from './filters.ts';
import { lastChangedFirst, orderOf } from './order.ts';
import { bookmarkMinOffset, PageBookmarks } from './page-bookmarks.ts';
import { countedWithPage, type NamedTable, type PageRequest, PageStatements, type RowCounter, requestName } from './page-statements.ts';
import { isHidden } from './row-scope.ts';

const largestPage = 200;
const maxTotals = 500;
/** Time for which an estimate is reused, because it costs as much as planning the page. */
const maxEstimateAgeMs = 60_000;

interface Total {
  readonly total: number;
  readonly totalExact: boolean;
}

interface CountedRows extends Total {
  readonly rows: unknown[];
}

/** Reads the pages of one entity. */
export class Pages<E extends Entity> {
  private readonly table: NamedTable;
  private readonly statements: PageStatements;
  private readonly deepPages: PageBookmarks;
  private readonly totals = new LRUCache<string, Total & { readonly changes: number }>({ max: maxTotals });

  constructor(
    private readonly db: Database,
    private readonly entity: E,
    /** True if the table has no row counter: matches are counted with the page. */
    private readonly isUncounted = false,
  ) {
    this.table = tableOf(entity) as unknown as NamedTable;
    this.statements = new PageStatements(db, entity, this.table, isUncounted);
    this.deepPages = new PageBookmarks(db, entity, this.table);
  }

  /** Reads a page; `restriction` is a condition that the server adds to the filters of the request, and must be set where the rows are not active. */
  page(input: ListInput, restriction: SQL | undefined, state: RowState = rowStates.active): Promise<Page<RowOf<E>>> {
    return readFiltered(this.db, this.entity, input, {
      read: (filters) => this.read(input, this.parseRequest(input, filters, restriction, state)),
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

  private parseRequest(input: ListInput, filters: Filters, restriction: SQL | undefined, state: RowState): PageRequest {
    const size = clampedInteger(input.size, 0, currentActor()?.maxPageSize ?? largestPage, 10);
    const current = clampedInteger(input.current, 1, Math.floor(Number.MAX_SAFE_INTEGER / largestPage), 1);
    const isUnsorted = !input.ascs && !input.descs;
    const sorts = state !== rowStates.active && isUnsorted ? lastChangedFirst(this.entity) : orderOf(this.entity, input);
    const usesRowCounter = !this.isUncounted && filters.conditions.length === 0 && restriction === undefined;
    const countsAll = String(input.exactTotal) === 'true';
    return { filters, restriction, state, sorts, current, offset: (current - 1) * size, size, usesRowCounter, countsAll };
  }

  private async find(request: PageRequest): Promise<CountedRows> {
    const { usesRowCounter, offset, size } = request;
    if (size === 0) return { rows: [], ...(await this.count(request)) };
    if (usesRowCounter && offset >= bookmarkMinOffset) {
      const deep = await this.deepPages.page(request);
      if (deep) return { ...deep, totalExact: true };
    }
    const { rows, counter } = await this.statements.rows(request);
    return { rows: rows.slice(0, size), ...(await this.total(request, rows.length, counter)) };
  }

  /** Determines the total; `found` is one more than the page size if rows follow. */
  private async total(request: PageRequest, found: number, counter: RowCounter | undefined): Promise<Total> {
    const { usesRowCounter, offset, size, countsAll } = request;
    if (usesRowCounter && counter) return { total: counter.rows, totalExact: true };
    if (found <= size && (found > 0 || offset === 0)) return { total: offset + found, totalExact: true };
    const least = found > 0 ? offset + found : 0;
    const totalWithoutCounting = this.cachedTotal(request, counter);
    if (totalWithoutCounting?.totalExact) return totalWithoutCounting;
    if (countsAll || found === 0) return this.count(request);
    const estimated = (await this.isLarge(request, counter)) ? (totalWithoutCounting?.total ?? (await this.estimate(request, counter))) : undefined;
    if (estimated !== undefined && estimated > least) return { total: estimated, totalExact: false };
    const total = await this.count(request);
    return total.totalExact ? total : { total: Math.max(total.total, least), totalExact: false };
  }

  /** Tests whether the table is too large to count its matches with each page. */
  private async isLarge({ filters, restriction }: PageRequest, counter: RowCounter | undefined): Promise<boolean> {
    if (counter) return counter.rows > countedWithPage;
    const isFiltered = filters.conditions.length > 0 || restriction !== undefined;
    return this.isUncounted && isFiltered && this.statements.isLarge();
  }

  /** Limits an estimate to less than `maxCountedRows`, because a count would report at least that. */
  private async estimate(request: PageRequest, counter: RowCounter | undefined): Promise<number> {
    const total = Math.min(await this.statements.estimate(request), maxCountedRows - 1);
    const name = this.totalKey(request);
    if (name !== undefined && counter) this.totals.set(name, { total, totalExact: false, changes: counter.changes }, { ttl: maxEstimateAgeMs });
    return total;
  }

  /** Returns a cached total; after a change of the table it counts as an estimate. */
  private cachedTotal(request: PageRequest, counter: RowCounter | undefined): Total | undefined {
    const name = this.totalKey(request);
    const cachedTotal = name === undefined ? undefined : this.totals.get(name);
    return cachedTotal && cachedTotal.changes !== counter?.changes ? { total: cachedTotal.total, totalExact: false } : cachedTotal;
  }

  private async count(request: PageRequest): Promise<Total> {
    const { total, changes } = await this.statements.count(request);
    const counted = { total, totalExact: request.usesRowCounter || request.countsAll || total < maxCountedRows };
    const name = this.totalKey(request);
    // A condition that the server adds may depend on the time, so that a count of its matches does not stay valid while the table is unchanged.
    if (name !== undefined && request.restriction === undefined) this.totals.set(name, { ...counted, changes });
    return counted;
  }

  /** Builds the cache key of the matches, valid while the table is unchanged. */
  private totalKey(request: PageRequest): string | undefined {
    const name = this.isUncounted ? undefined : requestName(request);
    return name === undefined ? undefined : JSON.stringify([this.db.scope?.tenantId, request.countsAll, request.filters.values, name]);
  }
}

function clampedInteger(value: unknown, min: number, max: number, preset: number): number {
  const number = Math.trunc(Number(value ?? preset));
  return Number.isNaN(number) ? preset : Math.min(Math.max(number, min), max);
}
