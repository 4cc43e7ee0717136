import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pg-proxy';
import { TaskQueue } from '#shared/task-queue';
import { ContextVariable } from '../../base/context-variable.ts';
import type { Log } from '../../base/log.ts';
import { recordingChanges } from '../context/changes.ts';
import { type Identity, platform, tenant } from '../context/identity.ts';
import { Database, type Scope, type Sql } from './database.ts';
import type { ConnectionCounts, Driver, Session } from './session.ts';

/** Advisory lock that a backup shares and that a deletion of files takes for a moment. */
const backupLock = '20240104';
/** Advisory lock of the server that runs statements outside of transactions. */
const concurrentLock = '20240105';

/** State of the current work: its identity and its transaction. */
interface Frame {
  readonly identity: Identity;
  readonly part: TransactionPart | undefined;
}

/** The database over either driver. A read holds no connection between its statements; a transaction holds exactly one. */
export class ConnectedDatabase extends Database {
  override readonly engine: Database['engine'];
  private readonly frames = new ContextVariable<Frame>();
  private readonly pending = new Set<Promise<unknown>>();
  private readonly listeners = new Map<string, Set<(payload: string) => void>>();
  private readonly handle: Sql;
  private closing: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    private readonly driver: Driver,
    private readonly log: Log,
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
    return this.tracked(() => this.runInFrame({ identity, part: this.openPart() }, work));
  }

  override async write<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
    return this.transaction(tenant(scope.tenantId), work);
  }

  override async asPlatform<Result>(_reason: string, work: () => Promise<Result>): Promise<Result> {
    return this.transaction(platform, work);
  }

  override async snapshot<Result>(_reason: string, work: () => Promise<Result>): Promise<Result> {
    const copying = async (session: Session) => {
      const part = new TransactionPart(session, 0, 'begin isolation level repeatable read, read only');
      return (await part.complete(platform, () => this.runInFrame({ identity: platform, part }, work))).result;
    };
    if (this.engine === 'embedded') return this.tracked(() => this.driver.use(copying));
    // The lock comes before the snapshot, so that a file whose removal the snapshot does not contain is not deleted.
    return this.tracked(() =>
      this.driver.use(async (session) => {
        await session.query(platform, 'select pg_advisory_lock_shared($1::bigint)', [backupLock], 'arrays');
        try {
          return await copying(session);
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
    if (!this.openPart()) throw new Error(`The lock ${name} must be acquired inside a transaction.`);
    // The embedded database has one connection, so a running transaction is the only one.
    if (this.engine === 'postgres') await this.handle.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
  }

  override async script(statements: string): Promise<void> {
    const { identity, part } = this.frame();
    if (identity !== platform || !part) throw new Error('A script must run inside asPlatform.');
    return part.run((session) => session.script(identity, statements));
  }

  override runConcurrently(statements: readonly string[]): Promise<boolean> {
    return this.tracked(() =>
      this.driver.use(async (session) => {
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
    const part = this.openPart();
    if (part) part.afterCommit.push(work);
    else this.runHook(work);
  }

  override async signal(topic: string, payload: string): Promise<void> {
    const { notify } = this.driver;
    if (Buffer.byteLength(topic + payload) > 7000) throw new Error(`The signal ${topic} is longer than 7,000 bytes.`);
    if (!notify) return this.afterCommit(() => setImmediate(() => this.notifyListeners(topic, payload)));
    const { text, parameters } = notify(topic, payload);
    if (this.current()) await this.query(text, parameters, 'arrays');
    else await this.tracked(() => this.driver.use((session) => session.query(platform, text, parameters, 'arrays')));
  }

  override onSignal(topic: string, listener: (payload: string) => void): () => void {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  override check(): Promise<void> {
    return this.driver.check();
  }

  override connections(): ConnectionCounts | undefined {
    return this.driver.connections?.();
  }

  override close(): Promise<void> {
    this.closing ??= Promise.allSettled(this.pending).then(async () => {
      await this.driver.close();
      this.isClosed = true;
    });
    return this.closing;
  }

  /** Runs work in a frame and awaits it there, because Drizzle only sends a statement when it is awaited. */
  private runInFrame<Result>(frame: Frame, work: () => Promise<Result>): Promise<Result> {
    return this.frames.run(frame, async () => await work());
  }

  /** Returns no frame after closing, even to work that began before. */
  private current(): Frame | undefined {
    return this.isClosed ? undefined : this.frames.get();
  }

  private frame(): Frame {
    const frame = this.current();
    if (!frame) throw new Error('The database was used outside of read, write and asPlatform.');
    return frame;
  }

  /** Returns the current transaction unless it has ended. */
  private openPart(): TransactionPart | undefined {
    const part = this.current()?.part;
    return part?.ended ? undefined : part;
  }

  private async query(text: string, parameters: unknown[], shape: 'arrays' | 'objects'): Promise<unknown[]> {
    const { identity, part } = this.frame();
    const work = (session: Session) => session.query(identity, text, parameters, shape);
    return part ? part.run(work) : this.driver.use(work);
  }

  private async transaction<Result>(identity: Identity, work: () => Promise<Result>): Promise<Result> {
    const outer = this.openPart();
    const recording = { tenantId: identity.tenantId, store: this.storeChanges, isNested: outer !== undefined };
    const runPart = (part: TransactionPart) => this.runInFrame({ identity, part }, () => recordingChanges(recording, work));
    if (outer) return outer.nest(identity, runPart);
    return this.tracked(async () => {
      const { result, afterCommit } = await this.driver.use((session) => new TransactionPart(session).complete(identity, runPart));
      for (const hook of afterCommit) this.runHook(hook);
      return result;
    });
  }

  private tracked<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.closing && !this.current()) return Promise.reject(new Error('The database is closed.'));
    const running = work();
    const quiet = running.catch(() => undefined).finally(() => this.pending.delete(quiet));
    this.pending.add(quiet);
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
    for (const listener of [...(this.listeners.get(topic) ?? [])]) this.runHook(() => listener(payload));
  }
}

/** A transaction, or a savepoint within one. Statements and inner parts run one after another, so that none runs with another's tenant. */
export class TransactionPart {
  ended = false;
  readonly afterCommit: (() => void)[] = [];
  private readonly queue = new TaskQueue();
  private failure: { readonly cause: unknown } | undefined;

  constructor(
    private readonly session: Session,
    private readonly depth = 0,
    private readonly begin = 'begin read write',
  ) {}

  /** Runs one statement of this part. */
  run<Result>(statement: (session: Session) => Promise<Result>): Promise<Result> {
    return this.queue.run(async () => {
      if (this.ended) throw new Error('The transaction of this statement has ended. Await every statement inside it.');
      try {
        return await statement(this.session);
      } catch (cause) {
        this.failure = { cause };
        throw cause;
      }
    });
  }

  /** Runs an inner part; if it fails, its changes are rolled back and this part can continue. */
  nest<Result>(identity: Identity, work: (part: TransactionPart) => Promise<Result>): Promise<Result> {
    return this.queue.run(async () => {
      const { result, afterCommit } = await new TransactionPart(this.session, this.depth + 1).complete(identity, work);
      this.afterCommit.push(...afterCommit);
      return result;
    });
  }

  /** Begins, runs the work and commits, or rolls everything back. */
  async complete<Result>(identity: Identity, work: (part: TransactionPart) => Promise<Result>): Promise<{ result: Result; afterCommit: (() => void)[] }> {
    const savepoint = this.depth === 0 ? undefined : `part_${this.depth}`;
    await this.session.begin(identity, savepoint ? `savepoint ${savepoint}` : this.begin);
    try {
      const result = await work(this);
      await this.end();
      if (this.failure) throw new Error('A statement of this transaction failed without being awaited; the transaction was rolled back.', this.failure);
      await this.session.commit(savepoint);
      return { result, afterCommit: this.afterCommit };
    } catch (error) {
      await this.end();
      // If the rollback fails too, the connection is discarded; the first error is the one to report.
      await this.session.rollback(savepoint).catch(() => undefined);
      throw error;
    }
  }

  private end(): Promise<void> {
    return this.queue.run(async () => {
      this.ended = true;
    });
  }
}
