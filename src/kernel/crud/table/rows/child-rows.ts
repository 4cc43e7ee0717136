import { useEffect } from 'react';
import { groupBy, mergeMap, Subject, Subscription, switchMap, tap } from 'rxjs';
import { useService } from '../../../base/react/services.tsx';
import { Store } from '../../../base/store/store.ts';
import { Http } from '../../../platform/http/http.ts';
import { observeRequest } from '../../../platform/http/observe-request.ts';
import { usePageStore } from '../../../ui/pane/use-page-store.ts';
import type { CrudCalls, Row } from '../../model/crud-screen.ts';
import type { CrudStore } from '../../model/crud-store.ts';

/** Children of one row. */
export interface LoadedChildren {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly rows: readonly Row[];
}

interface ChildRowsState {
  /** Children by the id of their parent. */
  readonly childrenById: Readonly<Record<string, LoadedChildren>>;
  /** Ids of the expanded rows. */
  readonly open: ReadonlySet<string>;
}

/** Holds the expanded rows of a tree and, if the tree is loaded level by level, their children. */
export class ChildRows extends Store<ChildRowsState> {
  /** Cancels all pending requests. */
  readonly lifetime = new Subscription();
  private readonly requests$ = new Subject<string>();

  constructor(
    private readonly http: Http,
    private readonly lazy: CrudCalls['lazy'],
  ) {
    super({ childrenById: {}, open: new Set() });
    const replies$ = this.requests$.pipe(
      groupBy((id) => id),
      mergeMap((requests$) => requests$.pipe(switchMap((id) => this.request(id)))),
    );
    this.lifetime.add(replies$.subscribe());
  }

  /** Expands or collapses a row; its children are loaded when it is first expanded, and again after a failure. */
  toggle(row: Row, isOpen = !this.state.open.has(row.id)): void {
    const open = new Set(this.state.open);
    isOpen ? open.add(row.id) : open.delete(row.id);
    this.set({ open });
    const loaded = this.state.childrenById[row.id];
    if (isOpen && row.hasChildren === true && (!loaded || loaded.status === 'failed')) this.load(row.id);
  }

  /** Reloads visible children after rows have changed and drops the others. */
  refresh(): void {
    const { childrenById, open } = this.state;
    this.set({ childrenById: Object.fromEntries(Object.entries(childrenById).filter(([id]) => open.has(id))) });
    for (const id of Object.keys(this.state.childrenById)) this.load(id);
  }

  private load(id: string): void {
    this.setChildren(id, { status: 'loading', rows: this.state.childrenById[id]?.rows ?? [] });
    this.requests$.next(id);
  }

  private setChildren(id: string, children: LoadedChildren): void {
    this.set({ childrenById: { ...this.state.childrenById, [id]: children } });
  }

  private request(id: string) {
    return observeRequest(this.http, this.lazy as NonNullable<CrudCalls['lazy']>, { parentId: id }, { quiet: true }).pipe(
      tap((answer) => {
        const before = this.state.childrenById[id]?.rows ?? [];
        this.setChildren(id, answer.success ? { status: 'ready', rows: (answer.data ?? []) as Row[] } : { status: 'failed', rows: before });
      }),
    );
  }
}

/** Returns the expanded rows of a screen's tree; visible children are loaded again when rows are removed. */
export function useChildRows(store: CrudStore, crud: CrudCalls): ChildRows {
  const http = useService(Http);
  const childRows = usePageStore(() => new ChildRows(http, crud.lazy));
  useEffect(() => {
    const subscription = store.removed$.subscribe(({ success }) => success && childRows.refresh());
    return () => subscription.unsubscribe();
  }, [store, childRows]);
  return childRows;
}
