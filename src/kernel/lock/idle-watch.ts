import type { Preferences } from '../shell/preferences.ts';
import type { JsonStorage } from '../storage.ts';
import type { ScreenLock } from './screen-lock.ts';

/** Minutes without a key, a click or a move after which the screen locks itself; 0 never. */
export const idleChoices = [0, 5, 10, 15, 30, 60] as const;

const lastActive = 'last-active';
/** Milliseconds between two notes of activity, and between two looks at them. */
const noteEvery = 5000;
const lookEvery = 5000;
const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** What the watch looks at. */
export interface IdleWatchParts {
  readonly lock: ScreenLock;
  readonly preferences: Preferences;
  /** Activity in one browser tab keeps the others awake. */
  readonly storage: JsonStorage;
}

/** Locks the screen of somebody who has left it, in whichever browser tab they were last. Answers with its undoing. */
export function watchIdleness({ lock, preferences, storage }: IdleWatchParts): () => void {
  let noted = 0;
  const note = () => {
    const now = Date.now();
    if (now - noted < noteEvery) return;
    noted = now;
    storage.write(lastActive, now);
  };
  const look = () => {
    const { idleLockMinutes } = preferences.state;
    const since = storage.read<number>(lastActive) ?? 0;
    if (idleLockMinutes > 0 && Date.now() - since > idleLockMinutes * 60_000) void lock.leave();
  };
  note();
  const timer = setInterval(look, lookEvery);
  for (const sign of signs) window.addEventListener(sign, note, { passive: true, capture: true });
  return () => {
    clearInterval(timer);
    for (const sign of signs) window.removeEventListener(sign, note, { capture: true });
  };
}
