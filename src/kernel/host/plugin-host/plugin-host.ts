import { BehaviorSubject, type Observable } from 'rxjs';
import type { CrashLoopGuard } from '#shared/crash-loop-guard';
import { TaskQueue } from '#shared/task-queue';
import type { Disposer } from '../../base/bus/bus.ts';
import type { Container } from '../../base/container/container.ts';
import type { Services } from '../../base/container/services.ts';
import type { Slots } from '../../ui/slots/slots.ts';
import { resolveCompatibleOrder } from '../plugin/compatible-order.ts';
import type { Plugin, PluginEntry } from '../plugin/plugin.ts';
import { definitionProblem } from '../plugin/plugin-definition.ts';
import { type Cause, causes, type Phase, type PluginState } from '../plugin/plugin-state.ts';
import { ContributionRegistry } from './contribution-registry.ts';
import { isCrashLooping, pageKey } from './failures.ts';
import type { PluginHostOptions } from './host-parts.ts';
import { PluginInstance } from './plugin-instance.ts';
import { type PluginRecord, PluginRegistry } from './plugin-registry.ts';
import type { RegisteredPages, RegisteredSearch } from './registered-pages.ts';
import { runPhase } from './run-phase.ts';
import { allSettledWithin } from './time-limit.ts';

/** The four stages of the start; after `settled` only `enable`, `disable` and `replace` change anything. */
export type Stage = 'read' | 'wire' | 'start' | 'settled';

/** Resolves false when these plugins must stay, because unsaved changes would be lost. */
export type DisableGuard = (ids: readonly string[]) => Promise<boolean>;

/** Milliseconds for which loaded plugins wait for the others. */
const startTimeoutMs = 10_000;

/** Reads, wires, starts and stops plugins, each inside its own guard: one that fails is quarantined with its cause and does not affect the others. */
export class PluginHost {
  private readonly roster = new PluginRegistry();
  private readonly stage = new BehaviorSubject<Stage>('read');
  private readonly shown = new ContributionRegistry(
    () => this.running(),
    (pluginId, error) => this.report(pluginId, error),
  );
  private readonly faults;
  readonly slots: Slots = this.shown.slots;
  private readonly queue = new TaskQueue();
  private readonly ending = new AbortController();
  private readonly guards = new Set<DisableGuard>();

  readonly stage$ = this.stage.asObservable();
  readonly states$: Observable<readonly PluginState[]> = this.roster.states$;
  readonly pages$ = this.shown.pages$;

  constructor(private readonly deps: PluginHostOptions) {
    this.faults = deps.bus.faults$.subscribe(({ pluginId }) => pluginId !== undefined && this.roster.countFault(pluginId));
  }

  get states(): readonly PluginState[] {
    return this.roster.states;
  }

  /** Services of the console itself. */
  get container(): Container {
    return this.deps.container;
  }

  get definitions(): readonly Plugin[] {
    return this.roster.definitions;
  }

  get claimed(): RegisteredPages {
    return this.shown.claimed;
  }

  /** Record searches of running plugins. */
  get searches(): readonly RegisteredSearch[] {
    return this.running().flatMap(({ searches }) => searches);
  }

  /** Returns the services provided to a running plugin's components. */
  servicesOf(id: string): Services | undefined {
    return this.roster.find(id)?.run?.container;
  }

  /** Starts every plugin it can; never rejects. */
  boot(entries: readonly PluginEntry[]): Promise<void> {
    return this.queue.run(() => this.bringUp(entries));
  }

  /** Registers a guard that is asked before a plugin is disabled, with the ids of the plugin and of its dependents. */
  guard(mayDisable: DisableGuard): Disposer {
    this.guards.add(mayDisable);
    return () => void this.guards.delete(mayDisable);
  }

