import { useContext, useEffect, useState } from 'react';
import { Http } from '../http/http.ts';
import { useService } from '../services.tsx';
import { PaneContext } from '../tabs/pane-context.ts';
import type { CrudCalls, CrudPageProps } from './crud-screen.ts';
import { CrudStore } from './crud-store.ts';

/** One store for each mounted page: hiding its tab changes nothing, closing the tab ends it. */
export function useCrudStore(crud: CrudCalls, filter?: CrudPageProps['filter']): CrudStore {
  const http = useService(Http);
  const pane = useContext(PaneContext);
  const [store] = useState(() => new CrudStore(http, crud));
  useEffect(() => {
    pane.lifetime?.add(store.lifetime);
    store.narrow(filter);
  }, [store, pane, filter]);
  return store;
}
