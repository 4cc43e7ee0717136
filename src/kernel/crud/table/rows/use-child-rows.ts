import { useEffect } from 'react';
import { useService } from '../../../base/react/services.tsx';
import { Http } from '../../../platform/http/http.ts';
import { usePageStore } from '../../../ui/pane/use-page-store.ts';
import type { CrudCalls } from '../../model/crud-screen.ts';
import type { CrudStore } from '../../model/crud-store.ts';
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
