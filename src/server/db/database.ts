import type { PgRemoteDatabase } from 'drizzle-orm/pg-proxy';
import type { Entity } from '#shared/contract';
import type { LinkKeeper } from './kept-links.ts';
import { Seals } from './seals.ts';

/** The Drizzle handle; each statement goes to the connection of the work it is asked in. `execute` answers with rows. */
export type Sql = PgRemoteDatabase<Record<string, never>>;

/** Whose rows a piece of work may see. Set on the connection itself, so row level security holds whatever is asked. */
export interface Scope {
  readonly tenantId: string;
}

/** PostgreSQL, embedded or not. The connection in use travels in AsyncLocalStorage: nothing passes it along. */
export abstract class Database {
  abstract readonly flavour: 'embedded' | 'postgres';
  /** How secrets are kept in it. */
  readonly seals = new Seals();
  /** The kinds of rows it keeps, by name, as far as repositories were made for them. */
  readonly entities = new Map<string, Entity>();
  /** Judges the links to files that rows are given; without one they are kept as they come. */
  links: LinkKeeper | undefined;
  /** Refuses what is written of rows by what plugins ask beyond their entity; without one the entity alone is asked. */
  judge: ((entity: Entity, values: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>> | undefined) => void) | undefined;
  /** The handle of the work under way; throws outside of `read`, `write` and `asPlatform`. */
  abstract readonly sql: Sql;
  /** As the handle's `execute` for a text that was made before: each row holds its values in the order asked for, as the driver reads them. */
  abstract rows(text: string, parameters: unknown[]): Promise<unknown[][]>;
  /** The tenant the work under way is narrowed to; undefined where it sees all. Throws outside of any work. */
  abstract readonly scope: Scope | undefined;
  /** The tenant that work under way is for; nothing where it sees all, and outside of any work. */
  abstract readonly tenantId: string | undefined;
  /** Statements that change nothing (the connection refuses others), each its own snapshot, under the tenant's row level security. Joins a transaction already under way. */
  abstract read<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result>;
  /** One transaction under the tenant's row level security: all of it or nothing. Inside another it is a part of that one which can fail alone. */
  abstract write<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result>;
  /** As `write`, but it sees every tenant. The reason is written for whoever reviews the list of these. */
  abstract asPlatform<Result>(reason: string, work: () => Promise<Result>): Promise<Result>;
  /** Waits until nobody else holds this name, then holds it until the current transaction ends. Taken before any row is, so that two who want both never wait for each other. */
  abstract lock(name: string): Promise<void>;
  /** Several statements in one text, as a migration holds them; only inside `asPlatform`. */
  abstract script(statements: string): Promise<void>;
  /** Runs once the current transaction has committed, at once when there is none; never after a rollback. */
  abstract afterCommit(work: () => void): void;
  /** Tells every replica (this one too) once the current transaction has committed. At most 7,000 bytes; a replica that is cut off from the database misses it. */
  abstract signal(topic: string, payload: string): Promise<void>;
  abstract onSignal(topic: string, listener: (payload: string) => void): () => void;
  /** Waits for work under way, then lets go of the connections and of the directory. */
  abstract close(): Promise<void>;
}
