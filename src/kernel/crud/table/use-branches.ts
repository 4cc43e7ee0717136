import { useEffect } from 'react';
import { Http } from '../../http/http.ts';
import { useService } from '../../services.tsx';
import { usePageStore } from '../../tabs/use-page-store.ts';
import type { CrudCalls } from '../crud-screen.ts';
import type { CrudStore } from '../crud-store.ts';
import { Branches } from './branches.ts';

/** The open rows of a screen's tree; what is in sight is read again when rows are gone. */
export function useBranches(store: CrudStore, crud: CrudCalls): Branches {
  const http = useService(Http);
  const branches = usePageStore(() => new Branches(http, crud.lazy));
  useEffect(() => {
    const following = store.removed$.subscribe(({ success }) => success && branches.refresh());
    return () => following.unsubscribe();
  }, [store, branches]);
  return branches;
}
