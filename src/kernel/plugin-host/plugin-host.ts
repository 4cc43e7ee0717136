import { BehaviorSubject, type Observable } from 'rxjs';
import type { Undo } from '../bus.ts';
import type { Container } from '../container.ts';
import type { Plugin, PluginEntry } from '../plugin.ts';
import type { Services } from '../services.tsx';
import type { Slots } from '../slots/slots.ts';
import type { ClaimedPages, ClaimedSearch } from './claimed-pages.ts';
import type { FailureCounter } from './failure-counter.ts';
import { fittingOrder } from './fitting-order.ts';
import { guardedPhase } from './guarded-phase.ts';
import type { HostParts } from './host-parts.ts';
import { definitionProblem } from './plugin-definition.ts';
import { PluginRoster, type Seat } from './plugin-roster.ts';
import { PluginRun } from './plugin-run.ts';
import { type Cause, causes, type Phase, type PluginState } from './plugin-state.ts';
import { Publication } from './publication.ts';
import { mostOf } from './time-limit.ts';

/** The four stages of a boot; after `settled` only `enable` and `disable` change anything. */
export type Stage = 'read' | 'wire' | 'start' | 'settled';

/** False: these plugins must stay, since something of them would be lost. */
export type DisableGuard = (ids: readonly string[]) => Promise<boolean>;

/** Milliseconds the plugins that have been read wait for those that have not. */
const patience = 10_000;

/** Reads, wires, starts and stops plugins, each inside its own guard: one that fails is quarantined with its cause and harms nobody else. */
export class PluginHost {
  private readonly roster = new PluginRoster();
  private readonly stage = new BehaviorSubject<Stage>('read');
  private readonly shown = new Publication(
    () => this.running(),
    (pluginId, error) => this.report(pluginId, error),
  );
  private readonly faults;
  readonly slots: Slots = this.shown.slots;
  private queue: Promise<unknown> = Promise.resolve();
  private readonly ending = new AbortController();
  private readonly guards = new Set<DisableGuard>();

  readonly stage$ = this.stage.asObservable();
  readonly states$: Observable<readonly PluginState[]> = this.roster.states$;
  readonly pages$ = this.shown.pages$;

  constructor(private readonly parts: HostParts) {
    this.faults = parts.bus.faults$.subscribe(({ pluginId }) => pluginId !== undefined && this.roster.countFault(pluginId));
  }

  get states(): readonly PluginState[] {
    return this.roster.states;
  }

  /** The console's own services. */
  get container(): Container {
    return this.parts.container;
  }

  get definitions(): readonly Plugin[] {
    return this.roster.definitions;
  }

  get claimed(): ClaimedPages {
    return this.shown.claimed;
  }

  /** What can be searched in running plugins. */
  get searches(): readonly ClaimedSearch[] {
    return this.running().flatMap(({ searches }) => searches);
  }

  /** What a running plugin's own parts are lent. */
  servicesOf(id: string): Services | undefined {
    return this.roster.find(id)?.run?.container;
  }

  /** Brings up all that can be; never rejects. */
  boot(entries: readonly PluginEntry[]): Promise<void> {
    return this.inTurn(() => this.bringUp(entries));
  }

  /** Asks this before a plugin is disabled, with its id and those of the plugins that go with it. */
  guard(mayDisable: DisableGuard): Undo {
    this.guards.add(mayDisable);
    return () => void this.guards.delete(mayDisable);
  }

  /** Takes the plugin and those that need it back, dependents first; false when it is unknown, core, or guarded. */
  disable(id: string): Promise<boolean> {
    return this.inTurn(async () => {
      const seat = this.roster.find(id);
      if (!seat || seat.state.core) return false;
      const dependents = this.roster.dependentsOf(id).reverse();
      const going = [id, ...dependents.map(({ state }) => state.id)];
      for (const mayDisable of this.guards) if (!(await mayDisable(going))) return false;
      for (const dependent of dependents) if (dependent.run) this.stop(dependent, 'skipped', causes.need(id));
      this.stop(seat, 'disabled', causes.switchedOff());
      return true;
    });
  }

