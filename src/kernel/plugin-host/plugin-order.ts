import type { Plugin } from '../plugin.ts';
import { type Cause, causes } from './plugin-state.ts';

type Needing = Pick<Plugin, 'id' | 'needs'>;

/** Plugins with what they need before them, in the order given otherwise; and those that can never run, with the cause. */
export interface Order {
  readonly order: readonly string[];
  readonly impossible: ReadonlyMap<string, Cause>;
}

/** Sorts by `needs`; what needs an absent plugin, and every member of a cycle, is impossible. */
export function orderOf(plugins: readonly Needing[]): Order {
  const known = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const impossible = new Map<string, Cause>();
  const order: string[] = [];
  const settled = new Set<string>();

  const visit = (plugin: Needing, above: readonly string[]): void => {
    const start = above.indexOf(plugin.id);
    if (start >= 0) {
      const cycle = above.slice(start);
      for (const id of cycle) impossible.set(id, causes.cycle([...cycle, plugin.id]));
      return;
    }
    if (settled.has(plugin.id)) return;
    for (const need of plugin.needs ?? []) {
      const needed = known.get(need);
      if (needed) visit(needed, [...above, plugin.id]);
      else impossible.set(plugin.id, causes.missing(need));
    }
    if (settled.has(plugin.id)) return;
    settled.add(plugin.id);
    order.push(plugin.id);
  };
  for (const plugin of plugins) visit(plugin, []);
  return { order, impossible };
}
