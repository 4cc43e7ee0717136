import type { LocalizedText } from '#shared/text';

/** The fields of a plugin needed for disabling it. */
export interface Switchable {
  readonly id: string;
  readonly title: LocalizedText;
  readonly dependencies?: readonly string[];
  readonly core?: boolean;
}

/** Reason why a plugin is disabled: directly, or through a dependency. */
export interface DisabledReason {
  readonly by: 'platform' | 'tenant';
  /** The dependency that was disabled directly. */
  readonly with?: string | undefined;
}

/** The plugins of a deployment in dependency order, and the consequences of disabling one. */
export class SwitchablePlugins {
  constructor(readonly all: readonly Switchable[]) {}

  find(id: string): Switchable | undefined {
    return this.all.find((one) => one.id === id);
  }

  /** Lists the direct and indirect dependents of a plugin, dependencies before dependents. */
  dependentsOf(plugin: string): string[] {
    const affected = new Set([plugin]);
    for (const { id, dependencies = [] } of this.all) if (dependencies.some((dependency) => affected.has(dependency))) affected.add(id);
    affected.delete(plugin);
    return [...affected];
  }

  /** Returns the core plugin that a plugin is, or that depends on it; undefined if it may be disabled. */
  blockingCorePlugin(plugin: string): Switchable | undefined {
    return [plugin, ...this.dependentsOf(plugin)].map((id) => this.find(id)).find((one) => one?.core);
  }

  /**
   * Computes all disabled plugins from those disabled directly: their dependents are disabled too. Core plugins and their dependencies always stay enabled, even if
   * they were disabled before they became core.
   */
  off(byPlatform: ReadonlySet<string>, byTenant: ReadonlySet<string>): ReadonlyMap<string, DisabledReason> {
    const off = new Map<string, DisabledReason>();
    for (const { id, dependencies = [] } of this.all) {
      const [dependency, reason] = dependencies.map((one) => [one, off.get(one)] as const).find(([, found]) => found) ?? [];
      if (this.blockingCorePlugin(id)) continue;
      if (byPlatform.has(id)) off.set(id, { by: 'platform' });
      else if (reason) off.set(id, { by: reason.by, with: reason.with ?? dependency });
      else if (byTenant.has(id)) off.set(id, { by: 'tenant' });
    }
    return off;
  }
}
