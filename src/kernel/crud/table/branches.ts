import { groupBy, mergeMap, Subject, Subscription, switchMap, tap } from 'rxjs';
import type { Http } from '../../http/http.ts';
import { Store } from '../../store.ts';
import { asking } from '../asking.ts';
import type { CrudCalls, Row } from '../crud-screen.ts';

/** What is known of the rows below one. */
export interface Branch {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly rows: readonly Row[];
}

interface BranchesState {
  /** By the id of the row above. */
  readonly known: Readonly<Record<string, Branch>>;
  /** Rows whose children are in sight. */
  readonly open: ReadonlySet<string>;
}

/** Which rows of a tree are open and, where the tree is read level by level, what stands below them. */
export class Branches extends Store<BranchesState> {
  /** Ends all that is under way. */
  readonly lifetime = new Subscription();
  private readonly asked$ = new Subject<string>();

  constructor(
    private readonly http: Http,
    private readonly lazy: CrudCalls['lazy'],
  ) {
    super({ known: {}, open: new Set() });
    const reading = this.asked$.pipe(
      groupBy((id) => id),
      mergeMap((asked$) => asked$.pipe(switchMap((id) => this.read(id)))),
    );
    this.lifetime.add(reading.subscribe());
  }

  /** Opens or closes a row; what stands below it is read when it is first opened, and again after a failure. */
  toggle(row: Row, isOpen = !this.state.open.has(row.id)): void {
    const open = new Set(this.state.open);
    isOpen ? open.add(row.id) : open.delete(row.id);
    this.set({ open });
    const known = this.state.known[row.id];
    if (isOpen && row.hasChildren === true && (!known || known.status === 'failed')) this.ask(row.id);
  }

  /** Rows have changed: what is in sight is read again, the rest forgotten. */
  refresh(): void {
    const { known, open } = this.state;
    this.set({ known: Object.fromEntries(Object.entries(known).filter(([id]) => open.has(id))) });
    for (const id of Object.keys(this.state.known)) this.ask(id);
  }

  private set(part: Partial<BranchesState>): void {
    this.update((state) => void Object.assign(state, part));
  }

  private ask(id: string): void {
    this.learn(id, { status: 'loading', rows: this.state.known[id]?.rows ?? [] });
    this.asked$.next(id);
  }

  private learn(id: string, branch: Branch): void {
    this.set({ known: { ...this.state.known, [id]: branch } });
  }

  private read(id: string) {
    return asking(this.http, this.lazy as NonNullable<CrudCalls['lazy']>, { parentId: id }, { quiet: true }).pipe(
      tap((answer) => {
        const before = this.state.known[id]?.rows ?? [];
        this.learn(id, answer.success ? { status: 'ready', rows: (answer.data ?? []) as Row[] } : { status: 'failed', rows: before });
      }),
    );
  }
}
