import { type ComponentProps, Suspense } from 'react';
import { part } from '../../part.tsx';
import { useStore } from '../../use-store.ts';
import { isNarrowed } from '../list-query.ts';

const ActiveFilters = part(() => import('./ActiveFilters.tsx'));

/** Shows the active filters once there are any. */
export function ActiveFilterBar(props: ComponentProps<typeof ActiveFilters>) {
  const isFiltered = useStore(props.store, (state) => isNarrowed(state.query));
  return <Suspense>{isFiltered && <ActiveFilters {...props} />}</Suspense>;
}
