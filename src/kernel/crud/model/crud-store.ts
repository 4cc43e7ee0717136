import { EMPTY, exhaustMap, firstValueFrom, map, type Observable, Subject, Subscription, share, switchMap, tap } from 'rxjs';
import type { BatchResult } from '#shared/contract';
import type { ListLayout } from '#shared/list-address';
import type { LocalizedText } from '#shared/text';
import { Store } from '../../base/store/store.ts';
import type { Http } from '../../platform/http/http.ts';
import { type MutationResult, mutationResultOf, observeRequest, type RequestResult } from '../../platform/http/observe-request.ts';
import type { HistoryChange } from '../../ui/pane/page-address.ts';
import { joinedPage, type ListRequest, nextSearch } from './bounded-search.ts';
import type { CrudCalls, CrudPageProps, Row } from './crud-screen.ts';
import { type CrudState, emptyState, failedState, firstPage, keptTotal } from './crud-state.ts';
import { flatten } from './entity-fields.ts';
import { isUncounted, type ListPage, pageOf } from './list-page.ts';
import { type FilterValues, hasFilters, hasSameFilters, isSameQuery, type ListQuery, listInput, type Sort } from './list-query.ts';
import { maxPageSize, maxReviewedRows, type Removal, readAllRows, readByIds, refreshSelection, removedIds } from './selection.ts';

/** Loads the rows of a generic screen. A new request cancels the previous one. The store lives as long as its tab. */
export class CrudStore extends Store<CrudState> {
  /** Cancels all pending requests. */
  readonly lifetime = new Subscription();
  private readonly requests$ = new Subject<ListRequest>();
  private readonly removals$ = new Subject<readonly string[]>();
  private readonly queryChanges$ = new Subject<HistoryChange>();
  private filter: string | undefined;
  /** Tests whether a selected row, loaded again, still has the actions for which it was selected. */
  keepsSelected: (before: Row, now: Row) => boolean = () => true;
  /** False when the current query differs from the one `total` was counted for. */
  private isTotalCurrent = false;

  /** Emits when the operator has changed the query (`push`) or the store has corrected it (`replace`). */
  readonly queryChanged$: Observable<HistoryChange> = this.queryChanges$;

  /** Emits the result of each removal. */
  readonly removed$: Observable<Removal> = this.removals$.pipe(
    exhaustMap((ids) => this.removeNow(ids).pipe(map((outcome) => ({ ...outcome, ids })))),
    share(),
  );

  constructor(
    private readonly http: Http,
    private readonly crud: CrudCalls,
    query: Partial<ListQuery> = {},
  ) {
    super({ ...emptyState, query: { ...firstPage, ...query } });
    this.lifetime.add(this.requests$.pipe(switchMap((request) => this.request(request))).subscribe());
    this.lifetime.add(this.removed$.subscribe());
  }

  /** Loads the first page within a fixed filter; an unchanged filter does nothing. */
  setBaseFilter(filter: CrudPageProps['filter'] = {}): void {
    const text = JSON.stringify(filter);
    if (this.filter === text) return;
    const isFirst = this.filter === undefined;
    this.filter = text;
    this.isTotalCurrent = false;
    this.set({ selected: new Map(), dropped: 0, rows: [], total: 0 });
    this.loadPage(isFirst ? {} : { current: 1 }, 'replace');
  }

  /** Loads exactly this query of the address; an unchanged query does nothing. */
  restoreQuery(query: Partial<ListQuery>): void {
    const restored = { ...firstPage, size: this.state.defaultSize, sort: undefined, where: undefined, layout: undefined, ...query };
    if (isSameQuery(restored, this.state.query)) return;
    if (!isSameQuery({ ...restored, current: 1 }, { ...this.state.query, current: 1 })) {
      this.clearSelection();
      this.isTotalCurrent = false;
    }
    this.set({ query: restored });
    this.reload();
  }

  /** Sets the default page size. A list that has the former default goes to the page that contains its first visible row. */
  fitPage(defaultSize: number): void {
    const { query, defaultSize: former } = this.state;
    this.set({ defaultSize });
    if (defaultSize === former || query.size !== former) return;
    if (this.filter === undefined) this.set({ query: { ...query, size: defaultSize } });
    else this.loadPage({ current: Math.floor(((query.current - 1) * former) / defaultSize) + 1, size: defaultSize }, 'replace');
  }

  reload(): void {
    this.requests$.next({});
  }

  /** Requests the exact total, however long counting takes. */
  countAll(): void {
    this.requests$.next({ exactTotal: true });
  }

  /** Stops or continues a search that is bounded by time; the rows found so far stay. */
  controlSearch = (search: 'stop' | 'resume'): void => this.requests$.next({ search });

  search(filters: FilterValues): void {
    this.setQuery({ filters });
  }

