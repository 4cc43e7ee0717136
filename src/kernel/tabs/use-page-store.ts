import { useContext, useState } from 'react';
import type { Subscription } from 'rxjs';
import { useUnmount } from '../use-unmount.ts';
import { PaneContext } from './pane-context.ts';

/** A store of this page, made once: hiding the tab changes nothing, closing or refreshing it ends the store's `lifetime`, and so does unmounting. */
export function usePageStore<Made extends { readonly lifetime: Subscription }>(make: () => Made): Made {
  const pane = useContext(PaneContext);
  const [store] = useState(() => {
    const made = make();
    pane.lifetime?.add(made.lifetime);
    return made;
  });
  useUnmount(store, ({ lifetime }) => lifetime.unsubscribe());
  return store;
}
