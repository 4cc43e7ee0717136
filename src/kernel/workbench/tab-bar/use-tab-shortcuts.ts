import { useEffect } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { TabStore } from '../tabs/tab-store.ts';
import type { Tab } from '../tabs/tabs.ts';

/** Handles keys no browser uses: Alt+W closes the page, Alt+R refreshes it, Alt+PageUp and Alt+PageDown show the previous and the next one. */
export function useTabShortcuts(): void {
  const store = useService(TabStore);
  const tabs = useStream(store.tabs$, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isTyped(event)) return;
      if (!act(event.code, store, tabs)) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [store, tabs]);
}

/** Runs the action of a key; returns false for other keys. */
function act(code: string, store: TabStore, tabs: readonly Tab[]): boolean {
  const { active } = store;
  const step = code === 'PageUp' ? -1 : code === 'PageDown' ? 1 : 0;
  const next = tabs[(tabs.findIndex(({ key }) => key === active) + step + tabs.length) % tabs.length];
  if (step !== 0 && next) store.open(next);
  else if (code === 'KeyW' && active !== undefined) store.close(active);
  else if (code === 'KeyR' && active !== undefined) store.refresh(active);
  else return false;
  return true;
}

/** On a Mac, Option with a letter types another character, which must reach an input field. */
function isTyped({ target, key, code }: KeyboardEvent): boolean {
  const isField = target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'));
  return isField && code.startsWith('Key') && key.toLowerCase() !== code.slice(3).toLowerCase();
}
