import { firstValueFrom } from 'rxjs';
import { type BatchResult, type Call, maxSelection } from '#shared/contract';
import type { Http } from '../../platform/http/http.ts';
import { type MutationResult, observeRequest, type RequestResult } from '../../platform/http/observe-request.ts';
import type { Row } from './crud-screen.ts';
import { flatten } from './entity-fields.ts';
import { pageOf } from './list-page.ts';
import { pageSizes } from './list-query.ts';

/** Result of a removal with the ids of its rows. */
export interface Removal extends MutationResult {
  readonly ids: readonly string[];
}

/** Largest number of selected rows on other pages that each load reads again. */
export const maxReviewedRows = 1000;
export const maxPageSize = pageSizes[pageSizes.length - 1] as number;

/** Selected rows by id, as last loaded. `dropped` counts the rows that loads have deselected since the user last changed the selection. */
export interface Selection {
  readonly selected: ReadonlyMap<string, Row>;
  readonly dropped: number;
}

/** Rows that a load has returned, and ids that the list no longer contains. */
interface LoadedRows {
  readonly rows: readonly Row[];
  readonly missing?: readonly string[];
  /** Tests whether a selected row still has the actions for which it was selected. */
  readonly keeps: (before: Row, now: Row) => boolean;
}

/** Updates selected rows with their loaded versions; deselects rows that are missing or no longer have the actions for which they were selected. */
export function refreshSelection({ selected, dropped }: Selection, { rows, missing = [], keeps }: LoadedRows): Selection {
  const reloaded = selected.size > 0 ? flatten(rows).filter(({ id }) => selected.has(id)) : [];
  if (reloaded.length === 0 && missing.length === 0) return { selected, dropped };
  const next = new Map(selected);
  for (const row of reloaded) keeps(selected.get(row.id) ?? row, row) ? next.set(row.id, row) : next.delete(row.id);
  for (const id of missing) next.delete(id);
  return { selected: next, dropped: dropped + selected.size - next.size };
}

/** Returns the ids that a removal has removed. */
export function removedIds(ids: readonly string[], result: BatchResult | null | undefined): readonly string[] {
  const refused = new Set(result?.rows.map(({ id }) => id));
  return ids.filter((id) => !refused.has(id));
}

/** Reads rows of a list by their ids; undefined if they cannot be read, or if the list takes no ids. */
export async function readByIds(http: Http, list: Call, input: object, ids: readonly string[]): Promise<readonly Row[] | undefined> {
  const found: Row[] = [];
  for (let start = 0; start < ids.length; start += maxPageSize) {
    const some = ids.slice(start, start + maxPageSize);
    const answer = await firstValueFrom(observeRequest(http, list, { ...input, ids: some.join(',') }, { quiet: true }));
    if (!answer.success) return undefined;
    const rows = flatten(pageOf(answer.data).rows);
    if (rows.some(({ id }) => !some.includes(id))) return undefined;
    found.push(...rows);
  }
  return found;
}

/** Reads the rows of all pages, from the first on, up to the largest selection; undefined if a page cannot be read, or if the list has changed meanwhile. */
export async function readAllRows(read: (current: number) => Promise<RequestResult>, isCurrent: () => boolean): Promise<readonly Row[] | undefined> {
  const found: Row[] = [];
  for (let current = 1; found.length < maxSelection; current += 1) {
    const answer = await read(current);
    if (!answer.success || !isCurrent()) return undefined;
    const { rows } = pageOf(answer.data);
    found.push(...rows);
    if (rows.length < maxPageSize) break;
  }
  return found.slice(0, maxSelection);
}
