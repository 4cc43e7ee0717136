import { asyncScheduler, EMPTY, exhaustMap, firstValueFrom, map, type Observable, Subject, Subscription, share, subscribeOn, switchMap, tap } from 'rxjs';
import { countedRows } from '#shared/contract';
import type { Words } from '#shared/text';
import type { Http } from '../http/http.ts';
import { Store } from '../store.ts';
import { type Asked, asking, type Outcome, outcomeOf } from './asking.ts';
import type { CrudCalls, CrudPageProps, Row } from './crud-screen.ts';
import { flatten } from './entity-fields.ts';
import { type FilterCondition, type Filters, isNarrowed, type ListQuery, listInput, pageSizes, type Sort } from './list-query.ts';

/** What a generic screen knows. */
export interface CrudState {
  readonly query: ListQuery;
  /** Rows of the last answer stay while the next one is awaited or has failed. */
  readonly status: 'loading' | 'ready' | 'failed';
  /** Why the list failed: the server's own text, or words of ours when no answer came. */
  readonly failure: string | Words;
  readonly rows: readonly Row[];
  readonly total: number;
  /** False: `total` is a lower bound. */
  readonly totalExact: boolean;
  /** The rows came before their count: nothing better than a lower bound is known yet. */
  readonly counting: boolean;
  readonly paged: boolean;
  /** The chosen rows by id, as last seen, across pages; searching for something else clears it. */
  readonly selected: ReadonlyMap<string, Row>;
  readonly removing: boolean;
}

const first: ListQuery = { current: 1, size: pageSizes[0], filters: {}, conditions: [] };
const empty: CrudState = {
  query: first,
  status: 'loading',
  failure: '',
  rows: [],
  total: 0,
  totalExact: true,
  counting: false,
  paged: true,
  selected: new Map(),
  removing: false,
};

/** As many as one request may name. */
export const mostChosen = 1000;
const mostOfPage = pageSizes[pageSizes.length - 1] as number;

/** How many rows may be chosen beyond a page all of which is chosen; 0 where there are no more. */
export function choosable({ rows, selected, total, paged }: CrudState): number {
  const most = Math.min(total, mostChosen);
  return paged && selected.size < most && rows.length > 0 && rows.every(({ id }) => selected.has(id)) ? most : 0;
}

/** How a removal ended, and of which rows. */
export interface Removal extends Outcome {
  readonly ids: readonly string[];
}

/** The rows of a generic screen and what is asked of them. Asking again drops an answer still on its way; it lives as long as its tab. */
export class CrudStore extends Store<CrudState> {
  /** Ends all that is under way. */
  readonly lifetime = new Subscription();
  private readonly asked$ = new Subject<{ exactTotal: boolean }>();
  private readonly removal$ = new Subject<readonly string[]>();
  private filter: string | undefined;
  /** False: what is asked for differs from what the total is of. */
  private isTotalOfThese = false;

  /** Each removal as it ends. */
  readonly removed$: Observable<Removal> = this.removal$.pipe(
    exhaustMap((ids) => this.removeNow(ids).pipe(map((outcome) => ({ ...outcome, ids })))),
    share(),
  );

  constructor(
    private readonly http: Http,
    private readonly crud: CrudCalls,
    query: Partial<ListQuery> = {},
  ) {
    super({ ...empty, query: { ...first, ...query } });
    this.lifetime.add(this.asked$.pipe(switchMap(({ exactTotal }) => this.ask(exactTotal))).subscribe());
    this.lifetime.add(this.removed$.subscribe());
  }

  /** Asks for the first rows within a fixed filter; the same one again changes nothing. */
  narrow(filter: CrudPageProps['filter'] = {}): void {
    const text = JSON.stringify(filter);
    if (this.filter === text) return;
    this.filter = text;
    this.isTotalOfThese = false;
    this.set({ selected: new Map(), rows: [], total: 0 });
    this.ensue({ current: 1 });
  }

  reload(): void {
    this.asked$.next({ exactTotal: false });
  }

  /** Asks for the exact total, however long counting takes. */
  countAll(): void {
    this.asked$.next({ exactTotal: true });
  }

