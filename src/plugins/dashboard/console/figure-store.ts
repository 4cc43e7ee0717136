import { useEffect } from 'react';
import { debounceTime, filter, fromEvent, interval, merge, Subscription, throttleTime } from 'rxjs';
import { Http, JsonStorage, Live, Store, usePageStore, usePluginOptions, useService, useStore } from '#kernel';
import { LiveOpened } from '#shared/live';
import { type Board, dashboard, type FigureSpan, FiguresChanged } from '../contract.ts';
import type DashboardOptions from '../options.ts';

/** Number of metrics of each kind in the last response, for the placeholders of the next page load. */
interface PlaceholderCounts {
  readonly waiting: number;
  readonly days: number;
  readonly charts: number;
  readonly alerts: number;
}

/** Metrics on screen. `board` keeps its value during a refresh. */
interface FigureState {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly board: Board | undefined;
  readonly span: FigureSpan;
  readonly placeholders: PlaceholderCounts;
}

const placeholdersKey = 'dashboard:room';
const defaultPlaceholders: PlaceholderCounts = { waiting: 4, days: 4, charts: 4, alerts: 1 };
const throttleMs = 2000;
const refreshMs = 60_000;

/** Store of the metrics of the home page. */
export class FigureStore extends Store<FigureState> {
  readonly lifetime = new Subscription();
  private lastRequest = 0;

  constructor(
    private readonly http: Http,
    private readonly storage: JsonStorage,
    /** Initial number of days in charts. */
    span: FigureSpan,
  ) {
    super({ status: 'loading', board: undefined, span, placeholders: { ...defaultPlaceholders, ...storage.read<PlaceholderCounts>(placeholdersKey) } });
  }

  /** Loads now and after each change the server reports, until the returned function is called. */
  follow(live: Live): () => void {
    const changed$ = live.stream(FiguresChanged).pipe(throttleTime(throttleMs, undefined, { leading: true, trailing: true }));
    const missed$ = live.stream(LiveOpened).pipe(filter(({ resumed }) => !resumed));
    const visibility$ = fromEvent(document, 'visibilitychange').pipe(debounceTime(throttleMs));
    const subscription = merge(changed$, missed$, interval(refreshMs), visibility$).subscribe(() => document.hidden || void this.refresh());
    void this.refresh();
    return () => subscription.unsubscribe();
  }

  /** Responses to outdated requests are dropped. */
  async refresh(): Promise<void> {
    const requestNumber = ++this.lastRequest;
    const { span } = this.state;
    const response = await this.http.send(dashboard.figures, { days: span }, { quiet: true }).catch(() => undefined);
    if (requestNumber !== this.lastRequest || this.lifetime.closed) return;
    if (!response?.success) {
      this.set({ status: 'failed' });
      return;
    }
    const board = response.data;
    const placeholders = { waiting: board.waiting.length, days: board.days.length, charts: panelsOf(board.charts).length, alerts: board.alerts.length };
    this.storage.write(placeholdersKey, placeholders);
    this.set({ status: 'ready', board, placeholders });
  }

  show(span: FigureSpan): void {
    this.set({ span });
    void this.refresh();
  }
}

/** Groups charts by panel, in their original order. */
export function panelsOf(charts: Board['charts']): Board['charts'][] {
  const panels = new Map<string, Board['charts']>();
  for (const chart of charts) {
    const groupId = chart.group?.id ?? chart.id;
    panels.set(groupId, [...(panels.get(groupId) ?? []), chart]);
  }
  return [...panels.values()];
}

/** Returns the metrics of this page, refreshed while it is shown. */
export function useFigures() {
  const http = useService(Http);
  const storage = useService(JsonStorage);
  const live = useService(Live);
  const { days } = usePluginOptions<typeof DashboardOptions>();
  const store = usePageStore(() => new FigureStore(http, storage, days));
  useEffect(() => store.follow(live), [store, live]);
  const { board, placeholders, status } = useStore(store, (state) => state);
  const hasFailed = status === 'failed' && !board;
  return { store, board, placeholders, hasFailed, hasFigures: placeholders.waiting + placeholders.days + placeholders.charts > 0 };
}
