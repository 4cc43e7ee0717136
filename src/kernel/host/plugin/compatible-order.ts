import { asksForVersions } from '#shared/plugin-fit';
import type { Plugin } from './plugin.ts';
import { type Order, orderOf } from './plugin-order.ts';
import { causes } from './plugin-state.ts';

/** Returns the function that sorts plugins; one with an incompatible version can never run. The version comparison is loaded only when a plugin declares versions. */
export async function resolveCompatibleOrder(plugins: readonly Plugin[]): Promise<(sorted: readonly Plugin[]) => Order> {
  if (!plugins.some(asksForVersions)) return orderOf;
  const [{ default: ranges }, { unfitPlugins }] = await Promise.all([import('semver'), import('#shared/unfit-plugins')]);
  const unfit = unfitPlugins(plugins, ranges);
  return (sorted) => {
    const { order, impossible } = orderOf(sorted);
    return { order, impossible: new Map([...impossible, ...[...unfit].map(([id, words]) => [id, causes.version(words)] as const)]) };
  };
}
