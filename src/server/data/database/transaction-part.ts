import { TaskQueue } from '#shared/task-queue';
import type { Identity } from '../context/identity.ts';
import type { Session } from './session.ts';

/** A transaction, or a savepoint within one. Statements and inner parts run one after another, so that none runs with another's tenant. */
export class TransactionPart {
  ended = false;
  readonly afterCommit: (() => void)[] = [];
  private readonly queue = new TaskQueue();
  private failure: { readonly cause: unknown } | undefined;

  constructor(
    private readonly session: Session,
    private readonly depth = 0,
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
    await this.session.begin(identity, savepoint);
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
