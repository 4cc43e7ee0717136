import type { FollowDisabledPluginsDeps } from './follow-disabled-plugins.ts';

/**
 * Disables the plugins with these ids and enables those that are no longer disabled. If unsaved changes would be lost, the operator is asked once for a plugin and its
 * dependents. An operator whose page disappears is notified.
 */
export async function applyDisabledPlugins(
  { host, notify }: Pick<FollowDisabledPluginsDeps, 'host' | 'notify'>,
  disabledIds: readonly string[],
  path: string,
): Promise<void> {
  const shownPluginId = host.registeredPages.find({ path })?.pluginId;
  const keptPluginIds = new Set<string>();
  for (const id of disabledIds) {
    const state = host.states.find((state) => state.id === id);
    if (!state || state.cause?.kind === 'switched-off') continue;
    // Keeping a plugin also keeps its dependents, which the same question named.
    if (state.dependencies.some((dependency) => keptPluginIds.has(dependency)) || !(await host.disable(id))) keptPluginIds.add(id);
  }
  const stoppedPlugin = host.states.find(({ id, status }) => id === shownPluginId && status !== 'running');
  if (stoppedPlugin) notify([`管理员已停用插件「${stoppedPlugin.title[0]}」`, `An administrator disabled the plugin “${stoppedPlugin.title[1]}”`]);
  for (const { id, cause } of host.states) if (cause?.kind === 'switched-off' && !disabledIds.includes(id)) await host.enable(id);
}
