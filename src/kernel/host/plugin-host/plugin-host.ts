import { BehaviorSubject, type Observable } from 'rxjs';
import type { CrashLoopGuard } from '#shared/crash-loop-guard';
import { TaskQueue } from '#shared/task-queue';
import type { Disposer } from '../../base/bus/bus.ts';
import type { Container } from '../../base/container/container.ts';
import type { Services } from '../../base/container/services.ts';
import type { Slots } from '../../ui/slots/slots.ts';
import type { LoadablePlugin, Plugin } from '../plugin/plugin.ts';
import { definitionProblem } from '../plugin/plugin-definition.ts';
import { type Cause, causes, type Phase, type PluginState } from '../plugin/plugin-state.ts';
import { ContributionRegistry } from './contribution-registry.ts';
import { isCrashLooping, pageKey } from './crash-loop-guard-loader.ts';
import type { PluginHostOptions } from './plugin-host-options.ts';
import { PluginInstance } from './plugin-instance.ts';
import { type PluginRecord, PluginRegistry, resolveCompatibleOrder } from './plugin-registry.ts';
import type { RegisteredPages } from './registered-pages.ts';
import { allSettledWithin, runPhase } from './run-phase.ts';

/** The four stages of the start; after `settled` only `enable`, `disable` and `replace` change anything. */
export type Stage = 'read' | 'wire' | 'start' | 'settled';

/** Resolves false when these plugins must stay, because unsaved changes would be lost. */
export type DisableGuard = (ids: readonly string[]) => Promise<boolean>;

/** Milliseconds for which loaded plugins wait for the others. */
const startTimeoutMs = 10_000;

/** Reads, wires, starts and stops plugins, each inside its own guard: one that fails is quarantined with its cause and does not affect the others. */
export class PluginHost {
  private readonly registry = new PluginRegistry();
  private readonly stage = new BehaviorSubject<Stage>('read');
  private readonly contributions = new ContributionRegistry(
    () => this.running(),
    (pluginId, error) => this.report(pluginId, error),
  );
  private readonly listenerErrors;
  readonly slots: Slots = this.contributions.slots;
  private readonly queue = new TaskQueue();
  private readonly shutdown = new AbortController();
  private readonly disableGuards = new Set<DisableGuard>();

  readonly stage$ = this.stage.asObservable();
  readonly states$: Observable<readonly PluginState[]> = this.registry.states$;
  readonly pages$ = this.contributions.pages$;

  constructor(private readonly deps: PluginHostOptions) {
    this.listenerErrors = deps.bus.listenerErrors$.subscribe(({ pluginId }) => pluginId !== undefined && this.registry.countFault(pluginId));
  }

  get states(): readonly PluginState[] {
    return this.registry.states;
  }

  /** Services of the console itself. */
  get container(): Container {
    return this.deps.container;
  }

  get definitions(): readonly Plugin[] {
    return this.registry.definitions;
  }

  get registeredPages(): RegisteredPages {
    return this.contributions.registeredPages;
  }

  /** Returns the services provided to a running plugin's components. */
  servicesOf(id: string): Services | undefined {
    return this.registry.find(id)?.instance?.container;
  }

  /** Starts every plugin it can; never rejects. */
  boot(entries: readonly LoadablePlugin[]): Promise<void> {
    return this.queue.run(() => this.runBoot(entries));
  }

  /** Registers a guard that is asked before a plugin is disabled, with the ids of the plugin and of its dependents. */
  guard(mayDisable: DisableGuard): Disposer {
    this.disableGuards.add(mayDisable);
    return () => void this.disableGuards.delete(mayDisable);
  }

  /** Stops the plugin and its dependents, dependents first; resolves false when it is unknown, core, or guarded. */
  disable(id: string): Promise<boolean> {
    return this.queue.run(async () => {
      const record = this.registry.find(id);
      if (!record || record.state.core) return false;
      const dependents = this.registry.dependentsOf(id).reverse();
      const stoppingIds = [id, ...dependents.map(({ state }) => state.id)];
      for (const mayDisable of this.disableGuards) if (!(await mayDisable(stoppingIds))) return false;
      for (const dependent of dependents) if (dependent.instance) this.stop(dependent, 'skipped', causes.dependency(id));
      this.stop(record, 'disabled', causes.switchedOff());
      return true;
    });
  }

