import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

interface Kept {
  readonly id: SQLWrapper;
  readonly status: SQLWrapper;
}

/** What a picker shows: what is in use, or the rows of these ids whatever has become of them. */
export function picked({ id, status }: Kept, { ids }: { readonly ids?: string }): SQL {
  return ids ? sql`${id} = any(${`{${ids}}`}::bigint[])` : sql`${status} = 1`;
}
