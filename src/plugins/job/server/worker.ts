import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, hostname, tmpdir } from 'node:os';
import { sql } from 'drizzle-orm';
import { idArray, queryRows } from '#server';
import { type ClaimedTask, claimTasks } from './claims.ts';
import { limitIdleTransactions } from './limit-idle-transactions.ts';
import type { JobPluginContext } from './paused-jobs.ts';
import type { RunLog } from './run-log.ts';
import { type Runs, runsRevoked, tasksAvailable } from './runs.ts';
import { stateSql } from './state-sql.ts';
import { runTask } from './task-run.ts';

/** Settings of a worker; tests use shorter times. */
export interface WorkerSettings {
  /** Seconds after the last heartbeat at which a task of the worker can be claimed by others. */
  readonly leaseSeconds: number;
  /** Maximum number of tasks in flight. */
  readonly maxTasks: number;
}

const gigabyte = 1024 ** 3;

/** Worker of this replica: it claims waiting tasks, sends heartbeats, and reports results with fencing tokens. */
export class Worker {
  readonly id = randomUUID();
  readonly name: string;
  private readonly inFlight = new Map<string, { readonly claim: ClaimedTask; readonly controller: AbortController }>();
  private polling: Promise<void> | undefined;
  private mustPollAgain = false;

  constructor(
    private readonly context: Pick<JobPluginContext, 'db' | 'jobs' | 'systemLog'>,
    private readonly runs: Runs,
    private readonly log: RunLog,
    private readonly settings: WorkerSettings,
    name?: string,
  ) {
    this.name = name ?? `${hostname()}:${process.pid}`;
    const { db } = context;
    db.onSignal(tasksAvailable, () => this.poll());
    db.onSignal(runsRevoked, (instanceId) => this.abort((task) => task.instanceId === instanceId));
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
        sql`update job_task set lease_until = clock_timestamp() + make_interval(secs => ${this.settings.leaseSeconds})
            where state = ${stateSql.running} and worker = ${this.id} and fence = any(${idArray(fences)}) returning fence::text as fence`,
      );
    });
    const renewed = new Set(renewedLeases.map(({ fence }) => fence));
    const sentFences = new Set(fences);
    this.abort(({ fence }) => sentFences.has(fence) && !renewed.has(fence));
  }

  /** Claims waiting tasks up to its capacity. */
  poll(): void {
    if (this.polling) {
      this.mustPollAgain = true;
      return;
    }
    this.polling = this.claimFree()
      .catch((error: unknown) => this.context.systemLog.log({ level: 'warn', event: 'job:look-failed', data: { reason: String(error) } }))
      .finally(() => {
        this.polling = undefined;
        if (this.mustPollAgain) {
          this.mustPollAgain = false;
          this.poll();
        }
      });
  }

  /** Aborts all tasks in flight; other workers claim them when their leases expire. */
  stop(): void {
    this.abort(() => true);
  }

  private async claimFree(): Promise<void> {
    const free = this.settings.maxTasks - this.inFlight.size;
    if (free <= 0) return;
    const claims = await claimTasks(this.context, { id: this.id, name: this.name, leaseSeconds: this.settings.leaseSeconds, maxTasks: free });
    for (const task of claims) void this.run(task);
    // Tasks beyond the limit of one run may have taken the place of waiting tasks of other runs.
    if (claims.length > 0) this.mustPollAgain = true;
  }

  private async run(task: ClaimedTask): Promise<void> {
    const { db, jobs, systemLog } = this.context;
    const controller = new AbortController();
    this.inFlight.set(task.fence, { claim: task, controller });
    try {
      const taskResult = await runTask({ db, jobs, log: this.log }, task, controller.signal);
      await this.log.flush().catch(() => undefined);
      if (!taskResult) return;
      const isAccepted = await db.asPlatform('workers report results of runs of all tenants', async () => {
        await limitIdleTransactions(db);
        return this.runs.endTask(task.taskId, task.fence, taskResult);
      });
      if (!isAccepted) systemLog.log({ level: 'warn', event: 'job:late-result-refused', data: { instanceId: task.instanceId, fence: task.fence } });
    } catch (error) {
      // The lease expires, and another worker claims the task again.
      systemLog.log({ level: 'warn', event: 'job:report-failed', data: { instanceId: task.instanceId, reason: String(error) } });
    } finally {
      this.inFlight.delete(task.fence);
      this.poll();
    }
  }

  private abort(isAffected: (task: ClaimedTask) => boolean): void {
    for (const [fence, task] of this.inFlight) {
      if (!isAffected(task.claim)) continue;
      task.controller.abort();
      this.inFlight.delete(fence);
    }
  }
}
