import type { LocalizedText } from '#shared/text';
import type { Row } from './crud-screen.ts';
import type { PageTotal } from './list-page.ts';
import { type ListQuery, pageSizes } from './list-query.ts';
import { maxSelection, type Selection } from './selection.ts';

/** State of a generic screen. Rows are selected across pages; a new search clears the selection. */
export interface CrudState extends Selection, PageTotal {
  readonly query: ListQuery;
  /** Rows of the last answer stay while the next one is loading or has failed. */
  readonly status: 'loading' | 'ready' | 'failed';
  /** Error of the list: the server's message, or a text of ours without an answer. */
  readonly failure: string | LocalizedText;
  readonly rows: readonly Row[];
  /** True while the rows are loaded and their count is not: only a lower bound is known. */
  readonly counting: boolean;
  readonly paged: boolean;
  readonly removing: boolean;
}

export const firstPage: ListQuery = { current: 1, size: pageSizes[0], filters: {}, conditions: [] };
/** State of a screen before its first page has been loaded. */
export const emptyState: CrudState = {
  query: firstPage,
  status: 'loading',
  failure: '',
  rows: [],
  total: 0,
  totalExact: true,
  counting: false,
  paged: true,
  selected: new Map(),
  dropped: 0,
  removing: false,
};

/** Returns the number of rows that can be selected once all of a page are; 0 where there are no more. */
export function selectableCount({ rows, selected, total, paged }: CrudState): number {
  const max = Math.min(total, maxSelection);
  return paged && selected.size < max && rows.length > 0 && rows.every(({ id }) => selected.has(id)) ? max : 0;
}
