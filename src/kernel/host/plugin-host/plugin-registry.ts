import { BehaviorSubject, map } from 'rxjs';
import { type LoadOrderEntry, resolveLoadOrder } from '#shared/load-order';
import { declaresVersions, dependencyIds, type PluginVersionInfo } from '#shared/plugin-versions';
import type { LoadablePlugin, Plugin } from '../plugin/plugin.ts';
import { type Cause, causes, type Phase, type PluginState } from '../plugin/plugin-state.ts';
import type { PluginInstance } from './plugin-instance.ts';

/** One plugin of the deployment: its entry, its definition once it is read, and its instance while it runs. */
export interface PluginRecord {
  readonly entry: LoadablePlugin;
  readonly isDuplicate: boolean;
  plugin: Plugin | undefined;
  instance: PluginInstance | undefined;
  state: PluginState;
}

/** Every plugin of the deployment with its state and its dependencies. */
export class PluginRegistry {
  private readonly records = new Map<string, PluginRecord>();
  private readonly changed = new BehaviorSubject<void>(undefined);
  readonly states$ = this.changed.pipe(map(() => this.states));
  private order: readonly string[] = [];
  private blocked: ReadonlyMap<string, Cause> = new Map();

  get states(): readonly PluginState[] {
    return [...this.records.values()].map(({ state }) => state);
  }

  /** Definitions of all plugins that have been read, running or not. */
  get definitions(): readonly Plugin[] {
    return [...this.records.values()].flatMap(({ plugin }) => plugin ?? []);
  }

  add(entry: LoadablePlugin): PluginRecord {
    let id = entry.id;
    for (let count = 2; this.records.has(id); count++) id = `${entry.id}#${count}`;
    const state: PluginState = { id, title: [id, id], core: false, dependencies: [], status: 'waiting', timings: {}, faults: 0 };
    const record: PluginRecord = { entry, isDuplicate: id !== entry.id, plugin: undefined, instance: undefined, state };
    this.records.set(id, record);
    this.publish();
    return record;
  }

  find(id: string): PluginRecord | undefined {
    return this.records.get(id);
  }

  define(record: PluginRecord, plugin: Plugin): void {
    record.plugin = plugin;
    this.update(record, { title: plugin.title, core: plugin.core ?? false, dependencies: dependencyIds(plugin.dependencies) });
  }

  /** Sorts the defined plugins; returns those that cannot run and have not been reported yet. */
  plan(resolveOrder: (plugins: readonly LoadOrderEntry[]) => CompatibleOrder): ReadonlyMap<PluginRecord, Cause> {
    const defined = [...this.records.values()].filter(({ plugin }) => plugin !== undefined);
    // A plugin that failed to load still exists: its dependents are skipped, not reported as needing an absent plugin.
    const unloaded = [...this.records.values()].filter(({ plugin, isDuplicate }) => !plugin && !isDuplicate).map(({ entry }) => ({ id: entry.id }));
    const { order, blocked } = resolveOrder([...this.definitions, ...unloaded]);
    this.order = order;
    this.blocked = blocked;
    return new Map(
      defined.filter(({ state }) => blocked.has(state.id) && state.status === 'waiting').map((record) => [record, blocked.get(record.state.id) as Cause]),
    );
  }

  isBlocked(record: PluginRecord): boolean {
    return this.blocked.has(record.state.id);
  }

  inOrder(): PluginRecord[] {
    return this.order.map((id) => this.records.get(id)).filter((record) => record?.plugin !== undefined) as PluginRecord[];
  }

  /** Returns all direct and indirect dependents of this plugin, each after its own dependencies. */
  dependentsOf(id: string): PluginRecord[] {
    const ids = new Set([id]);
    return this.inOrder().filter(({ state }) => {
      const depends = state.dependencies.some((dependency) => ids.has(dependency));
      if (depends) ids.add(state.id);
      return depends;
    });
  }

  isRunning(id: string): boolean {
    return this.records.get(id)?.state.status === 'running';
  }

  findUnwiredDependency({ state }: PluginRecord): string | undefined {
    return state.dependencies.find((id) => !['wired', 'running'].includes(this.records.get(id)?.state.status ?? ''));
  }

  findStoppedDependency({ state }: PluginRecord): string | undefined {
    return state.dependencies.find((id) => !this.isRunning(id));
  }

  update(record: PluginRecord, change: Partial<PluginState>): void {
    record.state = { ...record.state, ...change };
    this.publish();
  }

  recordTiming(record: PluginRecord, phase: Phase, milliseconds: number): void {
    this.update(record, { timings: { ...record.state.timings, [phase]: milliseconds } });
  }

  countFault(id: string): void {
    const record = this.records.get(id);
    if (record) this.update(record, { faults: record.state.faults + 1 });
  }

  dispose(): void {
    this.changed.complete();
  }

  private publish(): void {
    this.changed.next();
  }
}

/** Ids of all plugins in load order, and the causes of those that can never run. */
interface CompatibleOrder {
  readonly order: readonly string[];
  readonly blocked: ReadonlyMap<string, Cause>;
}

/** Returns the function that sorts plugins; one with an incompatible version can never run. The version comparison is loaded only when a plugin declares versions. */
export async function resolveCompatibleOrder(plugins: readonly PluginVersionInfo[]): Promise<(sorted: readonly LoadOrderEntry[]) => CompatibleOrder> {
  const incompatibilities = plugins.some(declaresVersions) ? await findIncompatible(plugins) : new Map<string, Cause>();
  return (sorted) => {
    const { ordered, blocked } = resolveLoadOrder(sorted, incompatibilities);
    const impossible = new Map(incompatibilities);
    for (const [id, { kind, ids }] of blocked) {
      if (kind === 'missing') impossible.set(id, causes.missing(ids.at(-1) ?? ''));
      if (kind === 'cycle') impossible.set(id, causes.cycle(ids));
    }
    return { order: [...ordered.map(({ id }) => id), ...incompatibilities.keys(), ...blocked.keys()], blocked: impossible };
  };
}

async function findIncompatible(plugins: readonly PluginVersionInfo[]): Promise<ReadonlyMap<string, Cause>> {
  const [{ default: ranges }, { incompatiblePlugins }] = await Promise.all([import('semver'), import('#shared/plugin-compatibility')]);
  return new Map([...incompatiblePlugins(plugins, ranges)].map(([id, reason]) => [id, causes.version(reason)]));
}
