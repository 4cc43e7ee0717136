import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Entity, FormOf, ListInput, Page, RowOf } from '#shared/contract';

/** The Drizzle table of an entity: its fields as typed columns. */
export type TableOf<E extends Entity> = PgTable & { readonly [Name in keyof RowOf<E>]: PgColumn };

/** Reads and writes the rows of one entity: paging, filters and sorts by its schema, soft delete, audit columns, before and after for the log. */
export interface Repository<E extends Entity> {
  readonly table: TableOf<E>;
  page(input: ListInput): Promise<Page<RowOf<E>>>;
  /** Throws `notFound` for an absent, deleted or foreign id alike. */
  detail(id: string): Promise<RowOf<E>>;
  /** Adds a row, or updates the one `form.id` names. */
  save(form: FormOf<E>): Promise<RowOf<E>>;
  /** Marks all as deleted, or none: one absent id refuses the batch. */
  remove(ids: readonly string[]): Promise<void>;
}
