import type { FollowSwitchesDeps } from './follow-switches.ts';

/**
 * Disables the plugins that are off and enables those that are on again. Unsaved changes ask the operator once for a plugin and its dependents; an
 * operator whose page disappears is notified.
 */
export async function bring({ host, tell }: Pick<FollowSwitchesDeps, 'host' | 'tell'>, off: readonly string[], path: string): Promise<void> {
  const shown = host.claimed.find({ path })?.pluginId;
  const kept = new Set<string>();
  for (const id of off) {
    const state = host.states.find((one) => one.id === id);
    if (!state || state.cause?.kind === 'switched-off') continue;
    // Keeping a plugin also keeps its dependents, which the same question named.
    if (state.dependencies.some((need) => kept.has(need)) || !(await host.disable(id))) kept.add(id);
  }
  const gone = host.states.find(({ id, status }) => id === shown && status !== 'running');
  if (gone) tell([`管理员已停用插件「${gone.title[0]}」`, `An administrator disabled the plugin “${gone.title[1]}”`]);
  for (const { id, cause } of host.states) if (cause?.kind === 'switched-off' && !off.includes(id)) await host.enable(id);
}