  /** Brings the plugin up, and those that were skipped for want of it; false when it does not run afterwards. */
  enable(id: string): Promise<boolean> {
    return this.inTurn(async () => {
      const seat = this.roster.find(id);
      if (!seat) return false;
      if (this.roster.isRunning(id)) return true;
      const isRead = seat.plugin && seat.state.cause?.phase !== 'read';
      return (isRead || (await this.read(seat))) && this.bringBack(seat);
    });
  }

  /** Takes the plugin down and brings it up as it is written now. Of those that need it, they go with it who may hold a service it shares. */
  replace(id: string): Promise<void> {
    return this.inTurn(() =>
      this.shown.after(async () => {
        const seat = this.roster.find(id);
        if (!seat) return;
        const isOff = seat.state.status === 'disabled' || seat.state.cause?.kind === 'safe-mode';
        const holders = seat.run?.isShared ? this.roster.dependentsOf(id).reverse() : [];
        for (const holder of holders) if (holder.run) this.stop(holder, 'skipped', causes.need(id));
        if (isOff) seat.plugin = undefined;
        else this.stop(seat, 'waiting', undefined);
        if (!isOff && (await this.read(seat))) await this.bringBack(seat);
      }),
    );
  }

  /** A page of a plugin could not be drawn. */
  pageFailed(pluginId: string, error: unknown): void {
    this.report(pluginId, error);
    // What did not come over the network says nothing of the plugin.
    if (!(error instanceof Error && error.name === 'ChunkLoadError')) this.count((failures) => failures.pageFailed(pluginId));
  }

  /** A page of a plugin is on screen. */
  pageDrawn(pluginId: string): void {
    void this.parts.failures?.known().then((failures) => failures?.pageDrawn(pluginId));
  }

  /** An error of a plugin's page or of anything else found to be its. */
  report(pluginId: string, error: unknown): void {
    this.parts.log.record('plugin', error, pluginId);
    this.roster.countFault(pluginId);
  }

  /** Stops every plugin, dependents first. */
  dispose(): void {
    this.ending.abort();
    for (const seat of [...this.roster.inOrder()].reverse()) if (seat.run) this.stop(seat, 'disabled', causes.switchedOff());
    this.faults.unsubscribe();
    this.stage.complete();
    this.shown.dispose();
    this.roster.dispose();
  }

  private async bringUp(entries: readonly PluginEntry[]): Promise<void> {
    await this.readAll(entries.map((entry) => this.roster.seat(entry)));
    const order = await fittingOrder(this.roster.definitions);
    this.stage.next('wire');
    this.rule(this.roster.plan(order));
    const seats = this.roster.inOrder().filter(({ state }) => state.status === 'waiting');
    for (const seat of seats) await this.wire(seat);
    this.stage.next('start');
    await this.startAll(seats);
    this.shown.now();
    if (!this.ending.signal.aborted) this.stage.next('settled');
  }

  /** What arrives after the others were brought up is brought up by itself. */
  private async readAll(seats: readonly Seat[]): Promise<void> {
    let isUnderWay = true;
    const reads = seats.map(async (seat) => {
      await this.take(seat);
      if (isUnderWay) return seat.plugin !== undefined;
      if (this.parts.safe && !seat.state.core) this.roster.put(seat, { status: 'skipped', cause: causes.safeMode() });
      else if (seat.plugin) await this.enable(seat.state.id);
      return false;
    });
    await mostOf(reads, this.parts.patience ?? patience, this.ending.signal);
    isUnderWay = false;
  }

  private async take(seat: Seat): Promise<void> {
    const { id } = seat.state;
    if (this.parts.off?.includes(id)) return this.roster.put(seat, { status: 'disabled', cause: causes.switchedOff() });
    await this.read(seat);
    const cause = seat.plugin && !seat.state.core ? (await this.parts.failures?.known())?.causeToLeaveOut(id) : undefined;
    if (cause) this.roster.put(seat, { status: 'quarantined', cause });
  }

  private async read(seat: Seat): Promise<boolean> {
    if (seat.isDuplicate) return this.fail(seat, causes.duplicate(seat.entry.id));
    let module: { readonly default: Plugin } | undefined;
    const isRead = await this.guarded(seat, 'read', async () => {
      module = await seat.entry.load();
    });
    if (!isRead) return false;
    const problem = definitionProblem(module?.default, seat.entry.id);
    if (problem) return this.fail(seat, causes.malformed(problem));
    this.roster.define(seat, module?.default as Plugin);
    return true;
  }

