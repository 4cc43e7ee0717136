import { dependencyIds, type PluginDependencies } from './plugin-versions.ts';

/** Fields of a plugin that determine its place in the load order. */
export interface LoadOrderEntry {
  readonly id: string;
  readonly dependencies?: PluginDependencies;
  /** Ids of plugins that start before this one wherever that is possible. */
  readonly optionalDependencies?: readonly string[];
}

/** Reason a plugin cannot run: dependencies that do not exist, a cycle (with its first member repeated at the end), or dependencies that cannot run themselves. */
export interface LoadOrderProblem {
  readonly kind: 'missing' | 'cycle' | 'dependency';
  readonly ids: readonly string[];
}

/** Plugins that can run, dependencies first, and the problem of each plugin that cannot, apart from the excluded ones. */
export interface LoadOrder<Plugin> {
  readonly ordered: readonly Plugin[];
  readonly blocked: ReadonlyMap<string, LoadOrderProblem>;
}

/**
 * Sorts plugins so that dependencies come first; otherwise the order of the list holds. Optional dependencies come first too, unless that contradicts a dependency or
 * an earlier optional one. Plugins in `excluded` cannot run for another reason.
 */
export function resolveLoadOrder<Plugin extends LoadOrderEntry>(plugins: readonly Plugin[], excluded: Pick<Set<string>, 'has'> = new Set()): LoadOrder<Plugin> {
  const byId = new Map(plugins.map((plugin) => [plugin.id, plugin]));
  const runnable = runnableIds(plugins.filter(({ id }) => !excluded.has(id)));
  const predecessors = predecessorsOf(plugins.filter(({ id }) => runnable.has(id)));
  const ordered = new Set<Plugin>();
  const visit = (id: string): void => {
    const plugin = byId.get(id);
    if (!plugin || ordered.has(plugin)) return;
    predecessors.get(id)?.forEach(visit);
    ordered.add(plugin);
  };
  for (const id of predecessors.keys()) visit(id);
  const blocked = plugins.filter(({ id }) => !runnable.has(id) && !excluded.has(id));
  return { ordered: [...ordered], blocked: new Map(blocked.map((plugin) => [plugin.id, problemOf(plugin, byId, runnable)])) };
}

function runnableIds(plugins: readonly LoadOrderEntry[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (let before = -1; before < ids.size; ) {
    before = ids.size;
    for (const { id, dependencies } of plugins) if (dependencyIds(dependencies).every((dependency) => ids.has(dependency))) ids.add(id);
  }
  return ids;
}

function predecessorsOf(plugins: readonly LoadOrderEntry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const before = new Map(plugins.map(({ id, dependencies }) => [id, new Set(dependencyIds(dependencies))]));
  const dependsOn = (from: string, to: string, seen = new Set<string>()): boolean =>
    from === to || (!seen.has(from) && [...(before.get(from) ?? [])].some((next) => dependsOn(next, to, seen.add(from))));
  for (const { id, optionalDependencies = [] } of plugins)
    for (const optional of optionalDependencies) if (before.has(optional) && !dependsOn(optional, id)) before.get(id)?.add(optional);
  return before;
}

function problemOf({ id, dependencies }: LoadOrderEntry, byId: ReadonlyMap<string, LoadOrderEntry>, runnable: ReadonlySet<string>): LoadOrderProblem {
  const missing = dependencyIds(dependencies).filter((dependency) => !byId.has(dependency));
  if (missing.length > 0) return { kind: 'missing', ids: missing };
  const path = pathTo(id, id, byId);
  if (path) return { kind: 'cycle', ids: [id, ...path] };
  return { kind: 'dependency', ids: dependencyIds(dependencies).filter((dependency) => !runnable.has(dependency)) };
}

/** Returns the dependencies that lead from one plugin to another, the latter included. */
function pathTo(to: string, from: string, byId: ReadonlyMap<string, LoadOrderEntry>, seen = new Set<string>()): readonly string[] | undefined {
  for (const dependency of dependencyIds(byId.get(from)?.dependencies)) {
    if (dependency === to) return [dependency];
    const rest = seen.has(dependency) ? undefined : pathTo(to, dependency, byId, seen.add(dependency));
    if (rest) return [dependency, ...rest];
  }
  return undefined;
}
