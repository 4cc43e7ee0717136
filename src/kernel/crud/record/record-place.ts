import { useContext } from 'react';
import { UNSAFE_NavigationContext as NavigationContext } from 'react-router-dom';
import { writeRecord } from '#shared/list-address';
import { currentPath } from '../../platform/browser/base-path.ts';
import { usePreference } from '../../platform/preferences/user-preferences.ts';
import type { PageAddress } from '../../ui/pane/page-address.ts';

/** Place of an opened record: a page of its own, beside its list, or in a drawer over a list that has no address. */
export type RecordPlace = 'page' | 'beside' | 'drawer';

/** Mode of an address whose record is a page of its own. */
export const pageMode = 'page';

/** Returns where this user opens records, and a function that changes it. */
export const useRecordPlace = () => usePreference<'page' | 'beside'>('record-place', 1);

/** Links between a list and the pages of its records. */
export interface RecordLinks {
  /** Opens a record in a tab of its own, which keeps the query of the list for its neighbours. */
  openPage(id: string): void;
  /** Shows the list with a record beside it. */
  openBeside(id: string): void;
  /** Shows the list as it was left. */
  openList(): void;
}

/** Returns functions that change the address; each page of a record is a tab, to which the same record returns. */
export function useRecordLinks(address: PageAddress | undefined): RecordLinks {
  // `useNavigate` would render the list again with each change of its address.
  const navigator = useContext(NavigationContext)?.navigator;
  const path = currentPath;
  const searchWith = (record: string, mode?: string) => {
    const parameters = new URLSearchParams(address?.search);
    parameters.delete('part');
    writeRecord(parameters, { record, mode });
    return `?${parameters}`;
  };
  const go = (search: string, tab: string) => navigator?.push(path() + search, { tab, isExact: true });
  return {
    openPage: (id) => go(searchWith(id, pageMode), `${path()}?record=${id}&mode=${pageMode}`),
    openBeside: (id) => go(searchWith(id), path()),
    openList: () => navigator?.push(path()),
  };
}
