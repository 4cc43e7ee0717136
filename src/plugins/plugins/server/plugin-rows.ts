import type { PluginFacts, ServerContext } from '#server';
import { wholeDeployment } from '#server';
import type { Words } from '#shared/text';
import { fixedWords, type PluginRow } from '../contract.ts';

type Deployment = ServerContext['plugins'];

/** The platform's own tenant. */
const platformTenant = '000000';

/** The plugins that are of any concern in a place: a tenant has nothing to do with those that show it nothing. */
const concerning = ({ all }: Deployment, place: string): PluginFacts[] =>
  all().filter(({ plugin: { menus = [] } }) => place === wholeDeployment || place === platformTenant || menus.some(({ isPlatformOnly }) => !isPlatformOnly));

/** Plugins as they stand in a place. */
export function pluginRows(deployment: Deployment, place: string): PluginRow[] {
  return concerning(deployment, place).map((facts) => rowOf(deployment, place, facts));
}

/** Why a plugin cannot be switched in a place: off, or on where it is off; undefined where it can. */
export function whyFixed({ switches }: Deployment, place: string, id: string): Words | undefined {
  const off = switches.offIn(place).get(id);
  if (off?.by === 'platform' && place !== wholeDeployment) return fixedWords.byPlatform();
  // What was switched off itself can be switched on again, for when what it needs is on.
  if (off?.with !== undefined && !switches.switchedIn(place).has(id)) return fixedWords.goesWith(switches.titleOf(off.with));
  if (off) return undefined;
  const core = switches.known.coreOver(id);
  return core && (core.id === id ? fixedWords.core() : fixedWords.neededByCore(core.title));
}

function rowOf(deployment: Deployment, place: string, { plugin, leftOut, failsEachTime, jobs, rounds, filters }: PluginFacts): PluginRow {
  const { switches } = deployment;
  const { id, title, menus = [], version } = plugin;
  const off = switches.offIn(place);
  const why = off.get(id);
  const named = (ids: readonly string[]) => ids.map((one) => ({ id: one, title: switches.titleOf(one) }));
  const seen = menus.filter(({ isPlatformOnly }) => place === wholeDeployment || place === platformTenant || !isPlatformOnly);
  const reason = why ? offReason(why, why.with === undefined ? undefined : switches.titleOf(why.with)) : leftOut;
  const fixed = whyFixed(deployment, place, id);
  return {
    id,
    title,
    state: why ? 'off' : leftOut ? 'leftOut' : 'running',
    ...(reason ? { reason } : {}),
    ...(fixed ? { fixed } : {}),
    ...(version ? { version } : {}),
    failsEachTime,
    needs: named(switches.known.find(id)?.needs ?? []),
    neededBy: named(switches.known.dependentsOf(id).filter((one) => !off.has(one))),
    pages: seen.map((menu) => menu.title),
    codes: seen.reduce((sum, { buttons = [] }) => sum + 1 + buttons.length, 0),
    jobs: [...jobs],
    rounds,
    checks: filters.length,
  };
}

function offReason({ by }: { readonly by: 'platform' | 'tenant' }, needed: Words | undefined): Words {
  if (needed) return [`依赖的“${needed[0]}”已停用`, `It needs “${needed[1]}”, which is switched off.`];
  return by === 'platform'
    ? ['平台已为全部租户停用', 'The platform has switched it off for everybody.']
    : ['本租户已停用', 'It is switched off in this tenant.'];
}
