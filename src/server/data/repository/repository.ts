import type { SQL } from 'drizzle-orm';
import type { Branch, DeletedRow, Entity, FormOf, LazyRow, ListInput, Page, RowOf } from '#shared/contract';
import type { ApiError, Problem } from '#shared/errors';
import type { HistoryInput } from '#shared/history-schemas';
import type { DeclaredTransition } from '#shared/states';
import type { Database } from '../database/database.ts';
import type { TableOf } from '../schema/table.ts';
import { EntityRepository } from './entity-repository.ts';
import type { WalkOptions } from './keyset-cursor.ts';
import type { StoredHistory } from './record-history.ts';
import { RowTreeRepository } from './tree-repository.ts';

/** Partial form that updates the row with this id. */
export type RowChange<Form extends object> = Partial<Form> & { readonly id: string };

/** Rows by their ids, all of which must exist, or those that match a condition. */
export type RowSelection = readonly string[] | SQL;

/** A row that the server has changed; those of tenants name theirs, for work that accesses every tenant. */
export type ChangedRow<E extends Entity> = RowOf<E> & { readonly tenantId?: string };

/** Options for reading a page that a request cannot set. */
export interface PageOptions {
  /** Saves the time of counting: if rows follow the page, `total` is the number of rows so far plus one, and `totalExact` is false. */
  readonly withoutTotal?: boolean;
}

/** Reads and writes the rows of one entity: paging, filters and sorts by its schema, soft delete, audit columns, and changes for the log. */
export interface Repository<E extends Entity, Form extends object = FormOf<E>> {
  readonly table: TableOf<E>;
  /** Reads one page; `where` adds a condition to those of the request, in which case the total is counted instead of read from the row counter. */
  page(input: ListInput, where?: SQL, options?: PageOptions): Promise<Page<RowOf<E>>>;
  /** Lists all active rows that match `where`, in the entity's order, oldest first if it has none. */
  list(where?: SQL, ...order: SQL[]): Promise<RowOf<E>[]>;
  /** Counts the active rows with these values, or those that match a condition; without one, all. Rows outside the data scope of the actor do not exist. */
  count(where?: Partial<RowOf<E>> | SQL): Promise<number>;
  /** Finds the undeleted row with these values, an active one before an archived one. */
  find(values: Partial<RowOf<E>>): Promise<RowOf<E> | undefined>;
  /** Reads an active or archived row. Throws `notFound` for a missing or deleted row as for one outside the data scope of the actor. */
  detail(id: string): Promise<RowOf<E>>;
  /** Adds a row, or updates the one that `form.id` names; fields missing in the form stay unchanged. */
  save(form: Form | RowChange<Form>): Promise<RowOf<E>>;
  /**
   * Sets the same fields of several rows, also those that no form contains; returns the changed rows. Author, time and history are written as by `save`, without the
   * rules and hooks of forms. A state changes by declared transitions only. Rows outside the data scope of the actor do not exist.
   */
  update(rows: RowSelection, values: Partial<RowOf<E>>): Promise<ChangedRow<E>[]>;
  /** Makes a declared transition of several rows, all or none, with the values of its fields; throws `ApiError` for a row in another state. */
  transition(name: string, rows: RowSelection, values?: Partial<RowOf<E>>): Promise<ChangedRow<E>[]>;
  /** Reads a list of any length in steps; each call reads one step in the current work, and a step without rows is the last. */
  walk(input: ListInput, walk?: WalkOptions): () => Promise<RowOf<E>[]>;
  /** Adds many rows as `save` would and returns each row or its rejection; rejected rows have no effect. Runs inside a transaction. */
  addAll(forms: readonly Form[]): Promise<(RowOf<E> | ApiError)[]>;
  /** Decrypts a secret of a row for the server's own use; undefined if none is stored. Never return or log it. */
  decrypt(id: string, field: keyof E['fields'] & string): Promise<string | undefined>;
  /** Marks all rows as deleted or none: one missing id rejects the batch. */
  remove(ids: readonly string[]): Promise<void>;
  /** Restores all rows or none, with the rows below them that were deleted together with them: rows of the recycle bin whose unique values are still free. */
  restore(ids: readonly string[]): Promise<void>;
  /**
   * Sets the status of a row where at most one is `enabled`: enabling one switches the others off first, so that two are never enabled, not even within a statement.
   * Call `db.lock` first, with one name for all rows of which one can be enabled: otherwise two transactions could each enable another row.
   */
  setSingleStatus(id: string, status: number, statuses: SingleStatuses): Promise<void>;
  /** Archives all rows or none. Archived rows are read-only, keep their unique values and are found by `find` and `detail` only. */
  archive(ids: readonly string[]): Promise<void>;
  /** Brings archived rows back, all or none, with the rows below them that were archived together with them. */
  unarchive(ids: readonly string[]): Promise<void>;
  /** Reads one page of the archived rows. */
  archived(input: ListInput): Promise<Page<RowOf<E>>>;
  /** Reads one page of the deleted rows that can be restored, with the names of the users who deleted them. */
  recycled(input: ListInput): Promise<Page<DeletedRow<E>>>;
  /** Reads the changes of a row, also of a deleted one, newest first; throws `notFound` for a row that the caller may not see. */
  history(input: HistoryInput): Promise<StoredHistory>;
}

