import type { Words } from '#shared/text';

/** A plugin as far as switching it off goes. */
export interface Switchable {
  readonly id: string;
  readonly title: Words;
  readonly needs?: readonly string[];
  readonly core?: boolean;
}

/** Why a plugin is off: somebody switched it off, or one that it needs. */
export interface Off {
  readonly by: 'platform' | 'tenant';
  /** The plugin that was switched off and took this one along. */
  readonly with?: string | undefined;
}

/** The plugins of a deployment, each after those it needs, and what goes when one of them does. */
export class SwitchablePlugins {
  constructor(readonly all: readonly Switchable[]) {}

  find(id: string): Switchable | undefined {
    return this.all.find((one) => one.id === id);
  }

  /** All that need a plugin, directly or not, each after what it needs. */
  dependentsOf(plugin: string): string[] {
    const going = new Set([plugin]);
    for (const { id, needs = [] } of this.all) if (needs.some((need) => going.has(need))) going.add(id);
    going.delete(plugin);
    return [...going];
  }

  /** The core plugin that a plugin is, or that cannot do without it; undefined where it may be switched off. */
  coreOver(plugin: string): Switchable | undefined {
    return [plugin, ...this.dependentsOf(plugin)].map((id) => this.find(id)).find((one) => one?.core);
  }

  /** All that is off where these were switched off: with each go those that need it. What must stay stays, whatever was switched off before it had to. */
  off(byPlatform: ReadonlySet<string>, byTenant: ReadonlySet<string>): ReadonlyMap<string, Off> {
    const off = new Map<string, Off>();
    for (const { id, needs = [] } of this.all) {
      const lost = needs.map((need) => [need, off.get(need)] as const).find(([, why]) => why);
      if (this.coreOver(id)) continue;
      if (byPlatform.has(id)) off.set(id, { by: 'platform' });
      else if (lost?.[1]) off.set(id, { by: lost[1].by, with: lost[1].with ?? lost[0] });
      else if (byTenant.has(id)) off.set(id, { by: 'tenant' });
    }
    return off;
  }
}
