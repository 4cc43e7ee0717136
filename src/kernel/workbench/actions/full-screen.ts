import { useSyncExternalStore } from 'react';

function watch(wake: () => void): () => void {
  document.addEventListener('fullscreenchange', wake);
  return () => document.removeEventListener('fullscreenchange', wake);
}

/** Returns whether the console is in full screen, and a function that toggles it. */
export function useFullScreen(): { readonly isPossible: boolean; readonly isOn: boolean; readonly toggle: () => void } {
  const isOn = useSyncExternalStore(watch, () => document.fullscreenElement !== null);
  const toggle = () => {
    const asked = isOn ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    asked.catch(() => undefined); // The browser may refuse; the screen stays as it is then.
  };
  return { isPossible: document.fullscreenEnabled, isOn, toggle };
}
