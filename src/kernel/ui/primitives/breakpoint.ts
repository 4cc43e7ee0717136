import { useSyncExternalStore } from 'react';
import { useMediaQuery } from '../../platform/browser/use-media-query.ts';

/** Width class of the window: 3 from 1200 px, 2 from 992, 1 from 768, otherwise 0. */
export type Breakpoint = 0 | 1 | 2 | 3;

const steps = [
  [3, 1200],
  [2, 992],
  [1, 768],
] as const;

const widthClass = (): Breakpoint => steps.find(([, from]) => window.innerWidth >= from)?.[0] ?? 0;

/** Returns the window's width class; a component renders again only when the class changes. */
export function useBreakpoint(): Breakpoint {
  return useSyncExternalStore((onChange) => {
    window.addEventListener('resize', onChange);
    return () => window.removeEventListener('resize', onChange);
  }, widthClass);
}

/** Returns true in a window too narrow for two columns of a table and the row actions: values are stacked then. */
export const useIsPhone = (): boolean => useMediaQuery('(max-width: 599px)');