  /** Loads the rows without filters and conditions. */
  clearFilters(): void {
    this.setQuery({ filters: {}, conditions: [], where: undefined });
  }

  /** Returns the input of a list call for the filters of the current query, unsorted. */
  filterInput(): Record<string, unknown> {
    return this.inputOf({ ...this.state.query, current: 1, size: 0, sort: undefined });
  }

  /** Shows the same rows in another view. */
  setLayout(layout: ListLayout | undefined): void {
    this.loadPage({ current: 1, layout });
  }

  /** Loads the first page of another query. */
  setQuery(query: Partial<Omit<ListQuery, 'current'>>, change: HistoryChange = 'push'): void {
    this.clearSelection();
    this.isTotalCurrent = false;
    this.loadPage({ current: 1, ...query }, change);
  }

  /** Moves a number of pages forward or back, within the existing pages. */
  stepPages(pages: number): void {
    const { current, size } = this.state.query;
    const to = Math.min(Math.max(1, Math.ceil(this.state.total / size)), Math.max(1, current + pages));
    if (this.state.paged && to !== current) this.goToPage(to, size);
  }

  /** Tests whether there is a page before (-1) or after (1) the current one. */
  hasPage(step: 1 | -1): boolean {
    const { paged, total, totalExact, query } = this.state;
    return paged && (step < 0 ? query.current > 1 : query.current * query.size < total || !totalExact);
  }

  /** Loads the adjacent page and returns the row before the first (-1) or after the last (1) one shown. `localizedMessage` is set without an answer. */
  async adjacentRow(step: 1 | -1): Promise<{ readonly row?: Row | undefined; readonly localizedMessage?: LocalizedText }> {
    const before = this.state.query;
    const query = { ...before, current: before.current + step };
    const answer = await firstValueFrom(observeRequest(this.http, this.crud.list, this.inputOf(query)));
    if (!answer.success || this.lifetime.closed || this.state.query !== before)
      return 'localizedMessage' in answer ? { localizedMessage: answer.localizedMessage } : {};
    const page = pageOf(answer.data);
    if (page.rows.length > 0) {
      this.set({ query });
      this.queryChanges$.next('replace');
      this.showPage(page);
    }
    // The page is empty by now, or the rows have not been counted yet.
    if (page.rows.length === 0 || this.state.counting) this.reload();
    return { row: flatten(page.rows).at(step < 0 ? -1 : 0) };
  }

  /** Goes to a page; another page size starts at the first page. */
  goToPage(current: number, size: number, change: HistoryChange = 'push'): void {
    this.loadPage({ current: size === this.state.query.size ? current : 1, size }, change);
  }

  sortBy = (sort: Sort | undefined): void => this.loadPage({ current: 1, sort });

  selectRows(rows: readonly Row[], isSelected: boolean): void {
    const selected = new Map(this.state.selected);
    for (const row of rows) isSelected ? selected.set(row.id, row) : selected.delete(row.id);
    this.set({ selected, dropped: 0 });
  }

  /** Selects rows of any page by their ids; those that the list no longer contains are counted as dropped. */
  async selectIds(ids: readonly string[]): Promise<void> {
    const found = await this.findRows(ids);
    if (found) this.set({ selected: new Map(found.map((row) => [row.id, row])), dropped: ids.length - found.length });
  }

  /** Selects the rows of all pages, starting with the first; selects none if the query changes meanwhile. */
  async selectAll(): Promise<void> {
    const { query } = this.state;
    this.set({ selecting: true });
    const read = (current: number) => firstValueFrom(observeRequest(this.http, this.crud.list, this.inputOf({ ...query, current, size: maxPageSize })));
    const found = await readAllRows(read, () => !this.lifetime.closed && hasSameFilters(this.state.query, query));
    this.set({ selecting: false });
    if (found) this.selectRows(found, true);
  }

  clearSelection(): void {
    if (this.state.selected.size > 0 || this.state.dropped > 0) this.set({ selected: new Map(), dropped: 0 });
  }

  /** Removes rows; ignored while a removal is pending. */
  remove(ids: readonly string[]): void {
    this.removals$.next(ids);
  }

  private loadPage(query: Partial<ListQuery>, change: HistoryChange = 'push'): void {
    this.set({ query: { ...this.state.query, ...query } });
    this.queryChanges$.next(change);
    this.reload();
  }

  private request({ exactTotal, search }: ListRequest): Observable<RequestResult> {
    this.set({ status: search === 'stop' ? 'ready' : 'loading', counting: false });
    if (search) return search === 'stop' ? EMPTY : this.continueSearch();
    const { lazy } = this.crud;
    return lazy && !hasFilters(this.state.query) ? this.requestTopLevel(lazy) : this.requestList(exactTotal);
  }

