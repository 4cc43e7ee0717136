import type { JsonStorage } from '../../platform/browser/storage.ts';
import type { ScreenLock } from '../../platform/lock/screen-lock.ts';
import type { Preferences } from '../state/preferences.ts';

/** Idle times in minutes (no key, click or pointer move) after which the screen locks itself; 0 means never. */
export const idleChoices = [0, 5, 10, 15, 30, 60] as const;

const storageKey = 'last-active';
/** Milliseconds between two writes of the last activity, and between two checks of it. */
const writeIntervalMs = 5000;
const checkIntervalMs = 5000;
const activityEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Dependencies of the watch. */
export interface IdleWatchDeps {
  readonly lock: ScreenLock;
  readonly preferences: Preferences;
  /** Shares the last activity, so that activity in one browser tab keeps the others awake. */
  readonly storage: JsonStorage;
}

/** Locks the screen after the idle time without activity in any tab of this browser. Returns a function that stops the watch. */
export function watchIdleness({ lock, preferences, storage }: IdleWatchDeps): () => void {
  let recordedAt = 0;
  const recordActivity = () => {
    const now = Date.now();
    if (now - recordedAt < writeIntervalMs) return;
    recordedAt = now;
    storage.write(storageKey, now);
  };
  const checkIdle = () => {
    const { idleLockMinutes } = preferences.state;
    const lastActivity = storage.read<number>(storageKey) ?? 0;
    if (idleLockMinutes > 0 && Date.now() - lastActivity > idleLockMinutes * 60_000) void lock.lockIdle();
  };
  recordActivity();
  const timer = setInterval(checkIdle, checkIntervalMs);
  for (const name of activityEvents) window.addEventListener(name, recordActivity, { passive: true, capture: true });
  return () => {
    clearInterval(timer);
    for (const name of activityEvents) window.removeEventListener(name, recordActivity, { capture: true });
  };
}