  /** Starts the plugin and the dependents that were skipped without it; resolves false when it does not run afterwards. */
  enable(id: string): Promise<boolean> {
    return this.queue.run(async () => {
      const record = this.registry.find(id);
      if (!record) return false;
      if (this.registry.isRunning(id)) return true;
      const isRead = record.plugin && record.state.cause?.phase !== 'read';
      return (isRead || (await this.read(record))) && this.restart(record);
    });
  }

  /** Stops the plugin and starts its newly loaded code. Dependents restart with it when they may hold one of its services. */
  replace(id: string): Promise<void> {
    return this.queue.run(() =>
      this.contributions.pausePublishingDuring(async () => {
        const record = this.registry.find(id);
        if (!record) return;
        const isDisabled = record.state.status === 'disabled' || record.state.cause?.kind === 'safe-mode';
        const dependents = record.instance?.isShared ? this.registry.dependentsOf(id).reverse() : [];
        for (const dependent of dependents) if (dependent.instance) this.stop(dependent, 'skipped', causes.dependency(id));
        if (isDisabled) record.plugin = undefined;
        else this.stop(record, 'waiting', undefined);
        if (!isDisabled && (await this.read(record))) await this.restart(record);
      }),
    );
  }

  /** Reports a page of a plugin that failed to render. */
  pageFailed(pluginId: string, error: unknown): void {
    this.report(pluginId, error);
    // A chunk that failed to load is no fault of the plugin.
    if (!(error instanceof Error && error.name === 'ChunkLoadError')) this.withCrashLoopGuard((guard) => guard.failed(pageKey(pluginId)));
  }

  /** Reports a page of a plugin that has rendered. */
  pageRendered(pluginId: string): void {
    void this.deps.crashLoopGuard?.findGuard().then((guard) => guard?.succeeded(pageKey(pluginId)));
  }

  /** Records an error of a plugin's page or of other code attributed to the plugin. */
  report(pluginId: string, error: unknown): void {
    this.deps.log.record('plugin', error, pluginId);
    this.registry.countFault(pluginId);
  }

  /** Stops every plugin, dependents first. */
  dispose(): void {
    this.shutdown.abort();
    for (const record of [...this.registry.inOrder()].reverse()) if (record.instance) this.stop(record, 'disabled', causes.switchedOff());
    this.listenerErrors.unsubscribe();
    this.stage.complete();
    this.contributions.dispose();
    this.registry.dispose();
  }

  private async runBoot(entries: readonly LoadablePlugin[]): Promise<void> {
    await this.readAll(entries.map((entry) => this.registry.add(entry)));
    const order = await resolveCompatibleOrder(this.registry.definitions);
    this.stage.next('wire');
    this.applyPlan(this.registry.plan(order));
    const records = this.registry.inOrder().filter(({ state }) => state.status === 'waiting');
    for (const record of records) await this.wire(record);
    this.stage.next('start');
    await this.startAll(records);
    this.contributions.publish();
    if (!this.shutdown.signal.aborted) this.stage.next('settled');
  }

  /** Loads the plugins; one that arrives after the others have started is started by itself. */
  private async readAll(records: readonly PluginRecord[]): Promise<void> {
    let isReading = true;
    const reads = records.map(async (record) => {
      await this.readUnlessExcluded(record);
      if (isReading) return record.plugin !== undefined;
      if (this.deps.safe && !record.state.core) this.registry.update(record, { status: 'skipped', cause: causes.safeMode() });
      else if (record.plugin) await this.enable(record.state.id);
      return false;
    });
    await allSettledWithin(reads, this.deps.startTimeoutMs ?? startTimeoutMs, this.shutdown.signal);
    isReading = false;
  }

  private async readUnlessExcluded(record: PluginRecord): Promise<void> {
    const { id } = record.state;
    if (this.deps.disabledIds?.includes(id)) return this.registry.update(record, { status: 'disabled', cause: causes.switchedOff() });
    await this.read(record);
    const guard = record.plugin && !record.state.core ? await this.deps.crashLoopGuard?.findGuard() : undefined;
    if (guard && isCrashLooping(guard, id)) this.registry.update(record, { status: 'quarantined', cause: causes.crashLooping() });
  }

  private async read(record: PluginRecord): Promise<boolean> {
    if (record.isDuplicate) return this.fail(record, causes.duplicate(record.entry.id));
    let module: { readonly default: Plugin } | undefined;
    const isRead = await this.runGuarded(record, 'read', async () => {
      module = await record.entry.load();
    });
    if (!isRead) return false;
    const problem = definitionProblem(module?.default, record.entry.id);
    if (problem) return this.fail(record, causes.malformed(problem));
    this.registry.define(record, module?.default as Plugin);
    return true;
  }

