import { type Observable, Subscription, type TeardownLogic } from 'rxjs';
import { PluginsSwitched } from '#shared/disabled-plugins';
import { LiveOpened } from '#shared/live';
import { TaskQueue } from '#shared/task-queue';
import type { LocalizedText } from '#shared/text';
import type { Live } from '../../platform/live/live.ts';
import type { PluginHost } from './plugin-host.ts';

/** Dependencies of `followDisabledPlugins`. */
export interface FollowDisabledPluginsDeps {
  readonly host: Pick<PluginHost, 'states' | 'registeredPages' | 'enable' | 'disable'>;
  readonly live: Live;
  /** Resolves when the host has started every plugin it could. */
  readonly settled: Promise<void>;
  /** Stores the ids of the disabled plugins for the next start of this console. */
  readonly save: (disabledIds: readonly string[]) => void;
  /** Shows a message to the operator. */
  readonly notify: (text: LocalizedText) => void;
}

/**
 * Stops the plugins an administrator disables and starts them when they are enabled again. An operator with unsaved changes is asked first and may keep
 * the plugin until the next start.
 */
export function followDisabledPlugins({ host, live, settled, save, notify }: FollowDisabledPluginsDeps): TeardownLogic {
  const lifetime = new Subscription();
  const queue = new TaskQueue();
  void queue.run(() => settled);
  const apply = (disabledIds: readonly string[] | undefined) => {
    if (!disabledIds) return;
    save(disabledIds);
    // The path is read now: the menu reloads as well and may leave the page before this is done.
    const { pathname } = location;
    void queue.run(async () => {
      // The code that disables plugins is loaded with the first disabled one: most consoles never need it.
      if (disabledIds.length === 0 && !host.states.some(({ cause }) => cause?.kind === 'switched-off')) return;
      const { applyDisabledPlugins } = await import('./apply-disabled-plugins.ts');
      if (!lifetime.closed) await applyDisabledPlugins({ host, notify }, disabledIds, pathname);
    });
  };
  const follow = (changes$: Observable<{ readonly off?: readonly string[] }>) => lifetime.add(changes$.subscribe(({ off }) => apply(off)));
  follow(live.stream(LiveOpened));
  follow(live.stream(PluginsSwitched));
  return lifetime;
}
