import { Subscription } from 'rxjs';
import { type Http, Store } from '#kernel';
import type { BatchResult } from '#shared/contract';
import { type AuditCounts, type AuditItem, audit } from '../contract.ts';

/** Decision that undo takes back; the server refuses it after `undoSeconds`. */
export interface UndoableDecision {
  readonly items: readonly AuditItem[];
  readonly status: 1 | 2;
}

/** State of the workbench. */
export interface WorkbenchState {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly items: readonly AuditItem[];
  /** Id of the proof that is shown. */
  readonly currentId: string | undefined;
  readonly selected: readonly string[];
  readonly counts: AuditCounts | undefined;
  readonly decided: UndoableDecision | undefined;
  /** Last decision of several proofs that left some out, until it is dismissed. */
  readonly partial: BatchResult | undefined;
}

const maxLeases = 20;
const refillBelow = 10;
/** Milliseconds after which the lease of an active auditor is renewed. */
const renewAfterMs = 180_000;

/** Proofs leased to the auditor. A decision shows the next proof at once and is sent in the background; a proof whose decision is refused returns. */
export class WorkbenchStore extends Store<WorkbenchState> {
  readonly lifetime = new Subscription();
  /** Ids of proofs that are decided or skipped and are not leased again. */
  private readonly excluded = new Set<string>();
  private readonly history: (UndoableDecision & { readonly sent: Promise<boolean> })[] = [];
  private filling: Promise<void> | undefined;
  private leasedAt = 0;
  /** Entries of the history that are being undone. */
  private readonly undoing = new Set<Promise<boolean>>();
  private readonly skipped = new Set<string>();
  private readonly preloaded = new Map<string, HTMLImageElement>();

  constructor(
    private readonly http: Http,
    /** Number of proofs whose pictures are preloaded. */
    private readonly picturesAhead: number,
    /** True in a role preview, which shows the queue without leasing or deciding anything. */
    readonly isReadOnly = false,
  ) {
    super({ status: 'loading', items: [], currentId: undefined, selected: [], counts: undefined, decided: undefined, partial: undefined });
    this.lifetime.add(() => this.release(this.state.items));
  }

  get current(): AuditItem | undefined {
    return this.state.items.find(({ id }) => id === this.state.currentId);
  }

  /** Reloads the counts, and leases more proofs when few are left. */
  async refresh(): Promise<void> {
    void this.count();
    if (this.state.items.length < refillBelow) await this.fill();
  }

  show(id: string | undefined): void {
    this.set({ currentId: id });
    this.preload();
  }

  /** Shows the proof this many positions further, or back if negative. */
  move(by: number): void {
    const { items, currentId } = this.state;
    const index = items.findIndex(({ id }) => id === currentId) + by;
    if (items[index]) this.show(items[index].id);
  }

  selectItems(ids: readonly string[]): void {
    this.set({ selected: [...ids] });
  }

  toggle(id: string): void {
    const { selected } = this.state;
    this.selectItems(selected.includes(id) ? selected.filter((one) => one !== id) : [...selected, id]);
  }

  /** Decides the selected proofs, or the one shown. Resolves true when the server has accepted the decision. */
  async decide(status: 1 | 2, reason?: string): Promise<boolean> {
    const { items, selected, currentId } = this.state;
    const decidedItems = items.filter(({ id }) => (selected.length > 0 ? selected.includes(id) : id === currentId));
    if (decidedItems.length === 0 || this.isReadOnly) return false;
    this.removeItems(decidedItems);
    const ids = decidedItems.map(({ id }) => id);
    // The next proof is shown already, so an auditor may close the page while the last decision is being sent.
    const sent = this.http.send(audit.decide, { ids, status, partial: true, ...(reason ? { reason } : {}) }, { keepAlive: true }).then(
      ({ data }) => data,
      () => null,
    );
    const decided = { items: decidedItems, status };
    this.history.push({ ...decided, sent: sent.then((data) => data !== null) });
    this.set({ decided });
    const result = await sent;
    const { rows = [] } = result ?? {};
    if (result && rows.length === 0) return true;
    const refused = result ? rows.map(({ id }) => id) : ids;
    this.dropFromHistory(decided, refused);
    if (rows.length > 0) this.set({ partial: { done: ids.length - rows.length, total: ids.length, rows } });
    // The next lease returns those that are still undecided; those another auditor has decided do not come back.
    for (const id of refused) this.excluded.delete(id);
    // A request in progress still excludes these proofs.
    await this.filling;
    await this.fill();
    return false;
  }

  dismissPartial(): void {
    this.set({ partial: undefined });
  }

  /** Undoes the last decision and shows its proofs again. */
  async undo(): Promise<boolean> {
    const { sent } = this.history.findLast((entry) => !this.undoing.has(entry.sent)) ?? {};
    if (!sent) return false;
    this.undoing.add(sent);
    try {
      // Proofs whose decision is refused leave the entry.
      await sent;
      const entry = this.history.find((one) => one.sent === sent);
      return entry !== undefined && (await this.undoEntry(entry));
    } finally {
      this.undoing.delete(sent);
    }
  }

