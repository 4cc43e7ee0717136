import { useContext, useState } from 'react';
import type { Subscription } from 'rxjs';
import { useUnmount } from '../../base/react/use-unmount.ts';
import { PaneContext } from './pane-context.ts';

/** Creates a store once for this page: hiding the tab keeps it; closing or refreshing the tab, or unmounting, ends the store's `lifetime`. */
export function usePageStore<Store extends { readonly lifetime: Subscription }>(create: () => Store): Store {
  const pane = useContext(PaneContext);
  const [store] = useState(() => {
    const created = create();
    pane.lifetime?.add(created.lifetime);
    return created;
  });
  useUnmount(store, ({ lifetime }) => lifetime.unsubscribe());
  return store;
}
