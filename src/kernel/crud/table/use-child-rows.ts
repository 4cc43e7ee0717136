import { useEffect } from 'react';
import { Http } from '../../http/http.ts';
import { useService } from '../../services.tsx';
import { usePageStore } from '../../tabs/use-page-store.ts';
import type { CrudCalls } from '../crud-screen.ts';
import type { CrudStore } from '../crud-store.ts';
import { ChildRows } from './child-rows.ts';

/** Returns the expanded rows of a screen's tree; visible children are loaded again when rows are removed. */
export function useChildRows(store: CrudStore, crud: CrudCalls): ChildRows {
  const http = useService(Http);
  const childRows = usePageStore(() => new ChildRows(http, crud.lazy));
  useEffect(() => {
    const following = store.removed$.subscribe(({ success }) => success && childRows.refresh());
    return () => following.unsubscribe();
  }, [store, childRows]);
  return childRows;
}
