import { type Deployment, type PluginFacts, type PluginSwitches, platformTenant, wholeDeployment } from '#server';
import type { LocalizedText } from '#shared/text';
import { fixedMessages, type PluginRow } from '../contract.ts';

/** Plugins of the deployment and their state. */
interface PluginStates extends Pick<Deployment, 'plugins'> {
  readonly switches: PluginSwitches;
}

/** Tells whether the scope is the whole deployment or the platform's own tenant. */
export const isOfPlatform = (scope: string): boolean => scope === wholeDeployment || scope === platformTenant;

/** Returns the plugins relevant to a scope: tenants do not see plugins that have no page for them. */
const pluginsInScope = ({ plugins }: PluginStates, scope: string): PluginFacts[] =>
  plugins().filter(({ plugin: { menus = [] } }) => isOfPlatform(scope) || menus.some(({ isPlatformOnly }) => !isPlatformOnly));

/** Returns the state of plugins in a scope. */
export function pluginRows(deployment: PluginStates, scope: string, strayErrors: ReadonlyMap<string, number> = new Map()): PluginRow[] {
  return pluginsInScope(deployment, scope).map((facts) => ({
    ...rowOf(deployment, scope, facts),
    strayErrors: strayErrors.get(facts.plugin.id) ?? 0,
    ...(isOfPlatform(scope) ? { details: detailsOf(facts) } : {}),
  }));
}

/** Returns the reason a plugin cannot be enabled or disabled in a scope, or undefined when it can. */
export function fixedReason({ switches }: PluginStates, scope: string, id: string): LocalizedText | undefined {
  const disabled = switches.offIn(scope).get(id);
  if (disabled?.by === 'platform' && scope !== wholeDeployment) return fixedMessages.byPlatform();
  // A plugin that was disabled by itself can be enabled in advance and starts once its dependencies are enabled.
  if (disabled?.with !== undefined && !switches.switchedIn(scope).has(id)) return fixedMessages.requiresDisabled(switches.titleOf(disabled.with));
  if (disabled) return undefined;
  const core = switches.switchablePlugins.blockingCorePlugin(id);
  return core && (core.id === id ? fixedMessages.core() : fixedMessages.neededByCore(core.title));
}

function detailsOf({
  tables,
  providedServices,
  usedServices,
  fields,
  rules,
  startMilliseconds,
  calls,
  processBytes,
}: PluginFacts): NonNullable<PluginRow['details']> {
  return {
    tables: [...tables],
    provides: [...providedServices],
    uses: [...usedServices],
    fields: [...fields],
    rules: [...rules],
    ...(startMilliseconds === undefined ? {} : { startMs: Math.round(startMilliseconds) }),
    calls: calls.count,
    callMs: calls.count === 0 ? 0 : Math.round((calls.seconds * 1000) / calls.count),
    ...(processBytes === undefined ? {} : { processBytes }),
  };
}

function rowOf(
  deployment: PluginStates,
  scope: string,
  { plugin, skippedReason, isCrashLooping, jobs, taskCount, filters }: PluginFacts,
): Omit<PluginRow, 'strayErrors'> {
  const { switches } = deployment;
  const { id, title, menus = [], version } = plugin;
  const disabledPlugins = switches.offIn(scope);
  const disabled = disabledPlugins.get(id);
  const named = (ids: readonly string[]) => ids.map((one) => ({ id: one, title: switches.titleOf(one) }));
  const visibleMenus = menus.filter(({ isPlatformOnly }) => isOfPlatform(scope) || !isPlatformOnly);
  const reason = disabled ? disabledReason(disabled, disabled.with === undefined ? undefined : switches.titleOf(disabled.with)) : skippedReason;
  const fixed = fixedReason(deployment, scope, id);
  return {
    id,
    title,
    state: disabled ? 'off' : skippedReason ? 'leftOut' : 'running',
    ...(reason ? { reason } : {}),
    ...(fixed ? { fixed } : {}),
    ...(version ? { version } : {}),
    failsEachTime: isCrashLooping,
    needs: named(switches.switchablePlugins.find(id)?.dependencies ?? []),
    neededBy: named(switches.switchablePlugins.dependentsOf(id).filter((one) => !disabledPlugins.has(one))),
    pages: visibleMenus.map((menu) => menu.title),
    codes: visibleMenus.reduce((sum, { buttons = [] }) => sum + 1 + buttons.length, 0),
    jobs: [...jobs],
    rounds: taskCount,
    checks: filters.length,
  };
}

function disabledReason({ by }: { readonly by: 'platform' | 'tenant' }, needed: LocalizedText | undefined): LocalizedText {
  if (needed) return [`依赖的「${needed[0]}」已停用`, `It requires “${needed[1]}”, which is disabled.`];
  return by === 'platform' ? ['平台已为全部租户停用', 'Disabled by the platform for all tenants.'] : ['本租户已停用', 'Disabled in this tenant.'];
}
