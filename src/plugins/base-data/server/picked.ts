import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

interface PickableColumns {
  readonly id: SQLWrapper;
  readonly status: SQLWrapper;
}

/** Condition of a picker: enabled rows, or the rows with these ids regardless of status. */
export function picked({ id, status }: PickableColumns, { ids }: { readonly ids?: string }): SQL {
  return ids ? sql`${id} = any(${`{${ids}}`}::bigint[])` : sql`${status} = 1`;
}
