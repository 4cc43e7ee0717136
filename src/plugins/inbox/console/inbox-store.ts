import { filter, Subscription } from 'rxjs';
import { type Http, type Live, Store } from '#kernel';
import { type InboxKind, inboxKinds } from '#shared/inbox';
import { LiveOpened } from '#shared/live';
import { InboxChanged, type InboxCounts, type InboxEntry, inbox } from '../contract.ts';

/** The loaded entries of one tab of the inbox. */
export interface InboxList {
  readonly entries: readonly InboxEntry[];
  readonly hasMore: boolean;
  /** `loading`: the first entries are loading; `adding`: older entries are loading. */
  readonly status: 'unknown' | 'loading' | 'ready' | 'adding' | 'failed';
}

interface InboxState {
  readonly counts: InboxCounts;
  readonly shelves: Readonly<Record<InboxKind, InboxList>>;
}

const empty: InboxList = { entries: [], hasMore: false, status: 'unknown' };
const maxBatchSize = 50;

/** Notifications of the signed-in user; follows the server live. */
export class InboxStore extends Store<InboxState> {
  private readonly lifetime = new Subscription();
  private readonly asked = new Map<InboxKind, number>();

  constructor(
    private readonly http: Http,
    live: Live,
    /** Shortest time in milliseconds for which the loading of older entries is shown. */
    private readonly loadingTime = 1000,
  ) {
    super({ counts: { mail: 0, message: 0, notice: 0 }, shelves: { mail: empty, message: empty, notice: empty } });
    this.lifetime.add(live.stream(InboxChanged).subscribe(({ kind }) => this.renew([kind])));
    this.lifetime.add(
      live
        .stream(LiveOpened)
        .pipe(filter(({ resumed }) => !resumed))
        .subscribe(() => this.renew(inboxKinds)),
    );
  }

  /** Fetches the numbers of unread entries. */
  async count(): Promise<void> {
    const answer = await this.http.send(inbox.unread, {}, { quiet: true }).catch(() => undefined);
    if (answer?.success && !this.lifetime.closed) this.update((draft) => void Object.assign(draft.counts, answer.data));
  }

  /** Reloads the latest entries, at least as many as are loaded. */
  async load(kind: InboxKind): Promise<void> {
    const { entries, status } = this.state.shelves[kind];
    if (status === 'unknown' || status === 'failed') this.put(kind, { status: 'loading' });
    const size = Math.min(maxBatchSize, Math.max(10, entries.length));
    const page = await this.ask(kind, { size });
    if (page) this.put(kind, { ...page, status: 'ready' });
    else if (page === undefined && entries.length === 0) this.put(kind, { status: 'failed' });
  }

  /** Loads older entries. */
  async more(kind: InboxKind): Promise<void> {
    const { entries, hasMore, status } = this.state.shelves[kind];
    const before = entries.at(-1)?.id;
    if (!hasMore || status !== 'ready' || before === undefined) return;
    this.put(kind, { status: 'adding' });
    const [page] = await Promise.all([this.ask(kind, { before }), new Promise((resolve) => setTimeout(resolve, this.loadingTime))]);
    if (page) this.put(kind, { entries: [...this.state.shelves[kind].entries, ...page.entries], hasMore: page.hasMore });
    if (this.state.shelves[kind].status === 'adding') this.put(kind, { status: 'ready' });
  }

  async read({ id, kind, isRead }: InboxEntry): Promise<void> {
    if (isRead) return;
    this.mark(kind, (entry) => entry.id === id);
    await this.http.send(inbox.read, { ids: [id] }, { quiet: true }).catch(() => undefined);
    await this.count();
  }

  async readAll(kind: InboxKind): Promise<void> {
    this.mark(kind, () => true);
    await this.http.send(inbox.readAll, { kind }).catch(() => undefined);
    await this.count();
  }

  async removeSamples(): Promise<void> {
    await this.http.send(inbox.removeSamples, {}).catch(() => undefined);
    this.renew(inboxKinds);
  }

  dispose(): void {
    this.lifetime.unsubscribe();
  }

  private renew(kinds: readonly InboxKind[]): void {
    void this.count();
    for (const kind of kinds) if (this.state.shelves[kind].status === 'ready') void this.load(kind);
  }

  /** Fetches a page; `undefined` without an answer, `null` when a newer request has been sent meanwhile. */
  private async ask(kind: InboxKind, input: { before?: string; size?: number }) {
    const number = (this.asked.get(kind) ?? 0) + 1;
    this.asked.set(kind, number);
    const answer = await this.http.send(inbox.list, { kind, ...input }, { quiet: true }).catch(() => undefined);
    if (this.asked.get(kind) !== number || this.lifetime.closed) return null;
    return answer?.success ? answer.data : undefined;
  }

  private put(kind: InboxKind, change: Partial<InboxList>): void {
    if (!this.lifetime.closed) this.update((draft) => void Object.assign(draft.shelves[kind], change));
  }

  private mark(kind: InboxKind, isMeant: (entry: InboxEntry) => boolean): void {
    this.update((draft) => {
      for (const entry of draft.shelves[kind].entries) if (isMeant(entry)) entry.isRead = true;
    });
  }
}
