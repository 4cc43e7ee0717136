import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** The Drizzle handle of the connection a request holds. */
export type Sql = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/** Whose rows a piece of work may see. Set on the connection itself, so row level security holds whatever is asked. */
export interface Scope {
  readonly tenantId: string;
}

/** PostgreSQL, embedded or not. The connection in use travels in AsyncLocalStorage: nothing passes it along. */
export abstract class Database {
  readonly flavour!: 'embedded' | 'postgres';
  /** The handle of the connection the current work holds; throws outside of `read`, `write` and `asPlatform`. */
  abstract readonly sql: Sql;
  /** Statements that change nothing, each its own snapshot, under the tenant's row level security. Joins work already under way. */
  abstract read<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result>;
  /** One transaction under the tenant's row level security: all of it or nothing. Joins a transaction already under way. */
  abstract write<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result>;
  /** One transaction that sees every tenant. The reason is written for whoever reviews the list of these. */
  abstract asPlatform<Result>(reason: string, work: () => Promise<Result>): Promise<Result>;
  /** Runs once the current transaction has committed, at once when there is none; never after a rollback. */
  abstract afterCommit(work: () => void): void;
  /** Tells every replica (this one too) once the current transaction has committed. */
  abstract signal(topic: string, payload: string): Promise<void>;
  abstract onSignal(topic: string, listener: (payload: string) => void): () => void;
  /** Waits for work under way, then lets go of the connections and of the directory. */
  abstract close(): Promise<void>;
}
