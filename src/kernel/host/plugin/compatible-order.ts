import { type LoadOrderEntry, resolveLoadOrder } from '#shared/load-order';
import { declaresVersions, type PluginVersionInfo } from '#shared/plugin-versions';
import { type Cause, causes } from './plugin-state.ts';

/** Ids of all plugins in load order, and the causes of those that can never run. */
export interface CompatibleOrder {
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
  const [{ default: ranges }, { incompatiblePlugins: unfitPlugins }] = await Promise.all([import('semver'), import('#shared/plugin-compatibility')]);
  return new Map([...unfitPlugins(plugins, ranges)].map(([id, reason]) => [id, causes.version(reason)]));
}