  private requestList(exactTotal = false): Observable<RequestResult> {
    const input = this.inputOf(this.state.query);
    return observeRequest(this.http, this.crud.list, exactTotal ? { ...input, exactTotal } : input).pipe(
      tap((answer) => this.show(answer)),
      switchMap((answer) => (answer.success && isUncounted(pageOf(answer.data)) ? this.count(input) : this.continueSearch())),
    );
  }

  /** Continues a search that is bounded by time until the page is full. */
  private continueSearch(): Observable<RequestResult> {
    const next = nextSearch(this.state);
    if (!next) return EMPTY;
    this.set({ status: 'loading' });
    return observeRequest(this.http, this.crud.list, { ...this.inputOf(this.state.query), ...next }).pipe(
      tap((answer) => (answer.success ? this.showPage(joinedPage(this.state, pageOf(answer.data))) : this.set(failedState(answer)))),
      switchMap(() => this.continueSearch()),
    );
  }

  private inputOf(query: ListQuery, list = this.crud.list): Record<string, unknown> {
    return { ...listInput({ ...this.crud, list }, query), ...JSON.parse(this.filter ?? '{}') };
  }

  private requestTopLevel(lazy: NonNullable<CrudCalls['lazy']>): Observable<RequestResult> {
    return observeRequest(this.http, lazy, { ...this.inputOf(this.state.query, lazy), parentId: '0' }).pipe(tap((answer) => this.show(answer)));
  }

  /** Counts the rows in a second request, so that the page does not wait for the count. */
  private count(input: Record<string, unknown>): Observable<RequestResult> {
    return observeRequest(this.http, this.crud.list, { ...input, current: 1, size: 0 }).pipe(
      tap((answer) => {
        const { total, totalExact } = answer.success ? pageOf(answer.data) : this.state;
        this.set({ total, totalExact, counting: false });
      }),
    );
  }

  private show(answer: RequestResult): void {
    if (!answer.success) this.set(failedState(answer));
    else this.showPage(pageOf(answer.data));
  }

  private showPage(page: ListPage): void {
    const { current, size } = this.state.query;
    const isBeyondTheEnd = page.paged && page.rows.length === 0 && current > 1 && page.total > 0;
    if (isBeyondTheEnd) this.goToPage(Math.min(current - 1, Math.ceil(page.total / size)), size, 'replace');
    else {
      this.set({
        ...page,
        ...refreshSelection(this.state, { rows: page.rows, keeps: this.keepsSelected }),
        counting: isUncounted(page),
        ...(this.isTotalCurrent ? keptTotal(this.state, page) : {}),
        status: 'ready',
        failure: '',
        isForbidden: false,
      });
      this.isTotalCurrent = true;
      void this.reviewOtherPages(page);
    }
  }

  /** Reads the selected rows that are not on a page, and drops those that are no longer in the list. A large selection is not checked; its actions report such rows themselves. */
  private async reviewOtherPages({ rows, paged }: ListPage): Promise<void> {
    const before = this.state.query;
    const shown = new Set(flatten(rows).map(({ id }) => id));
    const others = [...this.state.selected.keys()].filter((id) => !shown.has(id));
    if (others.length === 0 || others.length > maxReviewedRows) return;
    const found = paged || this.crud.lazy ? await this.findRows(others) : [];
    if (!found || !hasSameFilters(this.state.query, before)) return;
    const inList = new Set(found.map(({ id }) => id));
    const missing = others.filter((id) => this.state.selected.has(id) && !inList.has(id));
    this.set(refreshSelection(this.state, { rows: found, missing, keeps: this.keepsSelected }));
  }

  private async findRows(ids: readonly string[]): Promise<readonly Row[] | undefined> {
    const found = await readByIds(this.http, this.crud.list, this.inputOf({ ...this.state.query, current: 1, size: maxPageSize }), ids);
    return this.lifetime.closed ? undefined : found;
  }

  private removeNow(ids: readonly string[]): Observable<MutationResult> {
    const call = this.crud.remove;
    if (!call) throw new Error(`${this.crud.menu} has no remove call`);
    this.set({ removing: true });
    return observeRequest(this.http, call, ids.length > 1 ? { ids, partial: true } : { ids }, { quiet: true }).pipe(
      tap((answer) => this.settleRemoval(removedIds(ids, answer.success ? (answer.data as BatchResult | null) : null), answer.success)),
      map(mutationResultOf),
    );
  }

  private settleRemoval(ids: readonly string[], success: boolean): void {
    this.set({ removing: false });
    if (!success) return;
    const removed = ids.map((id) => ({ id }));
    this.selectRows(removed, false);
    const { current } = this.state.query;
    const isPageEmptied = this.state.rows.every(({ id }) => ids.includes(id));
    this.loadPage({ current: isPageEmptied && current > 1 ? current - 1 : current }, 'replace');
  }
}
