import type { PgRemoteDatabase } from 'drizzle-orm/pg-proxy';
import type { TSchema } from 'typebox';
import type { Entity } from '#shared/contract';
import { Encryption } from '../../base/encryption.ts';
import type { StoreChanges } from '../context/changes.ts';
import { ReferenceRegistry } from './reference-registry.ts';
import type { ConnectionCounts } from './session.ts';

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
  withValidLinks<Value>(schema: TSchema, value: Value): Value;
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
  /** Stores the changes of rows before their transaction commits; without it they are discarded. */
  storeChanges: StoreChanges | undefined;
  /** Handle of the current work; throws outside of `read`, `write` and `asPlatform`. */
  abstract readonly sql: Sql;
  /** Runs a prepared statement text like the handle's `execute`; each row lists its values in the selected order, as the driver reads them. */
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
   * Sends a signal to every replica, including this one, once the current transaction has committed. At most 7,000 bytes; a replica without a database connection
   * misses it.
   */
  abstract signal(topic: string, payload: string): Promise<void>;
  abstract onSignal(topic: string, listener: (payload: string) => void): () => void;
  /** Rejects if the database does not answer; an external server has two seconds. */
  abstract check(): Promise<void>;
  /** Counts the connections of the pool; undefined for the embedded database. */
  abstract connections(): ConnectionCounts | undefined;
  /** Waits for running work, then closes the connections and unlocks the directory. */
  abstract close(): Promise<void>;
}
