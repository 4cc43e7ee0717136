import type { SwitchParts } from './follow-switches.ts';

/** Disables what is off, an operator with unsaved changes being asked once for a plugin and all that goes with it, and enables what is on again. Who was at the address of a page that goes is told. */
export async function bring({ host, tell }: Pick<SwitchParts, 'host' | 'tell'>, off: readonly string[], path: string): Promise<void> {
  const shown = host.claimed.find({ path })?.pluginId;
  const kept = new Set<string>();
  for (const id of off) {
    const state = host.states.find((one) => one.id === id);
    if (!state || state.cause?.kind === 'switched-off') continue;
    // Who keeps a plugin was asked about those that need it as well.
    if (state.needs.some((need) => kept.has(need)) || !(await host.disable(id))) kept.add(id);
  }
  const gone = host.states.find(({ id, status }) => id === shown && status !== 'running');
  if (gone) tell([`插件“${gone.title[0]}”已被管理员停用`, `An administrator has switched the plugin “${gone.title[1]}” off`]);
  for (const { id, cause } of host.states) if (cause?.kind === 'switched-off' && !off.includes(id)) await host.enable(id);
}
