import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pg-proxy';
import { ContextVariable } from '../../base/context-variable.ts';
import type { Log } from '../../base/log.ts';
import { currentSpan, endSpanAfter, inSpan, outsideWork } from '../../base/work.ts';
import { recordingChanges } from '../context/changes.ts';
import { type Identity, platform, tenant } from '../context/identity.ts';
import { Database, type Scope, type Sql } from './database.ts';
import type { ReadReplica } from './read-replica.ts';
import type { DatabaseSession, Driver, PoolCounts } from './session.ts';
import { statementSpan } from './statement-span.ts';
import { TransactionScope } from './transaction-scope.ts';

/** Advisory lock that a backup shares and that a deletion of files takes for a moment. */
const backupLock = '20240104';
/** Advisory lock of the server that runs statements outside of transactions. */
const concurrentLock = '20240105';

/** State of the current work: its identity and its transaction. */
interface ConnectionFrame {
  readonly identity: Identity;
  readonly transaction: TransactionScope | undefined;
  /** Set if statements outside of transactions run on the read replica. */
  readonly replica?: { isUsed: boolean } | undefined;
}

/** The database over either driver. A read holds no connection between its statements; a transaction holds exactly one. */
export class ConnectedDatabase extends Database {
  override readonly engine: Database['engine'];
  private readonly frames = new ContextVariable<ConnectionFrame>();
  private readonly pending = new Set<Promise<unknown>>();
  private readonly listeners = new Map<string, Set<(payload: string) => void>>();
  private readonly handle: Sql;
  private closing: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    private readonly driver: Driver,
    private readonly log: Log,
    private readonly replica?: ReadReplica,
  ) {
    super();
    this.engine = driver.engine;
    this.handle = drizzle(async (text, parameters, method) => ({ rows: await this.query(text, parameters, method === 'all' ? 'arrays' : 'objects') }));
    driver.onNotification((topic, payload) => this.notifyListeners(topic, payload));
  }

  override get sql(): Sql {
    this.frame();
    return this.handle;
  }

  override rows(text: string, parameters: unknown[]): Promise<unknown[][]> {
    return this.query(text, parameters, 'arrays') as Promise<unknown[][]>;
  }

  override get scope(): Scope | undefined {
    const { tenantId } = this.frame().identity;
    return tenantId === undefined ? undefined : { tenantId };
  }

  override get tenantId(): string | undefined {
    return this.current()?.identity.tenantId;
  }

  override read<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
    const identity = tenant(scope.tenantId);
    return this.tracked(() => this.runInFrame({ identity, transaction: this.openTransaction() }, work));
  }

  override async write<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
    return this.transaction(tenant(scope.tenantId), work);
  }

  override async asPlatform<Result>(_reason: string, work: () => Promise<Result>): Promise<Result> {
    return this.transaction(platform, work);
  }

  override async snapshot<Result>(_reason: string, work: () => Promise<Result>): Promise<Result> {
    const readSnapshot = async (session: DatabaseSession) => {
      const transaction = new TransactionScope(session, 0, 'begin isolation level repeatable read, read only');
      return (await transaction.execute(platform, () => this.runInFrame({ identity: platform, transaction }, work))).result;
    };
    if (this.engine === 'embedded') return this.tracked(() => this.driver.use(readSnapshot));
    // The lock comes before the snapshot, so that a file whose removal the snapshot does not contain is not deleted.
    return this.tracked(() =>
      this.useDirect(async (session) => {
        await session.query(platform, 'select pg_advisory_lock_shared($1::bigint)', [backupLock], 'arrays');
        try {
          return await readSnapshot(session);
        } finally {
          await session.query(platform, 'select pg_advisory_unlock_shared($1::bigint)', [backupLock], 'arrays').catch(() => {
            session.isBroken = true;
          });
        }
      }),
    );
  }

  override async isBackupRunning(): Promise<boolean> {
    if (this.driver.isCopied) return this.driver.isCopied();
    const [row] = await this.transaction(platform, () => this.rows('select pg_try_advisory_xact_lock($1::bigint)', [backupLock]));
    return row?.[0] !== true;
  }

  override async lock(name: string): Promise<void> {
    if (!this.openTransaction()) throw new Error(`The lock ${name} must be acquired inside a transaction.`);
    // The embedded database has one connection, so a running transaction is the only one.
    if (this.engine === 'postgres') await this.handle.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
  }

  override async script(statements: string): Promise<void> {
    const { identity, transaction } = this.frame();
    if (identity !== platform || !transaction) throw new Error('A script must run inside asPlatform.');
    return transaction.run((session) => session.script(identity, statements));
  }

  override runConcurrently(statements: readonly string[]): Promise<boolean> {
    return this.tracked(() =>
      this.useDirect(async (session) => {
        // Closing the connection afterwards releases the lock and discards the settings. Waiting for the lock would hold a snapshot, for which the statements wait.
        session.isBroken = true;
        const [row] = (await session.query(platform, 'select pg_try_advisory_lock($1::bigint)', [concurrentLock], 'arrays')) as unknown[][];
        if (row?.[0] !== true) return false;
        await session.script(platform, 'set default_transaction_read_only = off; set statement_timeout = 0');
        for (const statement of statements) await session.script(platform, statement);
        return true;
      }),
    );
  }

  override afterCommit(work: () => void): void {
    const transaction = this.openTransaction();
    if (transaction) transaction.afterCommit.push(work);
    else this.runHook(work);
  }

  override async signal(topic: string, payload: string): Promise<void> {
    if (Buffer.byteLength(JSON.stringify([topic, payload])) > 7900) throw new Error(`The signal ${topic} is longer than 7,900 bytes.`);
    const send = this.driver.signal ?? (() => setImmediate(() => this.notifyListeners(topic, payload)));
    this.afterCommit(() => send(topic, payload));
  }

  override onSignal(topic: string, listener: (payload: string) => void): () => void {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  override check(): Promise<void> {
    return this.driver.check();
  }

  override connections(): PoolCounts | undefined {
    const primary = this.driver.connections?.();
    return primary && { primary, ...(this.replica ? { replica: this.replica.counts() } : {}) };
  }

  override readReplica<Result>(scope: Scope, position: string | undefined, work: () => Promise<Result>): Promise<Result> {
    const isUsed = position !== undefined && this.replica?.covers(scope.tenantId, position) === true;
    if (!isUsed || this.openTransaction()) return this.read(scope, work);
    return this.tracked(() => this.runInFrame({ identity: tenant(scope.tenantId), transaction: undefined, replica: { isUsed } }, work));
  }

  override async position(): Promise<string | undefined> {
    return this.replica && this.driver.value?.("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as value");
  }

  override announceChange(tenantId: string): void {
    this.replica?.announce(tenantId);
  }

  override get replicaLagSeconds(): number | undefined {
    return this.replica?.lagSeconds;
  }

  override close(): Promise<void> {
    this.closing ??= Promise.allSettled(this.pending).then(async () => {
      await this.replica?.close();
      await this.driver.close();
      this.isClosed = true;
    });
    return this.closing;
  }

  private useDirect<Result>(work: (session: DatabaseSession) => Promise<Result>): Promise<Result> {
    return (this.driver.useDirect ?? this.driver.use)(work);
  }

  /** Runs work in a frame and awaits it there, because Drizzle only sends a statement when it is awaited. */
  private runInFrame<Result>(frame: ConnectionFrame, work: () => Promise<Result>): Promise<Result> {
    return this.frames.run(frame, async () => await work());
  }

  /** Returns no frame after closing, even to work that began before. */
  private current(): ConnectionFrame | undefined {
    return this.isClosed ? undefined : this.frames.get();
  }

  private frame(): ConnectionFrame {
    const frame = this.current();
    if (!frame) throw new Error('The database was used outside of read, write and asPlatform.');
    return frame;
  }

  /** Returns the current transaction unless it has ended. */
  private openTransaction(): TransactionScope | undefined {
    const transaction = this.current()?.transaction;
    return transaction?.ended ? undefined : transaction;
  }

  private async query(text: string, parameters: unknown[], shape: 'arrays' | 'objects'): Promise<unknown[]> {
    const { identity, transaction, replica } = this.frame();
    const work = (session: DatabaseSession) => session.query(identity, text, parameters, shape);
    const run = () => this.runOn(replica, transaction, work);
    const parent = currentSpan();
    if (!parent) return run();
    const span = statementSpan(parent, text);
    return endSpanAfter(span, async () => {
      const rows = await run();
      span.set({ 'db.response.returned_rows': rows.length });
      return rows;
    });
  }

  /** Runs a statement on the replica while the request reads from it, and otherwise in the transaction or on its own. */
  private async runOn(
    replica: ConnectionFrame['replica'],
    transaction: TransactionScope | undefined,
    work: (session: DatabaseSession) => Promise<unknown[]>,
  ): Promise<unknown[]> {
    if (replica?.isUsed && this.replica) {
      try {
        return await this.replica.use(work);
      } catch (error) {
        // A statement that takes too long would do so on the primary as well.
        if ((error as { code?: string }).code === '57014') throw error;
        replica.isUsed = false;
      }
    }
    return transaction ? transaction.run(work) : this.driver.use(work);
  }

  private async transaction<Result>(identity: Identity, work: () => Promise<Result>): Promise<Result> {
    const outer = this.openTransaction();
    const { replica } = this.current() ?? {};
    if (replica) replica.isUsed = false;
    const recording = { tenantId: identity.tenantId, store: this.storeChanges, isNested: outer !== undefined };
    const runInTransaction = (transaction: TransactionScope) => this.runInFrame({ identity, transaction }, () => recordingChanges(recording, work));
    if (outer) return outer.nest(identity, runInTransaction);
    return this.tracked(async () => {
      const { result, afterCommit } = await inSpan('transaction', () =>
        this.driver.use((session) => new TransactionScope(session).execute(identity, runInTransaction)),
      );
      for (const hook of afterCommit) this.runHook(hook);
      return result;
    });
  }

  private tracked<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.closing && !this.current()) return Promise.reject(new Error('The database is closed.'));
    const running = work();
    const settled = running.catch(() => undefined).finally(() => this.pending.delete(settled));
    this.pending.add(settled);
    return running;
  }

  private runHook(hook: () => void): void {
    try {
      hook();
    } catch (error) {
      this.log.warn(error, 'work after a commit failed');
    }
  }

  private notifyListeners(topic: string, payload: string): void {
    outsideWork(() => {
      for (const listener of [...(this.listeners.get(topic) ?? [])]) this.runHook(() => listener(payload));
    });
  }
}
