import { useMemo, useSyncExternalStore } from 'react';

/** How much room there is, `product.md` §2: 3 from 1200 px, 2 from 992, 1 from 768, otherwise 0. */
export type WidthClass = 0 | 1 | 2 | 3;

const steps = [
  [3, 1200],
  [2, 992],
  [1, 768],
] as const;

const widthClass = (): WidthClass => steps.find(([, from]) => window.innerWidth >= from)?.[0] ?? 0;

/** The window's width class; a component follows it over the steps only. */
export function useWidthClass(): WidthClass {
  return useSyncExternalStore((wake) => {
    window.addEventListener('resize', wake);
    return () => window.removeEventListener('resize', wake);
  }, widthClass);
}

/** True in a window that is too narrow for two columns of a table and what can be done with a row: values stand below one another. */
export function useIsPhone(): boolean {
  const narrow = useMemo(() => window.matchMedia('(max-width: 599px)'), []);
  return useSyncExternalStore(
    (wake) => {
      narrow.addEventListener('change', wake);
      return () => narrow.removeEventListener('change', wake);
    },
    () => narrow.matches,
  );
}
