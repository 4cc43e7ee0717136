import { becoming, type Identity } from '../tenancy/identity.ts';

/** How Drizzle wants its rows: as objects by column name, or as arrays of values in the order asked. */
export type RowShape = 'objects' | 'arrays';

/** The least a driver must do. Times, dates and 64-bit numbers come as PostgreSQL's own text. */
export interface Connection {
  query(text: string, parameters: unknown[], shape: RowShape): Promise<unknown[]>;
  /** Several statements in one text and one round trip. */
  script(statements: string): Promise<void>;
}

/** A way to PostgreSQL. */
export interface Driver {
  readonly flavour: 'embedded' | 'postgres';
  /** Lends a session nobody else uses meanwhile. */
  use<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  onNotice(listener: (topic: string, payload: string) => void): void;
  /** The statement that tells every replica once its transaction has committed; undefined where this process is the only one. */
  readonly notify: ((topic: string, payload: string) => { text: string; parameters: unknown[] }) | undefined;
  close(): Promise<void>;
}

/** A connection that remembers on whose behalf it speaks, and changes that only when it must. Its user asks one thing at a time. */
export class Session {
  /** True: the connection is in doubt and must not be lent again. */
  broken = false;
  private known: Identity | 'unknown' = 'unknown';

  constructor(private readonly connection: Connection) {}

  /** What every new connection is told; outside of transactions it refuses to change anything. A database that is not migrated yet has no lists to be warm for. */
  async prepare(timeZone: string): Promise<void> {
    const zone = timeZone.replaceAll("'", "''");
    const warm = "do $$ begin if to_regproc('warm_lists') is not null then perform warm_lists(); end if; end $$";
    await this.connection.script(`set time zone '${zone}'; set datestyle = 'ISO, YMD'; set default_transaction_read_only = on; ${warm}`);
  }

  async query(identity: Identity, text: string, parameters: unknown[], shape: RowShape): Promise<unknown[]> {
    if (!this.is(identity)) await this.become(identity);
    return this.connection.query(text, parameters, shape);
  }

  async script(identity: Identity, statements: string): Promise<void> {
    if (!this.is(identity)) await this.become(identity);
    return this.connection.script(statements);
  }

  /** Opens a transaction, or with a name a savepoint inside one. */
  async begin(identity: Identity, savepoint?: string): Promise<void> {
    const begin = savepoint ? `savepoint ${savepoint}` : 'begin read write';
    if (this.is(identity)) return this.control(begin);
    this.known = 'unknown';
    await this.control(`${begin}; ${becoming(identity)}`);
    this.known = identity;
  }

  commit(savepoint?: string): Promise<void> {
    return this.control(savepoint ? `release savepoint ${savepoint}` : 'commit');
  }

  /** Also takes back who the session spoke for, which is why it is told anew before the next statement. */
  rollback(savepoint?: string): Promise<void> {
    this.known = 'unknown';
    return this.control(savepoint ? `rollback to savepoint ${savepoint}; release savepoint ${savepoint}` : 'rollback');
  }

  private is(identity: Identity): boolean {
    return this.known !== 'unknown' && this.known.tenantId === identity.tenantId;
  }

  private async become(identity: Identity): Promise<void> {
    this.known = 'unknown';
    await this.connection.script(becoming(identity));
    this.known = identity;
  }

  private async control(statements: string): Promise<void> {
    try {
      await this.connection.script(statements);
    } catch (error) {
      this.broken = true;
      throw error;
    }
  }
}
