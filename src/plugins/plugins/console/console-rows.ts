import type { PluginHost, PluginState } from '#kernel';
import { everyTenant, type PluginRow } from '../contract.ts';
import { pluginMessages } from './messages.ts';

/** True when the plugin should run in this browser but does not. */
export const isDown = (here: PluginState | undefined): boolean => here?.status === 'quarantined' || here?.status === 'skipped';

/** Returns the console plugins that have no server half. They are listed only for the whole deployment, because the server decides which plugins a tenant sees. */
export function consoleOnlyRows(host: Pick<PluginHost, 'states' | 'definitions'>, rows: readonly PluginRow[], scope: string): PluginRow[] {
  if (scope !== everyTenant) return [];
  const titleOf = (id: string) => host.states.find((state) => state.id === id)?.title ?? ([id, id] as const);
  return host.states
    .filter(({ id, cause }) => cause?.kind !== 'duplicate' && !rows.some((row) => row.id === id))
    .map(({ id, title, dependencies }) => {
      const { version, pages = [] } = host.definitions.find((plugin) => plugin.id === id) ?? {};
      const named = (ids: readonly string[]) => ids.map((one) => ({ id: one, title: titleOf(one) }));
      return {
        id,
        title,
        state: 'running',
        fixed: pluginMessages.consoleOnly,
        failsEachTime: false,
        strayErrors: 0,
        ...(version ? { version } : {}),
        needs: named(dependencies),
        neededBy: named(host.states.filter((state) => state.dependencies.includes(id)).map((state) => state.id)),
        pages: pages.map(({ menu }) => menu.title),
        codes: 0,
        jobs: [],
        rounds: 0,
        checks: 0,
      };
    });
}
