import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, hostname, tmpdir } from 'node:os';
import { sql } from 'drizzle-orm';
import { idArray, queryRows } from '#server';
import type { Claim } from './claims.ts';
import { claim } from './claims.ts';
import { limitIdleTransactions } from './limit-idle-transactions.ts';
import type { JobPluginContext } from './paused-jobs.ts';
import type { RunLog } from './run-log.ts';
import { type Runs, runsTaken, workWaits } from './runs.ts';
import { runState } from './states.ts';
import { runTask } from './task-run.ts';

/** Settings of a worker; tests use shorter times. */
export interface WorkerSettings {
  /** Seconds after the last heartbeat at which a task of the worker can be claimed by others. */
  readonly leaseSeconds: number;
  /** Maximum number of tasks in flight. */
  readonly atOnce: number;
}

const gigabyte = 1024 ** 3;

/** Worker of this replica: it claims waiting tasks, sends heartbeats, and reports results with fencing tokens. */
export class Worker {
  readonly id = randomUUID();
  readonly name: string;
  private readonly inFlight = new Map<string, { readonly claim: Claim; readonly leaving: AbortController }>();
  private looking: Promise<void> | undefined;
  private mustLookAgain = false;

  constructor(
    private readonly context: Pick<JobPluginContext, 'db' | 'jobs' | 'systemLog'>,
    private readonly runs: Runs,
    private readonly log: RunLog,
    private readonly pace: WorkerSettings,
    name?: string,
  ) {
    this.name = name ?? `${hostname()}:${process.pid}`;
    const { db } = context;
    db.onSignal(workWaits, () => this.poll());
    db.onSignal(runsTaken, (instanceId) => this.drop(({ claim: one }) => one.instanceId === instanceId));
  }

  /** Sends a heartbeat, renews the leases of tasks in flight, and aborts tasks that another worker has taken over. */
  async sendHeartbeat(): Promise<void> {
    const { db } = this.context;
    const { bavail, bsize } = await statfs(tmpdir());
    const fences = [...this.inFlight.keys()];
    const renewedLeases = await db.asPlatform('workers run jobs of all tenants', async () => {
      await limitIdleTransactions(db);
      await queryRows(
        db,
        sql`insert into job_worker (id, name, cpus, memory, disk, load)
            values (${this.id}, ${this.name}, ${availableParallelism()}, ${freemem() / gigabyte}, ${(bavail * bsize) / gigabyte}, ${fences.length})
            on conflict (id) do update set memory = excluded.memory, disk = excluded.disk, load = excluded.load, seen_at = clock_timestamp()`,
      );
      return queryRows<{ fence: string }>(
        db,
        sql`update job_task set lease_until = clock_timestamp() + make_interval(secs => ${this.pace.leaseSeconds})
            where state = ${runState.running} and worker = ${this.id} and fence = any(${idArray(fences)}) returning fence::text as fence`,
      );
    });
    const mine = new Set(renewedLeases.map(({ fence }) => fence));
    const sentFences = new Set(fences);
    this.drop(({ claim: { fence } }) => sentFences.has(fence) && !mine.has(fence));
  }

  /** Claims waiting tasks up to its capacity. */
  poll(): void {
    if (this.looking) {
      this.mustLookAgain = true;
      return;
    }
    this.looking = this.claimTasks()
      .catch((error: unknown) => this.context.systemLog.log({ level: 'warn', event: 'job:look-failed', data: { reason: String(error) } }))
      .finally(() => {
        this.looking = undefined;
        if (this.mustLookAgain) {
          this.mustLookAgain = false;
          this.poll();
        }
      });
  }

  /** Aborts all tasks in flight. */
  stop(): void {
    this.drop(() => true);
  }

  private async claimTasks(): Promise<void> {
    const free = this.pace.atOnce - this.inFlight.size;
    if (free <= 0) return;
    const claims = await claim(this.context, { id: this.id, name: this.name, leaseSeconds: this.pace.leaseSeconds, most: free });
    for (const one of claims) void this.work(one);
    // Tasks that the limit of one run holds back may have hidden waiting tasks of other runs.
    if (claims.length > 0) this.mustLookAgain = true;
  }

  private async work(one: Claim): Promise<void> {
    const { db, jobs, systemLog } = this.context;
    const controller = new AbortController();
    this.inFlight.set(one.fence, { claim: one, leaving: controller });
    try {
      const taskResult = await runTask({ db, jobs, log: this.log }, one, controller.signal);
      await this.log.flush().catch(() => undefined);
      if (!taskResult) return;
      const isAccepted = await db.asPlatform('workers report results of runs of all tenants', async () => {
        await limitIdleTransactions(db);
        return this.runs.endTask(one.taskId, one.fence, taskResult);
      });
      if (!isAccepted) systemLog.log({ level: 'warn', event: 'job:late-result-refused', data: { instanceId: one.instanceId, fence: one.fence } });
    } catch (error) {
      // The lease expires, and another worker claims the task again.
      systemLog.log({ level: 'warn', event: 'job:report-failed', data: { instanceId: one.instanceId, reason: String(error) } });
    } finally {
      this.inFlight.delete(one.fence);
      this.poll();
    }
  }

  private drop(which: (held: { readonly claim: Claim }) => boolean): void {
    for (const [fence, held] of this.inFlight) {
      if (!which(held)) continue;
      held.leaving.abort();
      this.inFlight.delete(fence);
    }
  }
}
