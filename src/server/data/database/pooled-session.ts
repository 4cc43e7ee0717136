import { type Identity, roleOf, setTenantStatement } from '../context/identity.ts';
import type { PreparedStatement } from './preceded-query.ts';
import { type DatabaseConnection, DatabaseSession, type RowShape } from './session.ts';

/** A connection that can send a statement after another one, both in one transaction. */
export interface PooledConnection extends DatabaseConnection {
  queryAfter(first: PreparedStatement, text: string, parameters: unknown[], shape: RowShape): Promise<unknown[]>;
}

/**
 * A session behind a pooler that assigns a connection to each transaction: every transaction sets the tenant and the settings for itself, and they end
 * with it. A statement outside of a transaction runs in a read-only transaction of its own.
 */
export class PooledSession extends DatabaseSession {
  private isInTransaction = false;
  /** Sets the tenant and the settings of a transaction that only reads. */
  private readonly readStatement: string;

  /** `settings` are calls of `set_config` that apply to a transaction. */
  constructor(
    private readonly pooled: PooledConnection,
    private readonly settings: string,
  ) {
    super(pooled);
    this.readStatement = `select set_config('app.tenant', $1, true), set_config('role', $2, true), ${settings}, set_config('transaction_read_only', 'on', true)`;
  }

  /** The connection keeps no settings. */
  override async prepare(): Promise<void> {}

  override query(identity: Identity, text: string, parameters: unknown[], shape: RowShape): Promise<unknown[]> {
    if (this.isInTransaction) return super.query(identity, text, parameters, shape);
    return this.pooled.queryAfter({ text: this.readStatement, values: [identity.tenantId ?? '', roleOf(identity)] }, text, parameters, shape);
  }

  override async begin(identity: Identity, begin: string): Promise<void> {
    await super.begin(identity, begin);
    this.isInTransaction = true;
  }

  override async commit(savepoint?: string): Promise<void> {
    await super.commit(savepoint);
    if (savepoint === undefined) this.endTransaction();
  }

  override async rollback(savepoint?: string): Promise<void> {
    await super.rollback(savepoint);
    if (savepoint === undefined) this.endTransaction();
  }

  protected override identityStatement(identity: Identity): string {
    const statement = setTenantStatement(identity, 'transaction');
    return this.isInTransaction ? statement : `${statement}, ${this.settings}`;
  }

  private endTransaction(): void {
    this.isInTransaction = false;
    this.forgetIdentity();
  }
}

/** Builds the calls of `set_config` that begin a transaction: they set the time zone, the date style and the timeout of a statement. */
export const transactionSettings = (timeZone: string, statementSeconds: number): string =>
  Object.entries({ TimeZone: timeZone, DateStyle: 'ISO, YMD', statement_timeout: `${statementSeconds}s` })
    .map(([name, value]) => `set_config('${name}', '${value.replaceAll("'", "''")}', true)`)
    .join(', ');