  /** Stops the plugin and its dependents, dependents first; resolves false when it is unknown, core, or guarded. */
  disable(id: string): Promise<boolean> {
    return this.queue.run(async () => {
      const seat = this.roster.find(id);
      if (!seat || seat.state.core) return false;
      const dependents = this.roster.dependentsOf(id).reverse();
      const stoppingIds = [id, ...dependents.map(({ state }) => state.id)];
      for (const mayDisable of this.guards) if (!(await mayDisable(stoppingIds))) return false;
      for (const dependent of dependents) if (dependent.run) this.stop(dependent, 'skipped', causes.need(id));
      this.stop(seat, 'disabled', causes.switchedOff());
      return true;
    });
  }

  /** Starts the plugin and the dependents that were skipped without it; resolves false when it does not run afterwards. */
  enable(id: string): Promise<boolean> {
    return this.queue.run(async () => {
      const seat = this.roster.find(id);
      if (!seat) return false;
      if (this.roster.isRunning(id)) return true;
      const isRead = seat.plugin && seat.state.cause?.phase !== 'read';
      return (isRead || (await this.read(seat))) && this.bringBack(seat);
    });
  }

  /** Stops the plugin and starts its newly loaded code. Dependents restart with it when they may hold one of its services. */
  replace(id: string): Promise<void> {
    return this.queue.run(() =>
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

  /** Reports a page of a plugin that failed to render. */
  pageFailed(pluginId: string, error: unknown): void {
    this.report(pluginId, error);
    // A chunk that failed to load is no fault of the plugin.
    if (!(error instanceof Error && error.name === 'ChunkLoadError')) this.count((failures) => failures.failed(pageKey(pluginId)));
  }

  /** Reports a page of a plugin that has rendered. */
  pageDrawn(pluginId: string): void {
    void this.deps.failures?.storedCounter().then((failures) => failures?.succeeded(pageKey(pluginId)));
  }

  /** Records an error of a plugin's page or of other code attributed to the plugin. */
  report(pluginId: string, error: unknown): void {
    this.deps.log.record('plugin', error, pluginId);
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
    const order = await resolveCompatibleOrder(this.roster.definitions);
    this.stage.next('wire');
    this.rule(this.roster.plan(order));
    const seats = this.roster.inOrder().filter(({ state }) => state.status === 'waiting');
    for (const seat of seats) await this.wire(seat);
    this.stage.next('start');
    await this.startAll(seats);
    this.shown.now();
    if (!this.ending.signal.aborted) this.stage.next('settled');
  }

  /** Loads the plugins; one that arrives after the others have started is started by itself. */
  private async readAll(seats: readonly PluginRecord[]): Promise<void> {
    let isReading = true;
    const reads = seats.map(async (seat) => {
      await this.take(seat);
      if (isReading) return seat.plugin !== undefined;
      if (this.deps.safe && !seat.state.core) this.roster.put(seat, { status: 'skipped', cause: causes.safeMode() });
      else if (seat.plugin) await this.enable(seat.state.id);
      return false;
    });
    await allSettledWithin(reads, this.deps.startTimeoutMs ?? startTimeoutMs, this.ending.signal);
    isReading = false;
  }

  private async take(seat: PluginRecord): Promise<void> {
    const { id } = seat.state;
    if (this.deps.off?.includes(id)) return this.roster.put(seat, { status: 'disabled', cause: causes.switchedOff() });
    await this.read(seat);
    const failures = seat.plugin && !seat.state.core ? await this.deps.failures?.storedCounter() : undefined;
    if (failures && isCrashLooping(failures, id)) this.roster.put(seat, { status: 'quarantined', cause: causes.failsEachTime() });
  }

  private async read(seat: PluginRecord): Promise<boolean> {
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

  /** Marks the plugins that cannot or may not run before any plugin is wired. */
  private rule(impossible: ReadonlyMap<PluginRecord, Cause>): void {
    for (const [seat, cause] of impossible) this.fail(seat, cause);
    if (!this.deps.safe || this.stage.value === 'settled') return;
    for (const seat of this.roster.inOrder())
      if (!seat.state.core && seat.state.status === 'waiting') this.roster.put(seat, { status: 'skipped', cause: causes.safeMode() });
  }

  private async bringBack(seat: PluginRecord): Promise<boolean> {
    const { id } = seat.state;
    const failures = await this.deps.failures?.storedCounter();
    if (failures && isCrashLooping(failures, id)) for (const key of [id, pageKey(id)]) failures.clear(key);
    this.rule(this.roster.plan(await resolveCompatibleOrder(this.roster.definitions)));
    for (const candidate of [seat, ...this.roster.dependentsOf(id).filter(({ state }) => state.cause?.kind === 'need')]) {
      if (!candidate.plugin || this.roster.isImpossible(candidate)) continue;
      await this.wire(candidate);
      await this.start(candidate);
      this.shown.now();
    }
    return this.roster.isRunning(id);
  }

  private async wire(seat: PluginRecord): Promise<void> {
    if (this.ending.signal.aborted) return;
    const missing = this.roster.needNotUp(seat);
    if (missing !== undefined) return this.roster.put(seat, { status: 'skipped', cause: causes.need(missing) });
    const run = new PluginInstance(seat.plugin as Plugin, this.deps.container, this.deps.bus);
    seat.run = run;
    if (await this.guarded(seat, 'wire', () => run.wire())) this.roster.put(seat, { status: 'wired', cause: undefined });
  }

  /** Starts independent plugins in parallel, each one after its dependencies run. */
  private async startAll(seats: readonly PluginRecord[]): Promise<void> {
    const started = new Map<string, Promise<void>>();
    for (const seat of seats) {
      const needed = [...seat.state.dependencies, ...(seat.plugin?.optionalDependencies ?? [])].map((id) => started.get(id));
      started.set(
        seat.state.id,
        Promise.all(needed).then(() => this.start(seat)),
      );
    }
    await Promise.all(started.values());
  }

  private async start(seat: PluginRecord): Promise<void> {
    const { run } = seat;
    if (!run || seat.state.status !== 'wired') return;
    const missing = this.roster.needNotRunning(seat);
    if (missing !== undefined) return this.stop(seat, 'skipped', causes.need(missing));
    const isStarted = await this.guarded(seat, 'start', () => run.start());
    if (!isStarted || seat.run !== run) return;
    this.roster.put(seat, { status: 'running', cause: undefined });
    void this.deps.failures?.storedCounter().then((failures) => failures?.succeeded(seat.state.id));
    this.shown.soon();
  }

  /** Runs one phase of one plugin; resolves false when it failed and the plugin is quarantined. */
  private async guarded(seat: PluginRecord, phase: Phase, work: () => unknown): Promise<boolean> {
    const began = performance.now();
    const cause = await runPhase(work, { phase, limit: this.deps.timeLimit, signal: this.ending.signal });
    if (cause && phase !== 'read') this.count((failures) => failures.failed(seat.state.id));
    if (cause) this.fail(seat, cause);
    this.roster.time(seat, phase, performance.now() - began);
    return !cause;
  }

  private count(work: (failures: CrashLoopGuard) => void): void {
    void this.deps.failures?.counter().then(work, () => undefined);
  }

  private fail(seat: PluginRecord, cause: Cause): false {
    if (this.ending.signal.aborted) return false;
    this.deps.log.record('plugin', cause.error ?? cause.words[1], seat.state.id);
    this.stop(seat, 'quarantined', cause);
    return false;
  }

  private stop(seat: PluginRecord, status: PluginState['status'], cause: Cause | undefined): void {
    const { run } = seat;
    seat.run = undefined;
    this.roster.put(seat, { status, cause });
    this.shown.now();
    const began = performance.now();
    for (const error of run?.stop() ?? []) this.report(seat.state.id, error);
    if (run) this.roster.time(seat, 'stop', performance.now() - began);
  }

  private running(): PluginInstance[] {
    return this.roster.inOrder().flatMap(({ run, state }) => (state.status === 'running' && run ? [run] : []));
  }
}
