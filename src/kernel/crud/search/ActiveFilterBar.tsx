import { type ComponentProps, Suspense, useEffect } from 'react';
import { useStore } from '../../base/react/use-store.ts';
import { lazyComponent } from '../../ui/loading/lazy-component.tsx';
import { hasFilters } from '../model/list-query.ts';

const ActiveFilters = lazyComponent(() => import('./ActiveFilters.tsx'));

/** Shows the active filters once there are any. */
export function ActiveFilterBar(props: ComponentProps<typeof ActiveFilters>) {
  const isFiltered = useStore(props.store, (state) => hasFilters(state.query));
  const { onDescribe } = props;
  useEffect(() => {
    if (!isFiltered) onDescribe?.('');
  }, [isFiltered, onDescribe]);
  // The line has its height before its content is loaded, so that the table moves once.
  return isFiltered ? (
    <Suspense fallback={<div className="crud-chips" />}>
      <ActiveFilters {...props} />
    </Suspense>
  ) : null;
}
