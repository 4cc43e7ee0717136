import { ApiError, problems } from '#shared/errors';

/** A row with its sort position. */
export interface OrderedRow {
  readonly id: string;
  readonly sort: number;
}

/**
 * Assigns the positions 1, 2, … to `rows`, the complete list, in the order of `ids`, and saves the moved ones; throws if `ids` are not exactly the rows' ids. Lock the
 * list first.
 */
export async function reorder(rows: readonly OrderedRow[], ids: readonly string[], save: (moved: OrderedRow) => Promise<unknown>): Promise<void> {
  const places = new Map(rows.map(({ id, sort }) => [id, sort]));
  if (ids.length !== rows.length || new Set(ids).size !== rows.length || !ids.every((id) => places.has(id))) throw new ApiError(problems.orderStale);
  for (const [index, id] of ids.entries()) if (places.get(id) !== index + 1) await save({ id, sort: index + 1 });
}
