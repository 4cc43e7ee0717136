import { TaskQueue } from '#shared/task-queue';
import type { Identity } from '../context/identity.ts';
import type { DatabaseSession } from './session.ts';

/** A transaction, or a savepoint within one. Its statements and nested scopes run one after another, so that none runs with another's tenant. */
export class TransactionScope {
  ended = false;
  readonly afterCommit: (() => void)[] = [];
  private readonly queue = new TaskQueue();
  private rollbackFailed = false;
  private failure: { readonly cause: unknown } | undefined;

  constructor(
    private readonly session: DatabaseSession,
    private readonly depth = 0,
    private readonly beginStatement = 'begin read write',
  ) {}

  /** Runs one statement. */
  run<Result>(statement: (session: DatabaseSession) => Promise<Result>): Promise<Result> {
    return this.enqueue(async () => {
      try {
        return await statement(this.session);
      } catch (cause) {
        this.failure = { cause };
        throw cause;
      }
    });
  }

  /** Runs work in a savepoint; if it fails, its changes are rolled back and this scope can continue. */
  nest<Result>(identity: Identity, work: (scope: TransactionScope) => Promise<Result>): Promise<Result> {
    return this.enqueue(async () => {
      const inner = new TransactionScope(this.session, this.depth + 1);
      try {
        const { result, afterCommit } = await inner.execute(identity, work);
        this.afterCommit.push(...afterCommit);
        return result;
      } catch (cause) {
        // PostgreSQL answers the commit of a transaction that it has aborted with success.
        if (inner.rollbackFailed) this.failure = { cause };
        throw cause;
      }
    });
  }

  /** Begins, runs the work and commits, or rolls everything back. */
  async execute<Result>(identity: Identity, work: (scope: TransactionScope) => Promise<Result>): Promise<{ result: Result; afterCommit: (() => void)[] }> {
    const savepoint = this.depth === 0 ? undefined : `part_${this.depth}`;
    try {
      await this.session.begin(identity, savepoint ? `savepoint ${savepoint}` : this.beginStatement);
      const result = await work(this);
      await this.end();
      if (this.failure)
        throw new Error(
          'A statement of this transaction failed and its error was not thrown, so the transaction was rolled back. Await every statement and do not catch its error.',
          this.failure,
        );
      await this.session.commit(savepoint);
      return { result, afterCommit: this.afterCommit };
    } catch (error) {
      await this.end();
      // If the rollback fails too, the connection is discarded; the first error is the one to report.
      await this.session.rollback(savepoint).catch(() => {
        this.rollbackFailed = true;
      });
      throw error;
    }
  }

  private enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.queue.run(() => {
      if (this.ended) throw new Error('The transaction of this statement has ended. Await every statement inside it.');
      return work();
    });
  }

  private end(): Promise<void> {
    return this.queue.run(async () => {
      this.ended = true;
    });
  }
}
