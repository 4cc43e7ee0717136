import { problems, Refusal } from '#shared/errors';

/** A row with its place among others. */
export interface PlacedRow {
  readonly id: string;
  readonly sort: number;
}

/** Gives `rows`, all there are, the places 1, 2, … in the order of `ids`, and saves those whose place is another; refused where `ids` are not exactly theirs. Lock the list first. */
export async function putInOrder(rows: readonly PlacedRow[], ids: readonly string[], save: (moved: PlacedRow) => Promise<unknown>): Promise<void> {
  const places = new Map(rows.map(({ id, sort }) => [id, sort]));
  if (ids.length !== rows.length || new Set(ids).size !== rows.length || !ids.every((id) => places.has(id))) throw new Refusal(problems.orderStale);
  for (const [place, id] of ids.entries()) if (places.get(id) !== place + 1) await save({ id, sort: place + 1 });
}
