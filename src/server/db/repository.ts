import type { SQL } from 'drizzle-orm';
import type { Entity, FormOf, ListInput, Page, RowOf } from '#shared/contract';
import type { Database } from './database.ts';
import { EntityRepository } from './entity-repository.ts';
import type { TableOf } from './table.ts';

/** Reads and writes the rows of one entity: paging, filters and sorts by its schema, soft delete, audit columns, before and after for the log. */
export interface Repository<E extends Entity> {
  readonly table: TableOf<E>;
  /** `where` narrows beyond what the request asks; the total is then counted, not kept. */
  page(input: ListInput, where?: SQL): Promise<Page<RowOf<E>>>;
  /** All undeleted rows (of those `where` lets through), oldest first unless told. */
  list(where?: SQL, ...order: SQL[]): Promise<RowOf<E>[]>;
  /** The undeleted row with these values, if there is one. */
  find(values: Partial<RowOf<E>>): Promise<RowOf<E> | undefined>;
  /** Throws `notFound` for an absent, deleted or foreign id alike. */
  detail(id: string): Promise<RowOf<E>>;
  /** Adds a row, or updates the one `form.id` names; what the form leaves out stays as it is. */
  save(form: FormOf<E>): Promise<RowOf<E>>;
  /** Marks all as deleted, or none: one absent id refuses the batch. */
  remove(ids: readonly string[]): Promise<void>;
}

/** What a domain adds to the rows it keeps. Each runs in the transaction of the write; a `Refusal` thrown takes all of it back. */
export interface RepositoryOptions<E extends Entity> {
  /** Fields that together may occur once among undeleted rows; the operator reads the last one's title. An index of the same kind settles races. */
  readonly unique?: readonly (readonly (keyof RowOf<E> & string)[])[];
  /** Rows outside of this do not exist for this repository. */
  readonly where?: () => SQL;
  beforeSave?(form: FormOf<E>, before: RowOf<E> | undefined): void | Promise<void>;
  beforeRemove?(rows: readonly RowOf<E>[]): void | Promise<void>;
  saved?(after: RowOf<E>, before: RowOf<E> | undefined): void | Promise<void>;
  removed?(rows: readonly RowOf<E>[]): void | Promise<void>;
}

/** The repository of an entity's rows in the database of the deployment. */
export function repositoryOf<E extends Entity>(db: Database, entity: E, options: RepositoryOptions<E> = {}): Repository<E> {
  return new EntityRepository(db, entity, options);
}
