import { neededIds } from '#shared/plugin-fit';
import type { Plugin } from './plugin.ts';
import { type Cause, causes } from './plugin-state.ts';

type PluginWithDependencies = Pick<Plugin, 'id' | 'needs' | 'wants'>;

/** Plugins with their dependencies before them, otherwise in the given order; and those that can never run, with the cause. */
export interface Order {
  readonly order: readonly string[];
  readonly impossible: ReadonlyMap<string, Cause>;
}

/** Sorts by `needs`; a plugin that needs an absent one, and every member of a cycle, is impossible. */
export function orderOf(plugins: readonly PluginWithDependencies[]): Order {
  const known = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const impossible = new Map<string, Cause>();
  const order: string[] = [];
  const settled = new Set<string>();

  const first = firstOf(plugins);

  const visit = (plugin: PluginWithDependencies, above: readonly string[]): void => {
    const start = above.indexOf(plugin.id);
    if (start >= 0) {
      const cycle = above.slice(start);
      for (const id of cycle) impossible.set(id, causes.cycle([...cycle, plugin.id]));
      return;
    }
    if (settled.has(plugin.id)) return;
    for (const need of neededIds(plugin.needs)) {
      const needed = known.get(need);
      if (needed) visit(needed, [...above, plugin.id]);
      else impossible.set(plugin.id, causes.missing(need));
    }
    for (const id of first.get(plugin.id) ?? []) visit(known.get(id) as PluginWithDependencies, [...above, plugin.id]);
    if (settled.has(plugin.id)) return;
    settled.add(plugin.id);
    order.push(plugin.id);
  };
  for (const plugin of plugins) visit(plugin, []);
  return { order, impossible };
}

/** Returns the optional dependencies that start before each plugin: those that contradict neither a dependency nor an earlier optional one. */
function firstOf(plugins: readonly PluginWithDependencies[]): ReadonlyMap<string, readonly string[]> {
  const before = new Map(plugins.map(({ id, needs }) => [id, new Set(neededIds(needs))]));
  const leadsTo = (from: string, to: string, seen = new Set<string>()): boolean =>
    from === to || (!seen.has(from) && [...(before.get(from) ?? [])].some((next) => leadsTo(next, to, seen.add(from))));
  return new Map(
    plugins
      .filter(({ wants }) => wants)
      .map(({ id, wants = [] }) => {
        const heeded = wants.filter((want) => before.has(want) && !leadsTo(want, id));
        for (const want of heeded) before.get(id)?.add(want);
        return [id, heeded];
      }),
  );
}
