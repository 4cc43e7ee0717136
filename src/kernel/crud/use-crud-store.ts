import { useEffect, useState } from 'react';
import { Http } from '../http/http.ts';
import { useService } from '../services.tsx';
import { useUnmount } from '../use-unmount.ts';
import type { CrudCalls, CrudPageProps } from './crud-screen.ts';
import { CrudStore } from './crud-store.ts';

/** One store for each mounted screen: hiding its tab changes nothing, unmounting it ends it. */
export function useCrudStore(crud: CrudCalls, filter?: CrudPageProps['filter']): CrudStore {
  const http = useService(Http);
  const [store] = useState(() => new CrudStore(http, crud));
  useEffect(() => store.narrow(filter), [store, filter]);
  useUnmount(store, ({ lifetime }) => lifetime.unsubscribe());
  return store;
}
