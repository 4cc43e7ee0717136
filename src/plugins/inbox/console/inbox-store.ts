import { filter, Subscription } from 'rxjs';
import { type Answer, type Http, type Live, Store } from '#kernel';
import { type InboxKind, inboxKinds } from '#shared/inbox';
import { LiveOpened } from '#shared/live';
import { InboxChanged, type InboxCounts, type InboxEntry, inbox } from '../contract.ts';

/** The loaded entries of one tab of the inbox. */
export interface InboxList {
  readonly entries: readonly InboxEntry[];
  readonly hasMore: boolean;
  /** `loading`: the latest entries; `adding`: older entries. */
  readonly status: 'unknown' | 'loading' | 'ready' | 'adding' | 'failed';
}

interface InboxState {
  readonly counts: InboxCounts;
  readonly lists: Readonly<Record<InboxKind, InboxList>>;
}

const empty: InboxList = { entries: [], hasMore: false, status: 'unknown' };
const maxBatchSize = 50;

/** Notifications of the signed-in user; follows the server live. */
export class InboxStore extends Store<InboxState> {
  private readonly lifetime = new Subscription();
  private readonly lastRequests = new Map<InboxKind, number>();
  private lastCount = 0;
  /** Kinds that have changed while a request for their entries was on its way, which may have been read before the change. */
  private readonly outdated = new Set<InboxKind>();

  constructor(
    private readonly http: Http,
    live: Live,
    /** Minimum time for which the loading of older entries is shown. */
    private readonly minLoadingMs = 1000,
  ) {
    super({ counts: { mail: 0, message: 0, notice: 0 }, lists: { mail: empty, message: empty, notice: empty } });
    this.lifetime.add(live.stream(InboxChanged).subscribe(({ kind }) => this.refresh([kind])));
    this.lifetime.add(
      live
        .stream(LiveOpened)
        .pipe(filter(({ resumed }) => !resumed))
        .subscribe(() => this.refresh(inboxKinds)),
    );
  }

  /** Fetches the numbers of unread entries. */
  async count(): Promise<void> {
    const requestNumber = ++this.lastCount;
    const response = await this.http.send(inbox.unread, {}, { quiet: true }).catch(() => undefined);
    if (response?.success && requestNumber === this.lastCount && !this.lifetime.closed) this.update((draft) => void Object.assign(draft.counts, response.data));
  }

  /** Reloads the latest entries, at least as many as are loaded. */
  async load(kind: InboxKind): Promise<void> {
    const { entries, status } = this.state.lists[kind];
    if (status === 'unknown' || status === 'failed') this.patch(kind, { status: 'loading' });
    const size = Math.min(maxBatchSize, Math.max(10, entries.length));
    const page = await this.fetchPage(kind, { size });
    if (page) this.patch(kind, { ...page, status: 'ready' });
    else if (page === undefined && entries.length === 0) this.patch(kind, { status: 'failed' });
    if (page !== null) this.reloadOutdated(kind);
  }

  /** Loads older entries. */
  async loadMore(kind: InboxKind): Promise<void> {
    const { entries, hasMore, status } = this.state.lists[kind];
    const before = entries.at(-1)?.id;
    if (!hasMore || status !== 'ready' || before === undefined) return;
    this.patch(kind, { status: 'adding' });
    const [page] = await Promise.all([this.fetchPage(kind, { before }), new Promise((resolve) => setTimeout(resolve, this.minLoadingMs))]);
    if (page) this.patch(kind, { entries: [...this.state.lists[kind].entries, ...page.entries], hasMore: page.hasMore });
    if (this.state.lists[kind].status === 'adding') this.patch(kind, { status: 'ready' });
    this.reloadOutdated(kind);
  }

  async read({ id, kind, isRead }: InboxEntry): Promise<void> {
    if (!isRead) await this.markRead(kind, [id], () => this.http.send(inbox.read, { ids: [id] }, { quiet: true }));
  }

  async readAll(kind: InboxKind): Promise<void> {
    const unread = this.state.lists[kind].entries.filter(({ isRead }) => !isRead);
    await this.markRead(
      kind,
      unread.map(({ id }) => id),
      () => this.http.send(inbox.readAll, { kind }),
    );
  }

  async removeSamples(): Promise<void> {
    await this.http.send(inbox.removeSamples, {}).catch(() => undefined);
    this.refresh(inboxKinds);
  }

  dispose(): void {
    this.lifetime.unsubscribe();
  }

  private refresh(kinds: readonly InboxKind[]): void {
    void this.count();
    for (const kind of kinds) {
      const { status } = this.state.lists[kind];
      if (status === 'ready') void this.load(kind);
      else if (status === 'loading' || status === 'adding') this.outdated.add(kind);
    }
  }

  private reloadOutdated(kind: InboxKind): void {
    if (this.outdated.delete(kind)) void this.load(kind);
  }

  /** Fetches a page; `undefined` if the request fails, `null` if a newer one has been sent meanwhile. */
  private async fetchPage(kind: InboxKind, input: { before?: string; size?: number }) {
    const requestNumber = (this.lastRequests.get(kind) ?? 0) + 1;
    this.lastRequests.set(kind, requestNumber);
    const response = await this.http.send(inbox.list, { kind, ...input }, { quiet: true }).catch(() => undefined);
    if (this.lastRequests.get(kind) !== requestNumber || this.lifetime.closed) return null;
    return response?.success ? response.data : undefined;
  }

  private patch(kind: InboxKind, change: Partial<InboxList>): void {
    if (!this.lifetime.closed) this.update((draft) => void Object.assign(draft.lists[kind], change));
  }

  /** Shows entries as read at once, and as unread again if the server does not store it. */
  private async markRead(kind: InboxKind, ids: readonly string[], send: () => Promise<Answer<unknown>>): Promise<void> {
    this.setRead(kind, ids, true);
    const answer = await send().catch(() => undefined);
    if (!answer?.success) this.setRead(kind, ids, false);
    await this.count();
  }

  private setRead(kind: InboxKind, ids: readonly string[], isRead: boolean): void {
    if (this.lifetime.closed) return;
    this.update((draft) => {
      for (const entry of draft.lists[kind].entries) if (ids.includes(entry.id)) entry.isRead = isRead;
    });
  }
}
