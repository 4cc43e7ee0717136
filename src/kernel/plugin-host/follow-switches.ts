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
  /** Says something to the operator. */
  readonly tell: (words: Words) => void;
}

/** Stops the plugins an administrator switches off, and starts them when they are on again; an operator with unsaved changes in one is asked first, and may keep it until the console begins anew. */
export function followSwitches({ host, live, settled, remember, tell }: SwitchParts): TeardownLogic {
  const lifetime = new Subscription();
  let turn: Promise<void> = settled;
  const obey = (off: readonly string[] | undefined) => {
    if (!off) return;
    remember(off);
    // The menu is asked for anew as well, and may lead away from a page that goes before this is done.
    const { pathname } = location;
    turn = turn.then(async () => {
      // What obeys comes with the first plugin that is off: most consoles never meet one.
      if (off.length === 0 && !host.states.some(({ cause }) => cause?.kind === 'switched-off')) return;
      const { bring } = await import('./bring-to-switches.ts');
      if (!lifetime.closed) await bring({ host, tell }, off, pathname);
    });
  };
  const follow = (told: Observable<{ readonly off?: readonly string[] }>) => lifetime.add(told.subscribe(({ off }) => obey(off)));
  follow(live.stream(LiveOpened));
  follow(live.stream(PluginsSwitched));
  return lifetime;
}
