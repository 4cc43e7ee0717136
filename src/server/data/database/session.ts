import { type Identity, setTenantStatement } from '../context/identity.ts';

/** Row format for Drizzle: objects by column name, or arrays of values in the selected order. */
export type RowShape = 'objects' | 'arrays';

/** Minimum interface of a driver. Times, dates and 64-bit numbers come as PostgreSQL's text. */
export interface DatabaseConnection {
  query(text: string, parameters: unknown[], shape: RowShape): Promise<unknown[]>;
  /** Runs several statements in one text and one round trip. */
  script(statements: string): Promise<void>;
}

/** Numbers of connections that are open, that are in use, and of callers that wait for one. */
export interface ConnectionCounts {
  readonly open: number;
  readonly busy: number;
  readonly waiting: number;
}

/** Counts of the pool of the database, and of the one of its read replica. */
export interface PoolCounts {
  readonly primary: ConnectionCounts;
  readonly replica?: ConnectionCounts;
}

/** A driver for PostgreSQL. */
export interface Driver {
  readonly engine: 'embedded' | 'postgres';
  /** Runs work with exclusive use of a session. */
  use<Result>(work: (session: DatabaseSession) => Promise<Result>): Promise<Result>;
  /** Works like `use` on a connection that no pooler exchanges, for settings and locks that outlive a transaction; undefined if that applies to all connections. */
  readonly useDirect?: Driver['use'];
  /** Rejects within two seconds if the database does not answer. */
  check(): Promise<void>;
  onNotification(listener: (topic: string, payload: string) => void): void;
  /** Sends a signal to every replica soon, in no transaction; undefined if this process is the only one. */
  readonly signal: ((topic: string, payload: string) => void) | undefined;
  /** Counts the connections of the pool; undefined without a pool. */
  readonly connections?: () => ConnectionCounts;
  /** Returns the single `value` of a statement, on a connection that no work occupies; undefined for the embedded database. */
  readonly value?: (statement: string) => Promise<string>;
  /** Tests whether another process copies the files of the embedded database for a backup; undefined for a server. */
  readonly isCopied: (() => boolean | Promise<boolean>) | undefined;
  close(): Promise<void>;
}

/** A connection that remembers its current tenant and only changes it when necessary. Callers send one query at a time. */
export class DatabaseSession {
  /** True if the connection is unreliable and must not be reused. */
  isBroken = false;
  private identity: Identity | 'unknown' = 'unknown';

  constructor(private readonly connection: DatabaseConnection) {}

  /** Configures a new connection; outside of transactions it rejects writes. It also warms up lists, which a database without migrations does not have yet. */
  async prepare(timeZone: string, settings = ''): Promise<void> {
    const zone = timeZone.replaceAll("'", "''");
    const warm = "do $$ begin if to_regproc('warm_lists') is not null then perform warm_lists(); end if; end $$";
    await this.connection.script(
      `set time zone '${zone}'; set datestyle = 'ISO, YMD'; set default_transaction_read_only = on; ${settings}${settings && ';'} ${warm}`,
    );
  }

  async query(identity: Identity, text: string, parameters: unknown[], shape: RowShape): Promise<unknown[]> {
    if (!this.hasIdentity(identity)) await this.setIdentity(identity);
    return this.connection.query(text, parameters, shape);
  }

  async script(identity: Identity, statements: string): Promise<void> {
    if (!this.hasIdentity(identity)) await this.setIdentity(identity);
    return this.connection.script(statements);
  }

  /** Begins a transaction, or a savepoint inside one, with this statement. */
  async begin(identity: Identity, begin: string): Promise<void> {
    if (this.hasIdentity(identity)) return this.control(begin);
    this.identity = 'unknown';
    await this.control(`${begin}; ${this.identityStatement(identity)}`);
    this.identity = identity;
  }

  commit(savepoint?: string): Promise<void> {
    return this.control(savepoint ? `release savepoint ${savepoint}` : 'commit');
  }

  /** Rolls back; this also reverts the session's tenant, which is therefore set again before the next statement. */
  rollback(savepoint?: string): Promise<void> {
    this.identity = 'unknown';
    return this.control(savepoint ? `rollback to savepoint ${savepoint}; release savepoint ${savepoint}` : 'rollback');
  }

  /** Builds the statement that sets an identity. */
  protected identityStatement(identity: Identity): string {
    return setTenantStatement(identity);
  }

  /** Makes the next statement set its tenant, whatever the last one has set. */
  protected forgetIdentity(): void {
    this.identity = 'unknown';
  }

  private hasIdentity(identity: Identity): boolean {
    return this.identity !== 'unknown' && this.identity.tenantId === identity.tenantId;
  }

  private async setIdentity(identity: Identity): Promise<void> {
    this.identity = 'unknown';
    await this.connection.script(this.identityStatement(identity));
    this.identity = identity;
  }

  private async control(statements: string): Promise<void> {
    try {
      await this.connection.script(statements);
    } catch (error) {
      this.isBroken = true;
      throw error;
    }
  }
}
