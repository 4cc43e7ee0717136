import { useMemo, useSyncExternalStore } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Theme } from './theme.ts';

/** Returns whether the console is dark now, by choice or by following the system. */
export function useIsDark(): boolean {
  const theme = useService(Theme);
  const appearance = useStream(theme.appearance$, theme.appearance);
  const system = useMemo(() => window.matchMedia('(prefers-color-scheme: dark)'), []);
  const isSystemDark = useSyncExternalStore(
    (wake) => {
      system.addEventListener('change', wake);
      return () => system.removeEventListener('change', wake);
    },
    () => system.matches,
  );
  return appearance === 'system' ? isSystemDark : appearance === 'dark';
}
