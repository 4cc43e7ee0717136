import type { FollowDisabledPluginsDeps } from './follow-disabled-plugins.ts';

/**
 * Disables the plugins that are off and enables those that are on again. Unsaved changes ask the operator once for a plugin and its dependents; an
 * operator whose page disappears is notified.
 */
export async function applyDisabledPlugins(
  { host, notify }: Pick<FollowDisabledPluginsDeps, 'host' | 'notify'>,
  off: readonly string[],
  path: string,
): Promise<void> {
  const shown = host.registeredPages.find({ path })?.pluginId;
  const keptPluginIds = new Set<string>();
  for (const id of off) {
    const state = host.states.find((one) => one.id === id);
    if (!state || state.cause?.kind === 'switched-off') continue;
    // Keeping a plugin also keeps its dependents, which the same question named.
    if (state.dependencies.some((need) => keptPluginIds.has(need)) || !(await host.disable(id))) keptPluginIds.add(id);
  }
  const stoppedPlugin = host.states.find(({ id, status }) => id === shown && status !== 'running');
  if (stoppedPlugin) notify([`管理员已停用插件「${stoppedPlugin.title[0]}」`, `An administrator disabled the plugin “${stoppedPlugin.title[1]}”`]);
  for (const { id, cause } of host.states) if (cause?.kind === 'switched-off' && !off.includes(id)) await host.enable(id);
}