/** A repository whose rows form a tree by their `parentId`; '0' is the root. No write creates a cycle or leaves a row without its parent. */
export interface TreeRepository<E extends Entity, Form extends object = FormOf<E>> extends Repository<E, Form> {
  /** Returns the rows that match the request as a forest: all rows if it has no filters, one page of them if it has `current` or `size`. */
  tree(input?: ListInput): Promise<Branch<RowOf<E>>[]>;
  /** Returns the rows below a row at any depth that match the list request; empty if the row does not exist. */
  below(id: string, input?: ListInput): Promise<Branch<RowOf<E>>[]>;
  /** Returns the direct children of a row ('0': of the root) that match the list request; without a row but with filters, up to 1,000 matches at any depth. */
  level(input: ListInput): Promise<LazyRow<E>[]>;
}

/** Values of the field `status` of rows of which at most one is enabled. */
export interface SingleStatuses {
  readonly enabled: number;
  readonly off: number;
}

/** Context of a row about to be written. */
export interface WriteContext<E extends Entity> {
  /** The stored row; undefined when one is added. */
  readonly before: RowOf<E> | undefined;
  /** In a tree, the parent row; undefined at the top. */
  readonly parent: RowOf<E> | undefined;
}

/** Hooks and rules of a domain. Each runs in the transaction of the write; a thrown `ApiError` rolls all of it back. */
export interface RepositoryOptions<E extends Entity, Form extends object = FormOf<E>> {
  /** Fields whose combined values are unique among undeleted rows, with the error to report; by default it names the last field's title. A unique index must decide races. */
  readonly unique?: readonly { readonly fields: readonly (keyof RowOf<E> & string)[]; readonly problem?: Problem }[];
  /** Condition for the rows of this repository, undefined for all; others do not exist for it. */
  readonly where?: () => SQL | undefined;
  /**
   * Replaces the exact total with a bounded count or an estimate; for tables without a row counter. Rows are counted with the page, up to 10,001, and a result
   * above 10,000 is cached for a minute. The matches of a filter in a large table are estimated.
   */
  readonly noTotal?: boolean;
  /** Derives the written fields from a form. Needed if the submit call's input differs from the entity's form, or for computed fields. */
  complete?(form: Form, writing: WriteContext<E>): Partial<FormOf<E>> | Promise<Partial<FormOf<E>>>;
  beforeSave?(form: FormOf<E>, before: RowOf<E> | undefined): void | Promise<void>;
  /** Runs before rows are deleted, and before they are archived unless there is `beforeArchive`. */
  beforeRemove?(rows: readonly RowOf<E>[]): void | Promise<void>;
  beforeArchive?(rows: readonly RowOf<E>[]): void | Promise<void>;
  /** Runs for added, updated and restored rows. */
  saved?(after: RowOf<E>, before: RowOf<E> | undefined): void | Promise<void>;
  /** Runs before a transition of rows whose states allow it; throwing an `ApiError` refuses it. */
  beforeTransition?(rows: readonly RowOf<E>[], transition: DeclaredTransition): void | Promise<void>;
  /** Runs for rows that have made a transition. */
  transitioned?(rows: readonly ChangedRow<E>[], transition: DeclaredTransition): void | Promise<void>;
  /** Runs for rows that have been deleted or archived. */
  removed?(rows: readonly RowOf<E>[]): void | Promise<void>;
}

/** Options of a tree, with error messages that replace the default ones. */
export interface TreeOptions<E extends Entity, Form extends object = FormOf<E>> extends RepositoryOptions<E, Form> {
  readonly hasChildren?: Problem;
  readonly belowItself?: Problem;
  /** Error for a missing parent. */
  readonly noParent?: Problem;
}

/** Creates the repository of an entity in the deployment's database. */
export function repositoryOf<E extends Entity, Form extends object = FormOf<E>>(
  db: Database,
  entity: E,
  options: RepositoryOptions<E, Form> = {},
): Repository<E, Form> {
  return (db.createRepository?.(entity, options, false) as Repository<E, Form>) ?? new EntityRepository(db, entity, options);
}

/** Creates a tree repository for an entity with a field `parentId`. */
export function treeRepositoryOf<E extends TreeEntity, Form extends object = FormOf<E>>(
  db: Database,
  entity: E,
  options: TreeOptions<E, Form> = {},
): TreeRepository<E, Form> {
  return (db.createRepository?.(entity, options, true) as TreeRepository<E, Form>) ?? new RowTreeRepository(db, entity, options);
}

/** An entity whose rows name their parent. */
export type TreeEntity = Entity & { readonly fields: { readonly parentId: unknown } };