  private async undoEntry(entry: (typeof this.history)[number]): Promise<boolean> {
    const ids = entry.items.map(({ id }) => id);
    const answer = await this.http.send(audit.undo, { ids }).catch(() => undefined);
    // After a network error it can be undone again; the server refuses it for good.
    if (!answer) return false;
    this.history.splice(this.history.indexOf(entry), 1);
    this.set({ decided: this.history.at(-1) });
    if (!answer.success) return false;
    for (const id of ids) this.excluded.delete(id);
    this.setItems([...entry.items, ...this.state.items.filter(({ id }) => !ids.includes(id))]);
    this.show(ids[0]);
    void this.fill();
    return true;
  }

  /** Releases the current proof to other auditors; it comes back after all others. Does nothing while proofs are selected. */
  skip(): void {
    const { current } = this;
    if (!current || this.state.selected.length > 0 || this.isReadOnly) return;
    this.removeItems([current]);
    this.skipped.add(current.id);
    this.release([current]);
  }

  /** Keeps only the accepted proofs of a decision in the history. */
  private dropFromHistory(decided: UndoableDecision, refused: readonly string[]): void {
    const index = this.history.findIndex(({ items }) => items === decided.items);
    const entry = this.history[index];
    const accepted = decided.items.filter(({ id }) => !refused.includes(id));
    if (entry) this.history.splice(index, 1, ...(accepted.length > 0 ? [{ ...entry, items: accepted }] : []));
    this.set({ decided: this.history.at(-1) });
  }

  private removeItems(removed: readonly AuditItem[]): void {
    const { items, currentId } = this.state;
    for (const { id } of removed) this.excluded.add(id);
    const remaining = items.filter(({ id }) => !this.excluded.has(id));
    const from = items.findIndex(({ id }) => id === currentId);
    const next = items.slice(from).find(({ id }) => !this.excluded.has(id)) ?? remaining[0];
    this.set({ items: remaining, currentId: next?.id, selected: [] });
    this.preload();
    if (remaining.length < refillBelow || Date.now() - this.leasedAt > renewAfterMs) void this.fill();
  }

  private fill(): Promise<void> {
    this.filling ??= this.lease().finally(() => {
      this.filling = undefined;
    });
    return this.filling;
  }

  private async lease(): Promise<void> {
    if (this.lifetime.closed) return;
    this.leasedAt = Date.now();
    const request = this.isReadOnly
      ? this.http.send(audit.peek, { size: maxLeases })
      : this.http.send(audit.lease, { size: maxLeases, except: [...this.excluded].slice(-200) });
    const response = await request.catch(() => undefined);
    if (!response?.success) {
      this.set({ status: this.state.items.length > 0 ? 'ready' : 'failed' });
      return;
    }
    // The page has been closed meanwhile.
    if (this.lifetime.closed) return this.release(response.data);
    const listed = this.isReadOnly ? [] : this.state.items;
    const listedIds = new Set(listed.map(({ id }) => id));
    this.setItems([...listed, ...response.data.filter(({ id }) => !listedIds.has(id) && !this.excluded.has(id))]);
    if (this.state.items.length === 0 && this.skipped.size > 0) await this.readmitSkipped();
  }

  /** Includes skipped proofs again once no others are left. */
  private async readmitSkipped(): Promise<void> {
    for (const id of this.skipped) this.excluded.delete(id);
    this.skipped.clear();
    await this.lease();
  }

  private setItems(items: readonly AuditItem[]): void {
    const currentId = items.some(({ id }) => id === this.state.currentId) ? this.state.currentId : items[0]?.id;
    this.set({ status: 'ready', items, currentId });
    this.preload();
  }

  private async count(): Promise<void> {
    const response = await this.http.send(audit.counts, {}, { quiet: true }).catch(() => undefined);
    if (response?.success) this.set({ counts: response.data });
  }

  /** Preloads the pictures of the next proofs. */
  private preload(): void {
    const { items, currentId } = this.state;
    const index = items.findIndex(({ id }) => id === currentId);
    const from = Math.max(0, index);
    const links = items.slice(from, from + 1 + this.picturesAhead).flatMap(({ images }) => images ?? []);
    for (const link of this.preloaded.keys()) if (!links.includes(link)) this.preloaded.delete(link);
    for (const link of links) {
      if (this.preloaded.has(link)) continue;
      const picture = new Image();
      picture.src = link;
      this.preloaded.set(link, picture);
    }
  }

  private release(items: readonly AuditItem[]): void {
    const ids = items.map(({ id }) => id);
    if (ids.length > 0 && !this.isReadOnly) void this.http.send(audit.release, { ids }, { quiet: true }).catch(() => undefined);
  }
}
