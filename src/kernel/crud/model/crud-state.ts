import { maxSelection, type SearchedRange } from '#shared/contract';
import type { LocalizedText } from '#shared/text';
import type { RequestResult } from '../../platform/http/observe-request.ts';
import type { Row } from './crud-screen.ts';
import type { PageTotal } from './list-page.ts';
import { type ListQuery, pageSizes } from './list-query.ts';
import type { Selection } from './selection.ts';

/** State of a generic screen. Rows are selected across pages; a new search clears the selection. */
export interface CrudState extends Selection, PageTotal {
  readonly query: ListQuery;
  /** Rows of the last answer stay while the next one is loading or has failed. */
  readonly status: 'loading' | 'ready' | 'failed';
  /** Error of the list: the message of the server, or a text of the console if there was no response. */
  readonly failure: string | LocalizedText;
  /** True when the user may not read the list. */
  readonly isForbidden: boolean;
  readonly rows: readonly Row[];
  /** True while the rows are loaded and their count is not: only a lower bound is known. */
  readonly counting: boolean;
  readonly paged: boolean;
  /** Set for a search that is bounded by time; it continues until its range is searched or the page is full. */
  readonly searched: SearchedRange | undefined;
  /** Page size unless the address, a view or the user sets another one. */
  readonly defaultSize: number;
  readonly removing: boolean;
  /** True while the rows of all pages are read to be selected. */
  readonly selecting: boolean;
}

export const firstPage: ListQuery = { current: 1, size: pageSizes[0], filters: {}, conditions: [] };
/** State of a screen before its first page has been loaded. */
export const emptyState: CrudState = {
  query: firstPage,
  status: 'loading',
  failure: '',
  isForbidden: false,
  rows: [],
  total: 0,
  totalExact: true,
  counting: false,
  paged: true,
  searched: undefined,
  defaultSize: firstPage.size,
  selected: new Map(),
  dropped: 0,
  removing: false,
  selecting: false,
};

/** Returns the number of rows that can be selected once all of a page are; 0 where there are no more. */
export function selectableCount({ rows, selected, total, paged }: CrudState): number {
  const max = Math.min(total, maxSelection);
  return paged && selected.size < max && rows.length > 0 && rows.every(({ id }) => selected.has(id)) ? max : 0;
}

/** Returns the state after a list could not be read. The rows of a list that the user may not read are removed. */
export function failedState(answer: RequestResult & { readonly success: false }): Partial<CrudState> {
  const isForbidden = answer.code === 403;
  const failure = 'localizedMessage' in answer ? answer.localizedMessage : answer.msg;
  return { status: 'failed', failure, isForbidden, ...(isForbidden ? { rows: [], total: 0 } : {}) };
}

/** Keeps the exact total of the previous page while the new page knows only a lower bound. */
export const keptTotal = ({ total, totalExact }: PageTotal, page: PageTotal): Partial<CrudState> =>
  !page.totalExact && total > page.total ? { total, totalExact, counting: false } : {};
