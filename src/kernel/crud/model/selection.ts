import { firstValueFrom } from 'rxjs';
import type { BatchResult, Call } from '#shared/contract';
import type { Http } from '../../platform/http/http.ts';
import { observeRequest } from '../../platform/http/observe-request.ts';
import type { Row } from './crud-screen.ts';
import { flatten } from './entity-fields.ts';
import { pageOf } from './list-page.ts';
import { pageSizes } from './list-query.ts';

/** Largest number of ids in one request. */
export const maxSelection = 1000;
export const maxPageSize = pageSizes[pageSizes.length - 1] as number;

/** Selected rows by id, as last loaded, and the number of those that loads have removed since the selection last changed. */
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

/** Updates selected rows with their loaded versions; drops rows that are missing or are no longer what was selected. */
export function refreshSelection({ selected, dropped }: Selection, { rows, missing = [], keeps }: LoadedRows): Selection {
  const again = selected.size > 0 ? flatten(rows).filter(({ id }) => selected.has(id)) : [];
  if (again.length === 0 && missing.length === 0) return { selected, dropped };
  const next = new Map(selected);
  for (const row of again) keeps(selected.get(row.id) ?? row, row) ? next.set(row.id, row) : next.delete(row.id);
  for (const id of missing) next.delete(id);
  return { selected: next, dropped: dropped + selected.size - next.size };
}

/** Returns the ids of a removal without those that it has left out. */
export const removedIds = (ids: readonly string[], result: BatchResult | null | undefined): readonly string[] =>
  ids.filter((id) => !result?.rows.some((row) => row.id === id));

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
