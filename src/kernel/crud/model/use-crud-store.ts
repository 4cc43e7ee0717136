import { useLayoutEffect } from 'react';
import { useService } from '../../base/react/services.tsx';
import { Http } from '../../platform/http/http.ts';
import { usePageStore } from '../../ui/pane/use-page-store.ts';
import type { CrudCalls, CrudPageProps } from './crud-screen.ts';
import { CrudStore } from './crud-store.ts';
import type { ListQuery } from './list-query.ts';

/** Creates one store for each mounted screen; it lives as long as its tab and starts with `initialQuery`. */
export function useCrudStore(crud: CrudCalls, filter?: CrudPageProps['filter'], initialQuery?: Partial<ListQuery>): CrudStore {
  const http = useService(Http);
  const store = usePageStore(() => new CrudStore(http, crud, initialQuery));
  // The first request does not wait for the paint of the page; the table below has measured the size of its pages by then.
  useLayoutEffect(() => store.setBaseFilter(filter), [store, filter]);
  return store;
}
