import { asksForVersions } from '#shared/plugin-fit';
import type { Plugin } from '../plugin.ts';
import { type Order, orderOf } from './plugin-order.ts';
import { causes } from './plugin-state.ts';

/** How plugins are sorted once their versions are compared: one that does not fit can never run. What compares them is read where any of them asks for it. */
export async function fittingOrder(plugins: readonly Plugin[]): Promise<(sorted: readonly Plugin[]) => Order> {
  if (!plugins.some(asksForVersions)) return orderOf;
  const [{ default: ranges }, { unfitPlugins }] = await Promise.all([import('semver'), import('#shared/unfit-plugins')]);
  const unfit = unfitPlugins(plugins, ranges);
  return (sorted) => {
    const { order, impossible } = orderOf(sorted);
    return { order, impossible: new Map([...impossible, ...[...unfit].map(([id, words]) => [id, causes.version(words)] as const)]) };
  };
}
