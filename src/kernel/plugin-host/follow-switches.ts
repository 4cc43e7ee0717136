import { type Observable, Subscription, type TeardownLogic } from 'rxjs';
import { LiveOpened } from '#shared/live';
import { PluginsSwitched } from '#shared/plugin-switches';
import type { Words } from '#shared/text';
import type { Live } from '../live/live.ts';
import type { PluginHost } from './plugin-host.ts';

/** What following takes. */
export interface SwitchParts {
  readonly host: Pick<PluginHost, 'states' | 'claimed' | 'enable' | 'disable'>;
  readonly live: Live;
  /** Resolves when the host has brought up what it could. */
  readonly settled: Promise<void>;
  /** Kept for the next time this console begins. */
  readonly remember: (off: readonly string[]) => void;
  /** Says that the page on screen is gone with its plugin. */
  readonly tell: (plugin: Words) => void;
}

/** Stops the plugins an administrator switches off, and starts them when they are on again; an operator with unsaved changes in one is asked first, and may keep it until the console begins anew. */
export function followSwitches({ host, live, settled, remember, tell }: SwitchParts): TeardownLogic {
  const lifetime = new Subscription();
  let turn: Promise<void> = settled;
  const obey = (off: readonly string[] | undefined) => {
    if (!off) return;
    remember(off);
    turn = turn.then(() => (lifetime.closed ? undefined : bring(host, off, tell)));
  };
  const follow = (told: Observable<{ readonly off?: readonly string[] }>) => lifetime.add(told.subscribe(({ off }) => obey(off)));
  follow(live.stream(LiveOpened));
  follow(live.stream(PluginsSwitched));
  return lifetime;
}

async function bring(host: SwitchParts['host'], off: readonly string[], tell: SwitchParts['tell']): Promise<void> {
  const shown = host.claimed.find({ path: location.pathname })?.pluginId;
  const kept = new Set<string>();
  for (const id of off) {
    const state = host.states.find((one) => one.id === id);
    if (!state || state.cause?.kind === 'switched-off') continue;
    // Who keeps a plugin was asked about those that need it as well.
    if (state.needs.some((need) => kept.has(need)) || !(await host.disable(id))) kept.add(id);
  }
  const gone = host.states.find(({ id, status }) => id === shown && status !== 'running');
  if (gone) tell(gone.title);
  for (const { id, cause } of host.states) if (cause?.kind === 'switched-off' && !off.includes(id)) await host.enable(id);
}
