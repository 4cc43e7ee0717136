import type { SQL } from 'drizzle-orm';
import type { Branch, Entity, FormOf, LazyRow, ListInput, Page, RowOf } from '#shared/contract';
import type { Problem, Refusal } from '#shared/errors';
import type { Database } from './database.ts';
import { EntityRepository } from './entity-repository.ts';
import type { Walk } from './row-walk.ts';
import type { TableOf } from './table.ts';
import { RowTreeRepository } from './tree-repository.ts';

/** Reads and writes the rows of one entity: paging, filters and sorts by its schema, soft delete, audit columns, before and after for the log. */
export interface Repository<E extends Entity, Form extends object = FormOf<E>> {
  readonly table: TableOf<E>;
  /** `where` narrows beyond what the request asks; the total is then counted, not kept. */
  page(input: ListInput, where?: SQL): Promise<Page<RowOf<E>>>;
  /** All undeleted rows (of those `where` lets through), in the entity's order, oldest first where it has none. */
  list(where?: SQL, ...order: SQL[]): Promise<RowOf<E>[]>;
  /** The undeleted row with these values, if there is one. */
  find(values: Partial<RowOf<E>>): Promise<RowOf<E> | undefined>;
  /** Throws `notFound` for an absent, deleted or foreign id alike. */
  detail(id: string): Promise<RowOf<E>>;
  /** Adds a row, or updates the one `form.id` names; what the form leaves out stays as it is. */
  save(form: Form): Promise<RowOf<E>>;
  /** The rows of a list of any length, step by step; each step is read in the work it is called in, and one without rows is the last. */
  walk(input: ListInput, walk?: Walk): () => Promise<RowOf<E>[]>;
  /** Adds many rows, each as `save` would: the row, or why it was refused; those refused leave nothing. Runs inside a transaction. */
  addAll(forms: readonly Form[]): Promise<(RowOf<E> | Refusal)[]>;
  /** A secret of a row in plain, for the server's own use; nothing where none is kept. Never to be answered or written down. */
  reveal(id: string, field: keyof E['fields'] & string): Promise<string | undefined>;
  /** Marks all as deleted, or none: one absent id refuses the batch. */
  remove(ids: readonly string[]): Promise<void>;
  /** Brings back all, or none: only what the caller has removed within the last minute, and where nothing has taken its place. */
  restore(ids: readonly string[]): Promise<void>;
}

/** A repository whose rows stand below one another by their `parentId`; '0' is the root. No write makes a circle or leaves a row without its parent. */
export interface TreeRepository<E extends Entity, Form extends object = FormOf<E>> extends Repository<E, Form> {
  /** The rows a list asks for, as a forest; all of them when it asks for nothing. */
  tree(input?: ListInput): Promise<Branch<RowOf<E>>[]>;
  /** What stands below a row, at any depth; nothing below what is not there. */
  below(id: string): Promise<Branch<RowOf<E>>[]>;
  /** What stands directly below a row ('0': at the top), of what the list asks for. */
  level(input: ListInput): Promise<LazyRow<E>[]>;
}

/** What is known of a row about to be written. */
export interface Writing<E extends Entity> {
  /** The row as it stands; absent when one is added. */
  readonly before: RowOf<E> | undefined;
  /** In a tree, the row above; absent at the top. */
  readonly parent: RowOf<E> | undefined;
}

/** What a domain adds to the rows it keeps. Each runs in the transaction of the write; a `Refusal` thrown takes all of it back. */
export interface RepositoryOptions<E extends Entity, Form extends object = FormOf<E>> {
  /** Fields that together may occur once among undeleted rows; told with the problem given, else by the last one's title. An index of the same kind settles races. */
  readonly unique?: readonly { readonly fields: readonly (keyof RowOf<E> & string)[]; readonly problem?: Problem }[];
  /** Rows outside of this do not exist for this repository. */
  readonly where?: () => SQL;
  /** The table keeps no count of its rows: a page says whether more follow it, and a request of size 0 how many there are. */
  readonly uncounted?: boolean;
  /** What is written for a form: where a submit has an input of its own, or fields follow from others. */
  complete?(form: Form, writing: Writing<E>): Partial<FormOf<E>> | Promise<Partial<FormOf<E>>>;
  beforeSave?(form: FormOf<E>, before: RowOf<E> | undefined): void | Promise<void>;
  beforeRemove?(rows: readonly RowOf<E>[]): void | Promise<void>;
  /** Runs for a row that is brought back too, as for one that is added. */
  saved?(after: RowOf<E>, before: RowOf<E> | undefined): void | Promise<void>;
  removed?(rows: readonly RowOf<E>[]): void | Promise<void>;
}

/** What a domain adds to a tree: besides, the words with which it refuses, where they are not the usual ones. */
export interface TreeOptions<E extends Entity, Form extends object = FormOf<E>> extends RepositoryOptions<E, Form> {
  readonly hasChildren?: Problem;
  readonly belowItself?: Problem;
  /** The parent named is not there. */
  readonly noParent?: Problem;
}

/** The repository of an entity's rows in the database of the deployment. */
export function repositoryOf<E extends Entity, Form extends object = FormOf<E>>(
  db: Database,
  entity: E,
  options: RepositoryOptions<E, Form> = {},
): Repository<E, Form> {
  return new EntityRepository(db, entity, options);
}

/** As `repositoryOf`, for an entity with a field `parentId`. */
export function treeRepositoryOf<E extends TreeEntity, Form extends object = FormOf<E>>(
  db: Database,
  entity: E,
  options: TreeOptions<E, Form> = {},
): TreeRepository<E, Form> {
  return new RowTreeRepository(db, entity, options);
}

/** An entity whose rows say what they stand below. */
export type TreeEntity = Entity & { readonly fields: { readonly parentId: unknown } };
