import { Suspense, useEffect } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { ScreenLock } from '../../platform/lock/screen-lock.ts';
import { Session } from '../../platform/session/session.ts';
import { lazyComponent } from '../../ui/loading/part.tsx';
import { PaletteView } from './palette-view.ts';

const Palette = lazyComponent<{ readonly onClose: () => void }>(() => import('./Palette.tsx'));
const SettingsPanel = lazyComponent(() => import('../settings-panel/SettingsPanel.tsx'));
const LockDialog = lazyComponent(() => import('../lock/LockDialog.tsx'));

/** Opens the palette on Ctrl+K or ⌘K from anywhere, unless the screen is locked or the session has expired. */
export function PaletteHost() {
  const view = useService(PaletteView);
  const shown = useStore(view, (state) => state.shown);
  const isShut = useIsShut();

  useEffect(() => {
    if (isShut) return view.close();
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPaletteShortcut(event) || event.defaultPrevented) return;
      event.preventDefault();
      // An open modal dialog must be answered first.
      if (!document.querySelector('dialog[open]')) view.show('palette');
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [view, isShut]);

  if (isShut) return null;
  return (
    <Suspense>
      {shown === 'palette' && <Palette onClose={() => view.close('palette')} />}
      {shown === 'settings' && <SettingsPanel onClose={() => view.close('settings')} />}
      {shown === 'lock' && <LockDialog onClose={() => view.close('lock')} />}
    </Suspense>
  );
}

function useIsShut(): boolean {
  const session = useService(Session);
  const lock = useService(ScreenLock);
  const user = useStream(session.user$, session.user);
  const isLocked = useStream(lock.isLocked$, lock.isLocked);
  return isLocked || user === undefined;
}

const isPaletteShortcut = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
