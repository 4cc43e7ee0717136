import { Suspense, useEffect } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { useStream } from '../../base/react/use-stream.ts';
import { ScreenLock } from '../../platform/lock/screen-lock.ts';
import { useUser } from '../../platform/session/use-user.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { OpenOverlay } from '../state/open-overlay.ts';

const Palette = lazyComponent<{ readonly onClose: () => void }>(() => import('./Palette.tsx'));
const SettingsPanel = lazyComponent(() => import('../settings-panel/SettingsPanel.tsx'));
const LockDialog = lazyComponent(() => import('../lock/LockDialog.tsx'));

/** Opens the palette on Ctrl+K or ⌘K from anywhere, unless the screen is locked or the session has expired. */
export function PaletteHost() {
  const overlay = useService(OpenOverlay);
  const shown = useStore(overlay, (state) => state.shown);
  const isDisabled = useIsDisabled();

  useEffect(() => {
    if (isDisabled) return overlay.close();
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isPaletteShortcut(event) || event.defaultPrevented) return;
      event.preventDefault();
      // An open modal dialog must be answered first.
      if (!document.querySelector('dialog[open]')) overlay.show('palette');
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [overlay, isDisabled]);

  if (isDisabled) return null;
  return (
    <Suspense>
      {shown === 'palette' && <Palette onClose={() => overlay.close('palette')} />}
      {shown === 'settings' && <SettingsPanel onClose={() => overlay.close('settings')} />}
      {shown === 'lock' && <LockDialog onClose={() => overlay.close('lock')} />}
    </Suspense>
  );
}

function useIsDisabled(): boolean {
  const lock = useService(ScreenLock);
  const isLocked = useStream(lock.isLocked$, lock.isLocked);
  const isSignedOut = useUser() === undefined;
  return isLocked || isSignedOut;
}

const isPaletteShortcut = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;