  /** Marks the plugins that cannot or must not run, before any plugin is wired. */
  private applyPlan(blocked: ReadonlyMap<PluginRecord, Cause>): void {
    for (const [record, cause] of blocked) this.fail(record, cause);
    if (!this.deps.safe || this.stage.value === 'settled') return;
    for (const record of this.registry.inOrder())
      if (!record.state.core && record.state.status === 'waiting') this.registry.update(record, { status: 'skipped', cause: causes.safeMode() });
  }

  private async restart(record: PluginRecord): Promise<boolean> {
    const { id } = record.state;
    const guard = await this.deps.crashLoopGuard?.findGuard();
    if (guard && isCrashLooping(guard, id)) for (const key of [id, pageKey(id)]) guard.clear(key);
    this.applyPlan(this.registry.plan(await resolveCompatibleOrder(this.registry.definitions)));
    for (const candidate of [record, ...this.registry.dependentsOf(id).filter(({ state }) => state.cause?.kind === 'dependency')]) {
      if (!candidate.plugin || this.registry.isBlocked(candidate)) continue;
      await this.wire(candidate);
      await this.start(candidate);
      this.contributions.publish();
    }
    return this.registry.isRunning(id);
  }

  private async wire(record: PluginRecord): Promise<void> {
    if (this.shutdown.signal.aborted) return;
    const missing = this.registry.findUnwiredDependency(record);
    if (missing !== undefined) return this.registry.update(record, { status: 'skipped', cause: causes.dependency(missing) });
    const instance = new PluginInstance(record.plugin as Plugin, this.deps.container, this.deps.bus);
    record.instance = instance;
    if (await this.runGuarded(record, 'wire', () => instance.wire())) this.registry.update(record, { status: 'wired', cause: undefined });
  }

  /** Starts independent plugins in parallel, each one after its dependencies run. */
  private async startAll(records: readonly PluginRecord[]): Promise<void> {
    const started = new Map<string, Promise<void>>();
    for (const record of records) {
      const dependencies = [...record.state.dependencies, ...(record.plugin?.optionalDependencies ?? [])].map((id) => started.get(id));
      started.set(
        record.state.id,
        Promise.all(dependencies).then(() => this.start(record)),
      );
    }
    await Promise.all(started.values());
  }

  private async start(record: PluginRecord): Promise<void> {
    const { instance } = record;
    if (!instance || record.state.status !== 'wired') return;
    const missing = this.registry.findStoppedDependency(record);
    if (missing !== undefined) return this.stop(record, 'skipped', causes.dependency(missing));
    const isStarted = await this.runGuarded(record, 'start', () => instance.start());
    if (!isStarted || record.instance !== instance) return;
    this.registry.update(record, { status: 'running', cause: undefined });
    void this.deps.crashLoopGuard?.findGuard().then((guard) => guard?.succeeded(record.state.id));
    this.contributions.publishSoon();
  }

  /** Runs one phase of one plugin; resolves false when it failed and the plugin is quarantined. */
  private async runGuarded(record: PluginRecord, phase: Phase, work: () => unknown): Promise<boolean> {
    const began = performance.now();
    const cause = await runPhase(work, { phase, timeoutMs: this.deps.phaseTimeoutMs, signal: this.shutdown.signal });
    if (cause && phase !== 'read') this.withCrashLoopGuard((guard) => guard.failed(record.state.id));
    if (cause) this.fail(record, cause);
    this.registry.recordTiming(record, phase, performance.now() - began);
    return !cause;
  }

  private withCrashLoopGuard(work: (guard: CrashLoopGuard) => void): void {
    void this.deps.crashLoopGuard?.loadGuard().then(work, () => undefined);
  }

  private fail(record: PluginRecord, cause: Cause): false {
    if (this.shutdown.signal.aborted) return false;
    this.deps.log.record('plugin', cause.error ?? cause.text[1], record.state.id);
    this.stop(record, 'quarantined', cause);
    return false;
  }

  private stop(record: PluginRecord, status: PluginState['status'], cause: Cause | undefined): void {
    const { instance } = record;
    record.instance = undefined;
    this.registry.update(record, { status, cause });
    this.contributions.publish();
    const began = performance.now();
    for (const error of instance?.stop() ?? []) this.report(record.state.id, error);
    if (instance) this.registry.recordTiming(record, 'stop', performance.now() - began);
  }

  private running(): PluginInstance[] {
    return this.registry.inOrder().flatMap(({ instance, state }) => (state.status === 'running' && instance ? [instance] : []));
  }
}
