import { useSyncExternalStore } from 'react';

function subscribe(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange);
  return () => document.removeEventListener('fullscreenchange', onChange);
}

/** Returns whether the console is in full screen, and a function that toggles it. */
export function useFullScreen(): { readonly isSupported: boolean; readonly isFullScreen: boolean; readonly toggle: () => void } {
  const isFullScreen = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  const toggle = () => {
    const request = isFullScreen ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    request.catch(() => undefined); // If the browser rejects the request, the screen stays unchanged.
  };
  return { isSupported: document.fullscreenEnabled, isFullScreen, toggle };
}
