import { useSyncExternalStore } from 'react';
import { useMediaQuery } from '../../platform/browser/use-media-query.ts';

/** Width class of the window: 3 from 1200 px, 2 from 992, 1 from 768, otherwise 0. */
export type Breakpoint = 0 | 1 | 2 | 3;

const minWidths = [
  [3, 1200],
  [2, 992],
  [1, 768],
] as const;

const currentBreakpoint = (): Breakpoint => minWidths.find(([, minWidth]) => window.innerWidth >= minWidth)?.[0] ?? 0;

/** Returns the width class of the window; the component renders again only when it changes. */
export function useBreakpoint(): Breakpoint {
  return useSyncExternalStore((onChange) => {
    window.addEventListener('resize', onChange);
    return () => window.removeEventListener('resize', onChange);
  }, currentBreakpoint);
}

/** Returns true in a window too narrow for two columns of a table and the row actions: values are stacked then. */
export const useIsPhone = (): boolean => useMediaQuery('(max-width: 599px)');
