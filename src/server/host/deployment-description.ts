import { kernelVersion } from '#shared/kernel-version';
import { dependencyIds } from '#shared/plugin-versions';
import type { LocalizedText } from '#shared/text';
import { declaredMenus } from '../platform/permission/declared-menus.ts';
import type { InstalledPlugin } from './plugin-host/plugin.ts';
import { orderPlugins } from './plugin-host/plugin-order.ts';

/** Description of a plugin of a build, for people who assemble a deployment. */
export interface DescribedPlugin {
  readonly id: string;
  readonly title: LocalizedText;
  readonly version: string;
  readonly dependencies: readonly string[];
  /** Reason for which the plugin would not run. */
  readonly skipped?: string | undefined;
  readonly menus: readonly { readonly code: string; readonly title: LocalizedText; readonly path: string }[];
  /** Permission codes of its pages and buttons. */
  readonly codes: readonly string[];
  /** Names of the migration files that create its tables. */
  readonly migrations: readonly string[];
}

/** Lists the plugins of a build in start order, followed by those that would not start. */
export function describeDeployment(installed: readonly InstalledPlugin[]): DescribedPlugin[] {
  const plugins = installed.map(({ plugin }) => plugin);
  const { ordered, skipped } = orderPlugins(plugins);
  const reasons = new Map(skipped.map(({ id, reason: [, reason] }) => [id, reason]));
  return [...ordered, ...plugins.filter(({ id }) => reasons.has(id))].map((plugin) => {
    const declared = declaredMenus([plugin]).filter((entry) => entry.plugin === plugin.id);
    return {
      id: plugin.id,
      title: plugin.title,
      version: plugin.version ?? kernelVersion,
      dependencies: dependencyIds(plugin.dependencies),
      skipped: reasons.get(plugin.id),
      menus: declared.filter(({ category }) => category === 1).map(({ code, title, path }) => ({ code, title, path })),
      codes: declared.map(({ code }) => code),
      migrations: installed.flatMap((one) => (one.plugin === plugin ? Object.keys(one.migrations) : [])),
    };
  });
}
