import type { CrudState } from './crud-state.ts';
import type { ListPage } from './list-page.ts';

/** Request for the rows of the current query, or for more of a search. */
export interface ListRequest {
  readonly exactTotal?: boolean;
  readonly search?: 'stop' | 'resume';
}

/** Returns the parameters that continue a search before the time it has reached; undefined when the page is full or the range is searched. */
export function nextSearch({ searched, rows, query, status }: CrudState): { readonly size: number; readonly searchedTo: string } | undefined {
  if (status === 'failed' || !searched || searched.reached <= searched.from || rows.length >= query.size) return undefined;
  return { size: query.size - rows.length, searchedTo: searched.reached };
}

/** Joins the rows found so far with those of the next reply; a reply without progress ends the search. */
export function joinedPage({ rows, searched }: CrudState, page: ListPage): ListPage {
  const reached = page.searched?.reached ?? '';
  const next = searched && page.searched && reached < searched.reached ? { ...searched, reached } : undefined;
  const totalExact = next !== undefined && reached <= next.from && page.total <= page.rows.length;
  return { ...page, rows: [...rows, ...page.rows], total: rows.length + page.total, totalExact, searched: next };
}