  /** Settles who cannot or may not run before anybody is wired. */
  private rule(impossible: ReadonlyMap<Seat, Cause>): void {
    for (const [seat, cause] of impossible) this.fail(seat, cause);
    if (!this.parts.safe || this.stage.value === 'settled') return;
    for (const seat of this.roster.inOrder())
      if (!seat.state.core && seat.state.status === 'waiting') this.roster.put(seat, { status: 'skipped', cause: causes.safeMode() });
  }

  private async bringBack(seat: Seat): Promise<boolean> {
    const { id } = seat.state;
    (await this.parts.failures?.known())?.forget(id);
    this.rule(this.roster.plan(await fittingOrder(this.roster.definitions)));
    for (const candidate of [seat, ...this.roster.dependentsOf(id).filter(({ state }) => state.cause?.kind === 'need')]) {
      if (!candidate.plugin || this.roster.isImpossible(candidate)) continue;
      await this.wire(candidate);
      await this.start(candidate);
      this.shown.now();
    }
    return this.roster.isRunning(id);
  }

  private async wire(seat: Seat): Promise<void> {
    if (this.ending.signal.aborted) return;
    const missing = this.roster.needNotUp(seat);
    if (missing !== undefined) return this.roster.put(seat, { status: 'skipped', cause: causes.need(missing) });
    const run = new PluginRun(seat.plugin as Plugin, this.parts.container, this.parts.bus);
    seat.run = run;
    if (await this.guarded(seat, 'wire', () => run.wire())) this.roster.put(seat, { status: 'wired', cause: undefined });
  }

  /** Independent plugins start side by side, each once what it needs is running. */
  private async startAll(seats: readonly Seat[]): Promise<void> {
    const started = new Map<string, Promise<void>>();
    for (const seat of seats) {
      const needed = [...seat.state.needs, ...(seat.plugin?.wants ?? [])].map((id) => started.get(id));
      started.set(
        seat.state.id,
        Promise.all(needed).then(() => this.start(seat)),
      );
    }
    await Promise.all(started.values());
  }

  private async start(seat: Seat): Promise<void> {
    const { run } = seat;
    if (!run || seat.state.status !== 'wired') return;
    const missing = this.roster.needNotRunning(seat);
    if (missing !== undefined) return this.stop(seat, 'skipped', causes.need(missing));
    const isStarted = await this.guarded(seat, 'start', () => run.start());
    if (!isStarted || seat.run !== run) return;
    this.roster.put(seat, { status: 'running', cause: undefined });
    this.shown.soon();
  }

  /** Does one phase of one plugin; false: it threw or hung, and is quarantined. */
  private async guarded(seat: Seat, phase: Phase, work: () => unknown): Promise<boolean> {
    const began = performance.now();
    const cause = await guardedPhase(work, { phase, limit: this.parts.timeLimit, signal: this.ending.signal });
    if (cause && phase !== 'read') this.count((failures) => failures.startFailed(seat.state.id));
    if (cause) this.fail(seat, cause);
    this.roster.time(seat, phase, performance.now() - began);
    return !cause;
  }

  private count(work: (failures: FailureCounter) => void): void {
    void this.parts.failures?.counter().then(work, () => undefined);
  }

  private fail(seat: Seat, cause: Cause): false {
    if (this.ending.signal.aborted) return false;
    this.parts.log.record('plugin', cause.error ?? cause.words[1], seat.state.id);
    this.stop(seat, 'quarantined', cause);
    return false;
  }

  private stop(seat: Seat, status: PluginState['status'], cause: Cause | undefined): void {
    const { run } = seat;
    seat.run = undefined;
    this.roster.put(seat, { status, cause });
    this.shown.now();
    const began = performance.now();
    for (const error of run?.stop() ?? []) this.report(seat.state.id, error);
    if (run) this.roster.time(seat, 'stop', performance.now() - began);
  }

  private running(): PluginRun[] {
    return this.roster.inOrder().flatMap(({ run, state }) => (state.status === 'running' && run ? [run] : []));
  }

  private inTurn<Given>(work: () => Promise<Given>): Promise<Given> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => undefined);
    return turn;
  }
}
