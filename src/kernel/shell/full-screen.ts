import { useSyncExternalStore } from 'react';

function watch(wake: () => void): () => void {
  document.addEventListener('fullscreenchange', wake);
  return () => document.removeEventListener('fullscreenchange', wake);
}

/** Whether the console fills the screen, and the switch for it. */
export function useFullScreen(): { readonly isPossible: boolean; readonly isOn: boolean; readonly toggle: () => void } {
  const isOn = useSyncExternalStore(watch, () => document.fullscreenElement !== null);
  const toggle = () => {
    const asked = isOn ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    asked.catch(() => undefined); // Refused by the browser: the screen stays as it is.
  };
  return { isPossible: document.fullscreenEnabled, isOn, toggle };
}
