import type { Database, SystemLog } from '#server';
import { ApiError } from '#shared/errors';
import type { Leases } from './leases.ts';
import { transferProblems } from './problems.ts';
import { maxRunning } from './transfer-queue.ts';
import type { TransferOutcome, TransferRecord } from './transfer-rows.ts';

/** Cancellation of a running transfer, and the receiver of its progress. */
export interface TransferContext {
  readonly signal: AbortSignal;
  report(progress: number, total?: number): void;
}

interface RunningTransfer extends TransferContext {
  readonly controller: AbortController;
  readonly record: TransferRecord;
  progress: number;
  total: number | undefined;
  readonly ended: Promise<void>;
}

const topics = { waiting: 'transfer-waiting', cancelled: 'transfer-cancelled' } as const;
const renewMs = 2000;

/** Runs transfers, a few at a time; those of a process that died are taken over by the next one that polls. */
export class TransferRunner {
  private readonly running = new Map<string, RunningTransfer>();
  private readonly disposers: (() => void)[] = [];
  private claiming: Promise<void> | undefined;
  private targets: () => readonly string[] = () => [];
  private hasStopped = false;

  constructor(
    private readonly db: Database,
    private readonly leases: Leases,
    private readonly systemLog: SystemLog,
    private readonly work: (record: TransferRecord, job: TransferContext) => Promise<TransferOutcome>,
  ) {}

  /** Polls for transfers now and on each signal. */
  async start(targets: () => readonly string[]): Promise<void> {
    this.targets = targets;
    this.disposers.push(this.db.onSignal(topics.waiting, () => void this.poll()));
    this.disposers.push(this.db.onSignal(topics.cancelled, (id) => this.running.get(id)?.controller.abort('cancelled')));
    await this.leases.expireOthers();
    void this.poll();
  }

  /** Announces a waiting transfer. Resolves once this process has claimed it, or has signalled the others because it is busy. */
  async announce(): Promise<void> {
    if (this.running.size >= maxRunning) await this.db.signal(topics.waiting, '');
    await this.poll();
  }

  /** Cancels a transfer: immediately in this process, by a signal elsewhere. */
  async cancel(id: string): Promise<void> {
    this.running.get(id)?.controller.abort('cancelled');
    await this.db.signal(topics.cancelled, id);
  }

  /** Tests whether a transfer runs in this process for this user; faster than the database, which a long import may keep busy. */
  runsFor(id: string, ownerId: string): boolean {
    return this.running.get(id)?.record.ownerId === ownerId;
  }

  /** Returns the progress of a transfer in this process, more recent than in the table. */
  progressOf(id: string): { progress: number; total: number | undefined } | undefined {
    return this.running.get(id);
  }

  /** Waits until a transfer of this process has ended, or for `timeoutMs`. */
  async settle(id: string, timeoutMs: number): Promise<void> {
    const ended = this.running.get(id)?.ended;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    if (ended) await Promise.race([ended, timeout]);
    clearTimeout(timer);
  }

  /** Releases all running transfers; other processes, or the next start, continue them. */
  async stop(): Promise<void> {
    this.hasStopped = true;
    for (const dispose of this.disposers.splice(0)) dispose();
    await this.claiming;
    for (const { controller } of this.running.values()) controller.abort('stopping');
    await Promise.allSettled([...this.running.values()].map(({ ended }) => ended));
  }

  /** Claims waiting transfers. */
  poll(): Promise<void> {
    this.claiming = (this.claiming ?? Promise.resolve()).then(() => this.claimAll()).catch((error) => this.report('transfers:poll-failed', error));
    return this.claiming;
  }

  private async claimAll(): Promise<void> {
    while (!this.hasStopped && this.running.size < maxRunning) {
      const record = await this.leases.claim(this.targets());
      if (!record) return;
      this.launch(record);
    }
  }

  private launch(record: TransferRecord): void {
    const controller = new AbortController();
    const running: Omit<RunningTransfer, 'ended'> & { ended: Promise<void> } = {
      controller,
      record,
      signal: controller.signal,
      progress: record.progress,
      total: undefined,
      report(progress, total) {
        running.progress = progress;
        if (total !== undefined) running.total = total;
      },
      ended: Promise.resolve(),
    };
    this.running.set(record.id, running);
    running.ended = this.run(running).finally(() => {
      this.running.delete(record.id);
      void this.poll();
    });
  }

  private async run(running: Omit<RunningTransfer, 'ended'>): Promise<void> {
    const { record, controller } = running;
    const timer = setInterval(() => void this.renew(running), renewMs).unref();
    try {
      const result = await this.work(record, running).catch((error) => this.resultOfError(error, record, controller.signal));
      if (result) await this.leases.finish(record, result, running.progress);
      else if (controller.signal.reason === 'stopping') await this.leases.release(record);
    } catch (error) {
      this.report('transfers:result-not-stored', error, record);
    } finally {
      clearInterval(timer);
    }
  }

  /** Converts an error to a result; undefined if the transfer belongs to another process now or will be resumed. */
  private resultOfError(error: unknown, record: TransferRecord, { aborted, reason }: AbortSignal): TransferOutcome | undefined {
    if (aborted) return reason === 'cancelled' ? { state: 'cancelled' } : undefined;
    if (error instanceof ApiError) return { state: 'failed', message: [error.text('zh'), error.text('en')] };
    this.report('transfers:failed', error, record);
    return { state: 'failed', message: transferProblems.failed.message };
  }

  private async renew({ record, progress, total, controller }: Omit<RunningTransfer, 'ended'>): Promise<void> {
    try {
      const lease = await this.leases.renew(record, { progress, total });
      if (lease !== 'active') controller.abort(lease);
    } catch (error) {
      this.report('transfers:lease-not-renewed', error, record);
    }
  }

  private report(event: string, error: unknown, record?: TransferRecord): void {
    const reason = error instanceof Error ? error.stack : String(error);
    this.systemLog.log({ level: 'error', event, data: { transfer: record?.id, reason }, ...(record && { tenant: record.tenantId }) });
  }
}
