import { exhaustMap, map, type Observable, Subject, Subscription, share, switchMap, tap } from 'rxjs';
import type { Words } from '#shared/text';
import type { Http } from '../http/http.ts';
import { Store } from '../store.ts';
import { type Asked, asking, type Outcome, outcomeOf } from './asking.ts';
import type { CrudCalls, CrudPageProps, Row } from './crud-screen.ts';
import { flatten } from './entity-fields.ts';
import { type Filters, type ListQuery, listInput, pageSizes, type Sort } from './list-query.ts';

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
  readonly paged: boolean;
  /** Ids, across pages; searching for something else clears it. */
  readonly selected: ReadonlySet<string>;
  readonly removing: boolean;
}

const first: ListQuery = { current: 1, size: pageSizes[0], filters: {} };
const empty: CrudState = {
  query: first,
  status: 'loading',
  failure: '',
  rows: [],
  total: 0,
  totalExact: true,
  paged: true,
  selected: new Set(),
  removing: false,
};

/** The rows of a generic screen and what is asked of them. Asking again drops an answer still on its way; it lives as long as its tab. */
export class CrudStore extends Store<CrudState> {
  /** Ends all that is under way. */
  readonly lifetime = new Subscription();
  private readonly asked$ = new Subject<{ exactTotal: boolean }>();
  private readonly removal$ = new Subject<readonly string[]>();
  private filter: string | undefined;

  /** Each removal as it ends. */
  readonly removed$: Observable<Outcome> = this.removal$.pipe(
    exhaustMap((ids) => this.removeNow(ids)),
    share(),
  );

  constructor(
    private readonly http: Http,
    private readonly crud: CrudCalls,
  ) {
    super(empty);
    this.lifetime.add(this.asked$.pipe(switchMap(({ exactTotal }) => this.ask(exactTotal))).subscribe((answer) => this.show(answer)));
    this.lifetime.add(this.removed$.subscribe());
  }

  /** Asks for the first rows within a fixed filter; the same one again changes nothing. */
  narrow(filter: CrudPageProps['filter'] = {}): void {
    const text = JSON.stringify(filter);
    if (this.filter === text) return;
    this.filter = text;
    this.set({ selected: new Set(), rows: [], total: 0 });
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
    this.set({ selected: new Set(), total: 0 });
    this.ensue({ current: 1, filters });
  }

  /** Another size begins at the first page again. */
  turnTo(current: number, size: number): void {
    this.ensue({ current: size === this.state.query.size ? current : 1, size });
  }

  sortBy(sort: Sort | undefined): void {
    this.ensue({ current: 1, sort });
  }

  choose(ids: readonly string[], chosen: boolean): void {
    const selected = new Set(this.state.selected);
    for (const id of ids) chosen ? selected.add(id) : selected.delete(id);
    this.set({ selected });
  }

  clearSelection(): void {
    this.set({ selected: new Set() });
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
    this.set({ status: 'loading' });
    const input = { ...listInput(this.crud, this.state.query), ...JSON.parse(this.filter ?? '{}'), ...(exactTotal ? { exactTotal } : {}) };
    return asking(this.http, this.crud.list, input);
  }

  private show(answer: Asked): void {
    if (!answer.success) this.set({ status: 'failed', failure: 'words' in answer ? answer.words : answer.msg });
    else this.showPage(pageOf(answer.data));
  }

  private showPage(page: ReturnType<typeof pageOf>): void {
    const { current, size } = this.state.query;
    const isBeyondTheEnd = page.paged && page.rows.length === 0 && current > 1 && page.total > 0;
    if (isBeyondTheEnd) this.turnTo(Math.min(current - 1, Math.ceil(page.total / size)), size);
    else this.set({ ...page, ...this.countedBefore(page), status: 'ready', failure: '' });
  }

  /** A total that was counted out stays known while only the page turns. */
  private countedBefore(page: Pick<CrudState, 'total' | 'totalExact'>): Partial<CrudState> {
    const { total, totalExact } = this.state;
    return !page.totalExact && totalExact && total > page.total ? { total, totalExact } : {};
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
    this.choose(ids, false);
    const { current } = this.state.query;
    const isPageEmptied = this.state.rows.every(({ id }) => ids.includes(id));
    this.ensue({ current: isPageEmptied && current > 1 ? current - 1 : current });
  }
}

function pageOf(data: unknown): Pick<CrudState, 'rows' | 'total' | 'totalExact' | 'paged'> {
  if (Array.isArray(data)) return { rows: data as Row[], total: flatten(data as Row[]).length, totalExact: true, paged: false };
  const { records, total, totalExact } = (data ?? {}) as { records?: Row[] | null; total?: number; totalExact?: boolean };
  return { rows: records ?? [], total: total ?? 0, totalExact: totalExact ?? true, paged: true };
}
