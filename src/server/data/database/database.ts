import type { PgRemoteDatabase } from 'drizzle-orm/pg-proxy';
import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { Encryption } from '../../base/encryption.ts';
import type { StoreChanges } from '../context/changes.ts';
import { ReferenceRegistry } from './reference-registry.ts';
import type { PoolCounts } from './session.ts';

/** The Drizzle handle; each statement runs on the connection of the current work. `execute` returns rows. */
export type Sql = PgRemoteDatabase<Record<string, never>>;

/** Tenant whose rows a piece of work may access. It is set on the connection itself, so row level security applies to every statement. */
export interface Scope {
  readonly tenantId: string;
}

/** Checks links to files before they are stored in rows, and renews them when rows are read. */
export interface SignedLinkResolver {
  /** Returns the link in its stored form. Throws for a file the writer may not refer to; `held` lists the field's previous links. */
  toStored(link: string, held: readonly string[]): Promise<string>;
  /** Replaces each stored link in a value by a valid one, according to its schema. */
  withSignedLinks<Value>(schema: TSchema, value: Value): Value;
}

/** Index of the search terms of one entity. */
export interface TermIndex {
  /** Number of the entity in the search terms. */
  readonly source: number;
  /** Indexed fields; the position of a field, from 1, is its number in the search terms. */
  readonly fields: readonly string[];
  /** True for rows of the platform, whose terms name no tenant. */
  readonly isShared: boolean;
}

/** PostgreSQL, embedded or external. A context variable carries the current connection, so no code passes it along. */
export abstract class Database {
  abstract readonly engine: 'embedded' | 'postgres';
  /** Encrypts stored secrets. */
  readonly encryption = new Encryption();
  /** Entities by name, registered when their repositories are created. */
  readonly entities = new Map<string, Entity>();
  /** Names of all declared fields by the name of an entity; entities of one name describe one table, each with a part of its fields. */
  readonly declaredFields = new Map<string, Set<string>>();
  /** References between entities, registered when their repositories are created. */
  readonly references = new ReferenceRegistry();
  /** Indexes of search terms by the names of their entities. */
  readonly termIndexes = new Map<string, TermIndex>();
  /** Checks and renews links to files in rows; without it links stay unchanged. */
  links: SignedLinkResolver | undefined;
  /** Validates written rows against rules of plugins beyond those of their entity; without it only the entity's rules apply. */
  validateRow: ((entity: Entity, values: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>> | undefined) => void) | undefined;
  /** Returns the number of days for which deleted rows can be restored. */
  recycleDays: (() => Promise<number>) | undefined;
  /** Creates repositories in place of the product's own, where rows are read and written by another process. */
  createRepository: ((entity: Entity, options: object, isTree: boolean) => unknown) | undefined;
  /** Stores the changes of rows before their transaction commits; without it they are discarded. */
  storeChanges: StoreChanges | undefined;
  /** Handle of the current work; throws outside of any work. */
  abstract readonly sql: Sql;
  /** Runs SQL text with parameters; each row is an array of the values as the driver reads them, in the order of the selected columns. */
  abstract rows(text: string, parameters: unknown[]): Promise<unknown[][]>;
  /** Tenant to which the current work is restricted; undefined if it accesses all tenants. Throws outside of any work. */
  abstract readonly scope: Scope | undefined;
  /** Tenant of the current work; undefined if it accesses all tenants, and outside of any work. */
  abstract readonly tenantId: string | undefined;
  /** Runs read-only statements (the connection rejects others), each with its own snapshot, under the tenant's row level security. Joins a running transaction. */
  abstract read<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result>;
  /** Runs one transaction under the tenant's row level security. Inside another transaction it becomes a savepoint that can fail alone. */
  abstract write<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result>;
  /** Works like `write` but accesses every tenant. The reason documents the call for reviewers. */
  abstract asPlatform<Result>(reason: string, work: () => Promise<Result>): Promise<Result>;
  /** Runs read-only work on one snapshot of the rows of all tenants, as for a backup. Until it ends, `isBackupRunning` is true on every server. */
  abstract snapshot<Result>(reason: string, work: () => Promise<Result>): Promise<Result>;
  /** Tests whether a backup is being made, which needs the content of all files in its snapshot. */
  abstract isBackupRunning(): Promise<boolean>;
  /** Takes an exclusive lock by name until the current transaction ends. Take it before locking any row, to avoid deadlocks. */
  abstract lock(name: string): Promise<void>;
  /** Runs several statements in one text, as in a migration; only inside `asPlatform`. */
  abstract script(statements: string): Promise<void>;
  /**
   * Runs statements one by one outside of any transaction, as `create index concurrently` requires, on a PostgreSQL server. Resolves false, and runs none of them, while
   * another server runs such statements.
   */
  abstract runConcurrently(statements: readonly string[]): Promise<boolean>;
  /** Runs once the current transaction has committed, or immediately if there is none; never after a rollback. */
  abstract afterCommit(work: () => void): void;
  /**
   * Sends a signal to every replica, including this one, soon after the current transaction has committed; never after a rollback. At most 7,900 bytes of JSON. Signals of one server
   * arrive in the order of its commits, those of several servers in any order. A replica without a database connection misses it, and so do all if this server dies between
   * the commit and the signal, so a listener must also read at intervals.
   */
  abstract signal(topic: string, payload: string): Promise<void>;
  abstract onSignal(topic: string, listener: (payload: string) => void): () => void;
  /** Rejects if the database does not answer; an external server has two seconds. */
  abstract check(): Promise<void>;
  /** Counts the connections of each pool; undefined for the embedded database. */
  abstract connections(): PoolCounts | undefined;
  /**
   * Works like `read` on the read replica if it is set up, answers, has replayed the position that the caller has seen and lags by at most 5 s; otherwise on the primary. Which
   * one is decided once; a statement that fails on the replica is repeated on the primary, and so are all after a transaction of the same work. Reads within it that open a
   * `read` of their own, for example to fill a cache, use the primary.
   */
  abstract readReplica<Result>(scope: Scope, position: string | undefined, work: () => Promise<Result>): Promise<Result>;
  /** Returns the current position (LSN) in the write-ahead log of the primary, which follows all changes committed before; undefined without a read replica. */
  abstract position(): Promise<string | undefined>;
  /** Makes reads of a tenant (`*`: of all) use the primary until the replica has replayed what is committed now. */
  abstract announceChange(tenantId: string): void;
  /** Seconds by which the read replica may be older than the primary; undefined without one, and while it does not answer. */
  abstract readonly replicaLagSeconds: number | undefined;
  /** Waits for running work, then closes the connections and unlocks the directory. */
  abstract close(): Promise<void>;
}
