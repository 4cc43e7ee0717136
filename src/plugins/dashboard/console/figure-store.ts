import { debounceTime, filter, fromEvent, interval, merge, Subscription, throttleTime } from 'rxjs';
import { type Http, type JsonStorage, type Live, Store } from '#kernel';
import { LiveOpened } from '#shared/live';
import { type Board, dashboard, FiguresChanged, type Span } from '../contract.ts';

/** Number of metrics of each kind last time, which determines the number of placeholders. */
export interface Room {
  readonly waiting: number;
  readonly days: number;
  readonly charts: number;
}

/** Metrics on screen. `board` keeps its value during a refresh. */
export interface FigureState {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly board: Board | undefined;
  readonly span: Span;
  readonly room: Room;
}

const roomKey = 'dashboard:room';
const presetRoom: Room = { waiting: 4, days: 4, charts: 4 };
const pauseMilliseconds = 2000;
const refreshMilliseconds = 60_000;

/** Store of the metrics of the home page. */
export class FigureStore extends Store<FigureState> {
  readonly lifetime = new Subscription();
  private asked = 0;

  constructor(
    private readonly http: Http,
    private readonly storage: JsonStorage,
    /** Initial number of days in charts. */
    span: Span,
  ) {
    super({ status: 'loading', board: undefined, span, room: storage.read<Room>(roomKey) ?? presetRoom });
  }

  /** Loads now and after each change the server reports, until the returned function is called. */
  follow(live: Live): () => void {
    const changed = live.stream(FiguresChanged).pipe(throttleTime(pauseMilliseconds, undefined, { leading: true, trailing: true }));
    const missed = live.stream(LiveOpened).pipe(filter(({ resumed }) => !resumed));
    const seen = fromEvent(document, 'visibilitychange').pipe(debounceTime(pauseMilliseconds));
    const following = merge(changed, missed, interval(refreshMilliseconds), seen).subscribe(() => document.hidden || void this.refresh());
    void this.refresh();
    return () => following.unsubscribe();
  }

  /** Responses to outdated requests are dropped. */
  async refresh(): Promise<void> {
    const requestNumber = ++this.asked;
    const { span } = this.state;
    const answer = await this.http.send(dashboard.figures, { days: span }, { quiet: true }).catch(() => undefined);
    if (requestNumber !== this.asked || this.lifetime.closed) return;
    if (!answer?.success) {
      this.update((state) => void Object.assign(state, { status: 'failed' }));
      return;
    }
    const board = answer.data;
    const room = { waiting: board.waiting.length, days: board.days.length, charts: panelsOf(board.charts).length };
    this.storage.write(roomKey, room);
    this.update((state) => void Object.assign(state, { status: 'ready', board, room }));
  }

  show(span: Span): void {
    this.update((state) => void Object.assign(state, { span }));
    void this.refresh();
  }
}

/** Groups charts by panel, in their original order. */
export function panelsOf(charts: Board['charts']): Board['charts'][] {
  const places = new Map<string, Board['charts']>();
  for (const chart of charts) {
    const groupId = chart.group?.id ?? chart.id;
    places.set(groupId, [...(places.get(groupId) ?? []), chart]);
  }
  return [...places.values()];
}
