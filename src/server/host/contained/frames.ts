import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../../data/database/database.ts';
import { Semaphore } from '../../data/database/semaphore.ts';
import type { TransactionKind } from './protocol.ts';
import { StatementSlots } from './statement-slots.ts';

/** A context of the server in which a contained plugin may run statements. */
interface Frame {
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

/** A transaction that a plugin asks for. */
export interface AskedTransaction {
  readonly kind: TransactionKind;
  /** Undefined for all tenants. */
  readonly tenantId: string | undefined;
  /** Runs work in the transaction of a run of a job. */
  readonly inJob?: ((work: () => Promise<void>) => Promise<void>) | undefined;
}

const waitMs = 10_000;

/** Thrown through a transaction that the plugin takes back. */
const takenBack = new Error('The plugin took its transaction back.');

/** Contexts in which one contained plugin runs statements. The number of a frame is worth nothing once it has ended. */
export class Frames {
  private readonly open = new Map<number, Frame>();
  /** Transactions that the plugin may have open at a time besides those of its requests, so that it leaves connections to others. */
  private readonly transactions = new Semaphore(2, waitMs);
  private readonly statements = new StatementSlots();
  private last = 0;

  constructor(
    private readonly db: Database,
    /** Called for a transaction that the plugin has begun and not ended in time, which is taken back. */
    private readonly onOverdue: () => void,
    private readonly transactionMs: number,
  ) {}

  /** Runs work for which the plugin may use the current context until it ends; with a tenant, the plugin cannot leave it. */
  async enter<Result>({ tenantId, isTransaction }: Pick<Frame, 'tenantId' | 'isTransaction'>, work: (frame: number) => Promise<Result>): Promise<Result> {
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

  /** Runs what asks the database in a frame, a few things at a time; throws if it has ended. */
  run<Result>(frame: number, work: () => Promise<Result>): Promise<Result> {
    const running = () => {
      // The frame may have ended while it waited.
      this.of(frame);
      return work();
    };
    return this.of(frame).run(() => this.statements.run(async () => running()));
  }

  /** Returns the tenant to which a frame is limited. */
  limitOf(frame: number): string | undefined {
    return this.of(frame).tenantId;
  }

  /** Begins a transaction inside a frame and returns the number of its own frame. */
  async begin(parent: number, asked: AskedTransaction): Promise<number> {
    const { tenantId: limit, isTransaction } = this.of(parent);
    const { kind, tenantId } = asked;
    if (limit !== undefined && (tenantId !== limit || kind === 'platform')) throw new Error('The work of a tenant may not leave it.');
    if ((kind === 'read' || kind === 'write') && typeof tenantId !== 'string') throw new Error('The transaction names no tenant.');
    if (isTransaction) return this.beginNow(parent, asked, () => undefined);
    await this.transactions.acquire();
    return this.beginNow(parent, asked, () => this.transactions.release());
  }

  /** Commits the transaction of a frame, or takes it back with those inside it. */
  async end(frame: number, commits: boolean): Promise<void> {
    const { end } = this.of(frame);
    if (!end) throw new Error('The plugin has not begun this transaction.');
    await this.endInner(frame);
    this.open.delete(frame);
    await end(commits);
  }

  private beginNow(parent: number, asked: AskedTransaction, release: () => void): Promise<number> {
    return new Promise((begun, refuse) => {
      const work = () =>
        new Promise<void>((commit, rollBack) => {
          const overdue = setTimeout(this.onOverdue, this.transactionMs);
          const end = async (commits: boolean) => {
            clearTimeout(overdue);
            if (commits) commit();
            else rollBack(takenBack);
            await ended.catch((error) => {
              if (error !== takenBack) throw error;
            });
          };
          begun(this.add({ run: AsyncLocalStorage.snapshot(), tenantId: asked.tenantId, isTransaction: asked.kind !== 'read', parent, end }));
        });
      const ended = this.of(parent).run(() => this.transaction(asked, work));
      ended.catch(refuse).finally(release);
    });
  }

  private async transaction({ kind, tenantId, inJob }: AskedTransaction, work: () => Promise<void>): Promise<void> {
    if (kind === 'platform') return this.db.asPlatform('a contained plugin works with its own rows of all tenants', work);
    if (kind === 'job') {
      if (!inJob) throw new Error('The run has ended.');
      return inJob(work);
    }
    const scope = { tenantId: String(tenantId) };
    return kind === 'read' ? this.db.read(scope, work) : this.db.write(scope, work);
  }

  private of(frame: number): Frame {
    const found = this.open.get(frame);
    if (!found) throw new Error('The work that this belongs to has ended.');
    return found;
  }

  private add(frame: Frame): number {
    this.last += 1;
    this.open.set(this.last, frame);
    return this.last;
  }

  /** Takes back the transactions that are open inside a frame. */
  private async endInner(frame: number): Promise<void> {
    for (const [number, { parent, end }] of [...this.open].reverse()) {
      if (parent !== frame || !this.open.has(number)) continue;
      await this.endInner(number);
      this.open.delete(number);
      await end?.(false).catch(() => undefined);
    }
  }
}