  search(filters: Filters): void {
    this.seek({ filters });
  }

  /** Asks for the rows that meet these conditions besides what the search area says. */
  refine(conditions: readonly FilterCondition[]): void {
    this.seek({ conditions });
  }

  /** Asks for something else, from the first page. */
  seek(query: Partial<Omit<ListQuery, 'current'>>): void {
    this.clearSelection();
    this.isTotalOfThese = false;
    this.ensue({ current: 1, ...query });
  }

  /** Some pages on or back, as far as there are any. */
  turnBy(pages: number): void {
    const { current, size } = this.state.query;
    const to = Math.min(Math.max(1, Math.ceil(this.state.total / size)), Math.max(1, current + pages));
    if (this.state.paged && to !== current) this.turnTo(to, size);
  }

  /** True: the list has a page before (-1) or behind (1) the one in sight. */
  hasPage(step: 1 | -1): boolean {
    const { paged, total, totalExact, query } = this.state;
    return paged && (step < 0 ? query.current > 1 : query.current * query.size < total || !totalExact);
  }

  /** The row before the first (-1) or behind the last (1) in sight: its page is asked for, and shown once it is there. `words` when no answer came. */
  async rowBeyond(step: 1 | -1): Promise<{ readonly row?: Row | undefined; readonly words?: Words }> {
    const before = this.state.query;
    const query = { ...before, current: before.current + step };
    const answer = await firstValueFrom(asking(this.http, this.crud.list, this.inputOf(query)));
    if (!answer.success || this.lifetime.closed || this.state.query !== before) return 'words' in answer ? { words: answer.words } : {};
    const page = pageOf(answer.data);
    if (page.rows.length > 0) {
      this.set({ query });
      this.showPage(page);
    }
    // Nothing is there any more, or nobody has counted yet.
    if (page.rows.length === 0 || this.state.counting) this.reload();
    return { row: flatten(page.rows).at(step < 0 ? -1 : 0) };
  }

  /** Another size begins at the first page again. */
  turnTo(current: number, size: number): void {
    this.ensue({ current: size === this.state.query.size ? current : 1, size });
  }

  sortBy(sort: Sort | undefined): void {
    this.ensue({ current: 1, sort });
  }

  choose(rows: readonly Row[], chosen: boolean): void {
    const selected = new Map(this.state.selected);
    for (const row of rows) chosen ? selected.set(row.id, row) : selected.delete(row.id);
    this.set({ selected });
  }

  /** Chooses the rows of all pages, from the first on; none where something else is looked for meanwhile. */
  async chooseAll(): Promise<void> {
    const { filters, conditions } = this.state.query;
    const found: Row[] = [];
    for (let current = 1; found.length < mostChosen; current += 1) {
      const answer = await firstValueFrom(asking(this.http, this.crud.list, this.inputOf({ ...this.state.query, current, size: mostOfPage })));
      const { query } = this.state;
      if (!answer.success || this.lifetime.closed || query.filters !== filters || query.conditions !== conditions) return;
      const { rows } = pageOf(answer.data);
      found.push(...rows);
      if (rows.length < mostOfPage) break;
    }
    this.choose(found.slice(0, mostChosen), true);
  }

  clearSelection(): void {
    if (this.state.selected.size > 0) this.set({ selected: new Map() });
  }

  /** Ignored while a removal is under way. */
  remove(ids: readonly string[]): void {
    this.removal$.next(ids);
  }

  private set(part: Partial<CrudState>): void {
    this.update((state) => void Object.assign(state, part));
  }

  private ensue(query: Partial<ListQuery>): void {
    this.set({ query: { ...this.state.query, ...query } });
    this.reload();
  }

  private ask(exactTotal: boolean): Observable<Asked> {
    this.set({ status: 'loading', counting: false });
    const { lazy } = this.crud;
    const answers = lazy && !isNarrowed(this.state.query) ? this.askTop(lazy) : this.askAll(exactTotal);
    // In a task of its own: what was clicked is seen before it is sent.
    return answers.pipe(subscribeOn(asyncScheduler));
  }

