import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../data/database/database.ts';
import { Semaphore } from '../../data/database/semaphore.ts';
import type { TransactionKind } from './protocol.ts';
import { StatementSlots } from './statement-slots.ts';

/** A context of the server in which a contained plugin may run statements. */
interface ContainedFrame {
  /** Runs work in the asynchronous context of the frame, with its transaction and its actor. */
  readonly run: <Result>(work: () => Result) => Result;
  /** Tenant to which the frame is limited; undefined for none. */
  readonly tenantId: string | undefined;
  /** True if it holds a connection, which transactions inside it use. */
  readonly isTransaction: boolean;
  readonly parent: number | undefined;
  /** Ends the transaction that the plugin has begun; undefined for a frame of the server. */
  readonly end?: (commits: boolean) => Promise<void>;
}

/** A transaction that a plugin requests. */
export interface RequestedTransaction {
  readonly kind: TransactionKind;
  /** Undefined for all tenants. */
  readonly tenantId: string | undefined;
  /** Runs work in the transaction of a job run. */
  readonly inJob?: ((work: () => Promise<void>) => Promise<void>) | undefined;
}

const maxTransactions = 2;
const waitTimeoutMs = 10_000;

/** Error that rolls a transaction back for its plugin. */
const rolledBack = new Error('The plugin rolled its transaction back.');

/** Contexts in which one contained plugin runs statements. The plugin names a frame by its number, which is invalid once the frame has ended. */
export class Frames {
  private readonly open = new Map<number, ContainedFrame>();
  /** Limits the open transactions of the plugin besides those of its requests, so that connections are left for others. */
  private readonly transactions = new Semaphore(maxTransactions, waitTimeoutMs);
  private readonly statements = new StatementSlots();
  private lastNumber = 0;

  constructor(
    private readonly db: Database,
    /** Called when the plugin has not ended a transaction in time. */
    private readonly onTimeout: () => void,
    private readonly transactionTimeoutMs: number,
  ) {}

  /** Runs work, and opens a frame for it in the current context. The plugin can use the frame until the work ends, with a tenant only for the rows of this tenant. */
  async enter<Result>(
    { tenantId, isTransaction }: Pick<ContainedFrame, 'tenantId' | 'isTransaction'>,
    work: (frame: number) => Promise<Result>,
  ): Promise<Result> {
    const frame = this.add({ run: AsyncLocalStorage.snapshot(), tenantId, isTransaction, parent: undefined });
    try {
      return await work(frame);
    } finally {
      await this.endInner(frame);
      this.open.delete(frame);
    }
  }

  /** Runs work in the context of a frame; throws if it has ended. */
  inContext<Result>(frame: number, work: () => Result): Result {
    return this.of(frame).run(work);
  }

  /** Runs work that uses the database in the context of a frame, with a limit on concurrent work; throws if the frame has ended. */
  run<Result>(frame: number, work: () => Promise<Result>): Promise<Result> {
    return this.of(frame).run(() =>
      this.statements.run(async () => {
        // The frame may have ended while the work waited.
        this.of(frame);
        return work();
      }),
    );
  }

  /** Returns the tenant to which a frame is limited; undefined for none. */
  tenantOf(frame: number): string | undefined {
    return this.of(frame).tenantId;
  }

  /** Begins a transaction inside a frame and returns the number of its own frame. */
  async begin(parent: number, requested: RequestedTransaction): Promise<number> {
    const { tenantId: limit, isTransaction } = this.of(parent);
    const { kind, tenantId } = requested;
    if (limit !== undefined && (tenantId !== limit || kind === 'platform')) throw new Error('Work for one tenant cannot begin a transaction for another.');
    if ((kind === 'read' || kind === 'write') && typeof tenantId !== 'string') throw new Error('A transaction of this kind requires a tenant.');
    if (isTransaction) return this.beginNow(parent, requested, () => undefined);
    await this.transactions.acquire();
    return this.beginNow(parent, requested, () => this.transactions.release());
  }

  /** Commits the transaction of a frame, or rolls it back; transactions that are still open inside it are rolled back. */
  async end(frame: number, commits: boolean): Promise<void> {
    const { end } = this.of(frame);
    if (!end) throw new Error('The plugin has not begun this transaction.');
    await this.endInner(frame);
    this.open.delete(frame);
    await end(commits);
  }

  private beginNow(parent: number, requested: RequestedTransaction, release: () => void): Promise<number> {
    return new Promise((resolve, reject) => {
      const work = () =>
        new Promise<void>((commit, rollBack) => {
          const timer = setTimeout(this.onTimeout, this.transactionTimeoutMs);
          const end = async (commits: boolean) => {
            clearTimeout(timer);
            if (commits) commit();
            else rollBack(rolledBack);
            await ended.catch((error) => {
              if (error !== rolledBack) throw error;
            });
          };
          resolve(this.add({ run: AsyncLocalStorage.snapshot(), tenantId: requested.tenantId, isTransaction: requested.kind !== 'read', parent, end }));
        });
      const ended = this.of(parent).run(() => this.transaction(requested, work));
      ended.catch(reject).finally(release);
    });
  }

  private async transaction({ kind, tenantId, inJob }: RequestedTransaction, work: () => Promise<void>): Promise<void> {
    if (kind === 'platform') return this.db.asPlatform('a contained plugin works with its own rows of all tenants', work);
    if (kind === 'job') {
      if (!inJob) throw new Error('The run has ended.');
      return inJob(work);
    }
    const scope = { tenantId: String(tenantId) };
    return kind === 'read' ? this.db.read(scope, work) : this.db.write(scope, work);
  }

  private of(frame: number): ContainedFrame {
    const found = this.open.get(frame);
    if (!found) throw new Error('The request or transaction in which the plugin works has ended.');
    return found;
  }

  private add(frame: ContainedFrame): number {
    this.lastNumber += 1;
    this.open.set(this.lastNumber, frame);
    return this.lastNumber;
  }

  /** Rolls back the transactions that are open inside a frame. */
  private async endInner(frame: number): Promise<void> {
    for (const [number, { parent, end }] of [...this.open].reverse()) {
      if (parent !== frame || !this.open.has(number)) continue;
      await this.endInner(number);
      this.open.delete(number);
      await end?.(false).catch(() => undefined);
    }
  }
}
