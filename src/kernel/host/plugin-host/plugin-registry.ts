import { BehaviorSubject, map } from 'rxjs';
import type { LoadOrderEntry } from '#shared/load-order';
import { neededIds } from '#shared/plugin-fit';
import type { CompatibleOrder } from '../plugin/compatible-order.ts';
import type { Plugin, PluginEntry } from '../plugin/plugin.ts';
import type { Cause, Phase, PluginState } from '../plugin/plugin-state.ts';
import type { PluginInstance } from './plugin-instance.ts';

/** One plugin of the deployment: its entry, its definition once read, its run while it is up. */
export interface PluginRecord {
  readonly entry: PluginEntry;
  readonly isDuplicate: boolean;
  plugin: Plugin | undefined;
  run: PluginInstance | undefined;
  state: PluginState;
}

/** Every plugin of the deployment with its state and its dependencies. */
export class PluginRegistry {
  private readonly seats = new Map<string, PluginRecord>();
  private readonly changed = new BehaviorSubject<void>(undefined);
  readonly states$ = this.changed.pipe(map(() => this.states));
  private order: readonly string[] = [];
  private impossible: ReadonlyMap<string, Cause> = new Map();

  get states(): readonly PluginState[] {
    return [...this.seats.values()].map(({ state }) => state);
  }

  /** Definitions of all plugins that have been read, running or not. */
  get definitions(): readonly Plugin[] {
    return [...this.seats.values()].flatMap(({ plugin }) => plugin ?? []);
  }

  seat(entry: PluginEntry): PluginRecord {
    let id = entry.id;
    for (let count = 2; this.seats.has(id); count++) id = `${entry.id}#${count}`;
    const state: PluginState = { id, title: [id, id], core: false, dependencies: [], status: 'waiting', timings: {}, faults: 0 };
    const seat: PluginRecord = { entry, isDuplicate: id !== entry.id, plugin: undefined, run: undefined, state };
    this.seats.set(id, seat);
    this.publish();
    return seat;
  }

  find(id: string): PluginRecord | undefined {
    return this.seats.get(id);
  }

  define(seat: PluginRecord, plugin: Plugin): void {
    seat.plugin = plugin;
    this.put(seat, { title: plugin.title, core: plugin.core ?? false, dependencies: neededIds(plugin.dependencies) });
  }

  /** Sorts the defined plugins; returns those that cannot run and have not been reported yet. */
  plan(resolveOrder: (plugins: readonly LoadOrderEntry[]) => CompatibleOrder): ReadonlyMap<PluginRecord, Cause> {
    const defined = [...this.seats.values()].filter(({ plugin }) => plugin !== undefined);
    // A plugin that failed to load still exists: its dependents are skipped, not reported as needing an absent plugin.
    const unread = [...this.seats.values()].filter(({ plugin, isDuplicate }) => !plugin && !isDuplicate).map(({ entry }) => ({ id: entry.id }));
    const { order, impossible } = resolveOrder([...this.definitions, ...unread]);
    this.order = order;
    this.impossible = impossible;
    return new Map(
      defined.filter(({ state }) => impossible.has(state.id) && state.status === 'waiting').map((seat) => [seat, impossible.get(seat.state.id) as Cause]),
    );
  }

  isImpossible(seat: PluginRecord): boolean {
    return this.impossible.has(seat.state.id);
  }

  inOrder(): PluginRecord[] {
    return this.order.map((id) => this.seats.get(id)).filter((seat) => seat?.plugin !== undefined) as PluginRecord[];
  }

  /** Returns all direct and indirect dependents of this plugin, each after its own dependencies. */
  dependentsOf(id: string): PluginRecord[] {
    const above = new Set([id]);
    return this.inOrder().filter(({ state }) => {
      const depends = state.dependencies.some((need) => above.has(need));
      if (depends) above.add(state.id);
      return depends;
    });
  }

  isRunning(id: string): boolean {
    return this.seats.get(id)?.state.status === 'running';
  }

  needNotUp({ state }: PluginRecord): string | undefined {
    return state.dependencies.find((need) => !['wired', 'running'].includes(this.seats.get(need)?.state.status ?? ''));
  }

  needNotRunning({ state }: PluginRecord): string | undefined {
    return state.dependencies.find((need) => !this.isRunning(need));
  }

  put(seat: PluginRecord, change: Partial<PluginState>): void {
    seat.state = { ...seat.state, ...change };
    this.publish();
  }

  time(seat: PluginRecord, phase: Phase, milliseconds: number): void {
    this.put(seat, { timings: { ...seat.state.timings, [phase]: milliseconds } });
  }

  countFault(id: string): void {
    const seat = this.seats.get(id);
    if (seat) this.put(seat, { faults: seat.state.faults + 1 });
  }

  dispose(): void {
    this.changed.complete();
  }

  private publish(): void {
    this.changed.next();
  }
}