  private askAll(exactTotal: boolean): Observable<Asked> {
    const input = this.inputOf(this.state.query);
    return asking(this.http, this.crud.list, exactTotal ? { ...input, exactTotal } : input).pipe(
      tap((answer) => this.show(answer)),
      switchMap((answer) => (answer.success && isUncounted(pageOf(answer.data)) ? this.count(input) : EMPTY)),
    );
  }

  private inputOf(query: ListQuery, list = this.crud.list): Record<string, unknown> {
    return { ...listInput({ ...this.crud, list }, query), ...JSON.parse(this.filter ?? '{}') };
  }

  private askTop(lazy: NonNullable<CrudCalls['lazy']>): Observable<Asked> {
    return asking(this.http, lazy, { ...this.inputOf(this.state.query, lazy), parentId: '0' }).pipe(tap((answer) => this.show(answer)));
  }

  /** Where counting costs more than the page, the rows come first. */
  private count(input: Record<string, unknown>): Observable<Asked> {
    return asking(this.http, this.crud.list, { ...input, current: 1, size: 0 }).pipe(
      tap((answer) => {
        const { total, totalExact } = answer.success ? pageOf(answer.data) : this.state;
        this.set({ total, totalExact, counting: false });
      }),
    );
  }

  private show(answer: Asked): void {
    if (!answer.success) this.set({ status: 'failed', failure: 'words' in answer ? answer.words : answer.msg });
    else this.showPage(pageOf(answer.data));
  }

  private showPage(page: ReturnType<typeof pageOf>): void {
    const { current, size } = this.state.query;
    const isBeyondTheEnd = page.paged && page.rows.length === 0 && current > 1 && page.total > 0;
    if (isBeyondTheEnd) this.turnTo(Math.min(current - 1, Math.ceil(page.total / size)), size);
    else {
      this.set({ ...page, selected: this.chosenAmong(page.rows), counting: isUncounted(page), ...this.countedBefore(page), status: 'ready', failure: '' });
      this.isTotalOfThese = true;
    }
  }

  /** What is chosen, with the rows that are seen again as they are now. */
  private chosenAmong(rows: readonly Row[]): CrudState['selected'] {
    const { selected } = this.state;
    const again = selected.size > 0 ? flatten(rows).filter(({ id }) => selected.has(id)) : [];
    return again.length > 0 ? new Map([...selected, ...again.map((row) => [row.id, row] as const)]) : selected;
  }

  /** A total that was counted stays known while only the page turns, and until it is counted again. */
  private countedBefore(page: PageTotal): Partial<CrudState> {
    const { total, totalExact } = this.state;
    return this.isTotalOfThese && !page.totalExact && total > page.total ? { total, totalExact, counting: false } : {};
  }

  private removeNow(ids: readonly string[]): Observable<Outcome> {
    const call = this.crud.remove;
    if (!call) throw new Error(`${this.crud.menu} has no call that removes`);
    this.set({ removing: true });
    return asking(this.http, call, { ids }).pipe(
      tap(({ success }) => this.settleRemoval(ids, success)),
      map(outcomeOf),
    );
  }

  private settleRemoval(ids: readonly string[], success: boolean): void {
    this.set({ removing: false });
    if (!success) return;
    this.choose(
      ids.map((id) => ({ id })),
      false,
    );
    const { current } = this.state.query;
    const isPageEmptied = this.state.rows.every(({ id }) => ids.includes(id));
    this.ensue({ current: isPageEmptied && current > 1 ? current - 1 : current });
  }
}

type PageTotal = Pick<CrudState, 'total' | 'totalExact'>;

/** The server looked no further than the rows it sent. */
const isUncounted = ({ total, totalExact }: PageTotal) => !totalExact && total < countedRows;

function pageOf(data: unknown): Pick<CrudState, 'rows' | 'paged'> & PageTotal {
  if (Array.isArray(data)) return { rows: data as Row[], total: flatten(data as Row[]).length, totalExact: true, paged: false };
  const { records, total, totalExact } = (data ?? {}) as { records?: Row[] | null; total?: number; totalExact?: boolean };
  return { rows: records ?? [], total: total ?? 0, totalExact: totalExact ?? true, paged: true };
}
