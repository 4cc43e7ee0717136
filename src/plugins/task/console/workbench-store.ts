import { Subscription } from 'rxjs';
import { type Http, Store } from '#kernel';
import { type AuditCounts, type AuditItem, audit } from '../contract.ts';

/** Decision that can still be undone. */
export interface PendingDecision {
  readonly items: readonly AuditItem[];
  readonly status: 1 | 2;
}

/** State of the workbench. */
export interface WorkbenchState {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly items: readonly AuditItem[];
  /** Id of the proof that is shown. */
  readonly at: string | undefined;
  readonly chosen: readonly string[];
  readonly counts: AuditCounts | undefined;
  readonly decided: PendingDecision | undefined;
}

const heldAtMost = 20;
const refillBelow = 10;
/** Milliseconds after which the lease of an active auditor is renewed. */
const renewedAfter = 180_000;

/** The auditor's share of the queue. A decision shows the next proof at once and is sent in the background; a proof whose decision is refused returns. */
export class WorkbenchStore extends Store<WorkbenchState> {
  readonly lifetime = new Subscription();
  private readonly left = new Set<string>();
  private readonly history: (PendingDecision & { readonly sent: Promise<boolean> })[] = [];
  private filling: Promise<void> | undefined;
  private askedAt = 0;
  private readonly skipped = new Set<string>();
  private readonly loaded = new Map<string, HTMLImageElement>();

  constructor(
    private readonly http: Http,
    /** Number of proofs whose pictures are preloaded. */
    private readonly picturesAhead: number,
  ) {
    super({ status: 'loading', items: [], at: undefined, chosen: [], counts: undefined, decided: undefined });
    this.lifetime.add(() => this.release());
  }

  get current(): AuditItem | undefined {
    return this.state.items.find(({ id }) => id === this.state.at);
  }

  /** Reloads the counts, and leases more proofs when few are left. */
  async refresh(): Promise<void> {
    void this.count();
    if (this.state.items.length < refillBelow) await this.fill();
  }

  show(id: string | undefined): void {
    this.update((state) => void Object.assign(state, { at: id }));
    this.preload();
  }

  /** Shows the proof this many places further, or back if negative. */
  move(by: number): void {
    const { items, at } = this.state;
    const index = items.findIndex(({ id }) => id === at) + by;
    if (items[index]) this.show(items[index].id);
  }

  selectItems(ids: readonly string[]): void {
    this.update((state) => void Object.assign(state, { chosen: [...ids] }));
  }

  toggle(id: string): void {
    const { chosen } = this.state;
    this.selectItems(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  }

  /** Decides the selected proofs, or the one shown. Resolves true when the server has accepted the decision. */
  async decide(status: 1 | 2, reason?: string): Promise<boolean> {
    const { items, chosen, at } = this.state;
    const decidedItems = items.filter(({ id }) => (chosen.length > 0 ? chosen.includes(id) : id === at));
    if (decidedItems.length === 0) return false;
    this.take(decidedItems);
    const ids = decidedItems.map(({ id }) => id);
    const sent = this.http.send(audit.decide, { ids, status, ...(reason ? { reason } : {}) }).then(
      ({ success }) => success,
      () => false,
    );
    const decided = { items: decidedItems, status };
    this.history.push({ ...decided, sent });
    this.update((state) => void Object.assign(state, { decided }));
    if (await sent) return true;
    this.dropFromHistory(decided);
    // The next lease returns those that are still undecided; those another auditor has decided do not come back.
    for (const id of ids) this.left.delete(id);
    // A request in progress still excludes these proofs.
    await this.filling;
    await this.fill();
    return false;
  }

  /** Undoes the last decision and shows its proofs again. */
  async undo(): Promise<boolean> {
    const last = this.history.pop();
    if (!last) return false;
    this.update((state) => void Object.assign(state, { decided: this.history.at(-1) }));
    const ids = last.items.map(({ id }) => id);
    if (!(await last.sent) || !(await this.http.send(audit.undo, { ids })).success) return false;
    for (const id of ids) this.left.delete(id);
    this.put([...last.items, ...this.state.items.filter(({ id }) => !ids.includes(id))]);
    this.show(ids[0]);
    void this.fill();
    return true;
  }

  /** Releases the current proof to other auditors; it comes back after all others. */
  skip(): void {
    const { current } = this;
    if (!current) return;
    this.take([current]);
    this.skipped.add(current.id);
    void this.http.send(audit.release, { ids: [current.id] }, { quiet: true }).catch(() => undefined);
  }

  private dropFromHistory(decided: PendingDecision): void {
    const index = this.history.findIndex(({ items }) => items === decided.items);
    if (index >= 0) this.history.splice(index, 1);
    this.update((state) => void Object.assign(state, { decided: this.history.at(-1) }));
  }

  private take(removed: readonly AuditItem[]): void {
    const { items, at } = this.state;
    for (const { id } of removed) this.left.add(id);
    const rest = items.filter(({ id }) => !this.left.has(id));
    const from = items.findIndex(({ id }) => id === at);
    const next = items.slice(from).find(({ id }) => !this.left.has(id)) ?? rest[0];
    this.update((state) => void Object.assign(state, { items: rest, at: next?.id, chosen: [] }));
    this.preload();
    if (rest.length < refillBelow || Date.now() - this.askedAt > renewedAfter) void this.fill();
  }

  private fill(): Promise<void> {
    this.filling ??= this.ask().finally(() => {
      this.filling = undefined;
    });
    return this.filling;
  }

  private async ask(): Promise<void> {
    this.askedAt = Date.now();
    const answer = await this.http.send(audit.take, { size: heldAtMost, except: [...this.left].slice(-200) }).catch(() => undefined);
    if (!answer?.success) {
      this.update((state) => void Object.assign(state, { status: state.items.length > 0 ? 'ready' : 'failed' }));
      return;
    }
    const listedIds = new Set(this.state.items.map(({ id }) => id));
    this.put([...this.state.items, ...answer.data.filter(({ id }) => !listedIds.has(id) && !this.left.has(id))]);
    if (this.state.items.length === 0 && this.skipped.size > 0) await this.comeBack();
  }

  /** Includes skipped proofs again once no others are left. */
  private async comeBack(): Promise<void> {
    for (const id of this.skipped) this.left.delete(id);
    this.skipped.clear();
    await this.ask();
  }

  private put(items: readonly AuditItem[]): void {
    const at = items.some(({ id }) => id === this.state.at) ? this.state.at : items[0]?.id;
    this.update((state) => void Object.assign(state, { status: 'ready', items, at }));
    this.preload();
  }

  private async count(): Promise<void> {
    const answer = await this.http.send(audit.counts, {}, { quiet: true }).catch(() => undefined);
    if (answer?.success) this.update((state) => void Object.assign(state, { counts: answer.data }));
  }

  /** Preloads the pictures of the next proofs. */
  private preload(): void {
    const { items, at } = this.state;
    const from = Math.max(
      0,
      items.findIndex(({ id }) => id === at),
    );
    const wanted = items.slice(from, from + 1 + this.picturesAhead).flatMap(({ images }) => images ?? []);
    for (const link of this.loaded.keys()) if (!wanted.includes(link)) this.loaded.delete(link);
    for (const link of wanted) {
      if (this.loaded.has(link)) continue;
      const picture = new Image();
      picture.src = link;
      this.loaded.set(link, picture);
    }
  }

  private release(): void {
    const ids = this.state.items.map(({ id }) => id);
    if (ids.length > 0) void this.http.send(audit.release, { ids }, { quiet: true }).catch(() => undefined);
  }
}
