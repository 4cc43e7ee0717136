import { randomUUID } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, hostname, tmpdir } from 'node:os';
import { sql } from 'drizzle-orm';
import { idArray, type JobRun, type MapRun, type Processor, queryRows } from '#server';
import { type ClaimedTask, claimTasks } from './claims.ts';
import { limitIdleTransactions } from './limit-idle-transactions.ts';
import type { JobPluginContext } from './paused-jobs.ts';
import type { RunLog } from './run-log.ts';
import { type JobRuns, runsRevoked, type TaskResult, tasksAvailable } from './runs.ts';
import { stateSql } from './state-sql.ts';

interface TaskRunDeps extends Pick<JobPluginContext, 'db' | 'jobs'> {
  readonly readSecret: ReadSecret;
  readonly log: RunLog;
}

/** Reads the secret of a job. */
export type ReadSecret = (tenantId: string, jobInfoId: string) => Promise<string | undefined>;

/** Thrown when another worker has claimed the task in the meantime, or the run was stopped. */
class RunSupersededError extends Error {
  override readonly name = 'RunSupersededError';
}

/** Runs one task and returns its result; undefined if the task was revoked in the meantime. Never rejects. */
async function runTask(deps: TaskRunDeps, claim: ClaimedTask, signal: AbortSignal): Promise<TaskResult | undefined> {
  const processor = deps.jobs.of(claim.processor);
  const run = runContextOf(deps, claim, signal);
  try {
    if (!processor) throw new Error(`Processor "${claim.processor}" not found.`);
    const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new RunSupersededError('revoked')), { once: true }));
    return { isSuccess: true, result: (await Promise.race([perform(deps, processor, claim, run), aborted])) ?? '' };
  } catch (error) {
    if (signal.aborted) return undefined;
    run.log('error', error instanceof Error ? error.message : String(error));
    if (error instanceof Error && error.stack) run.log('debug', error.stack);
    return { isSuccess: false, result: error instanceof Error ? error.message : String(error) };
  }
}

async function perform({ db }: TaskRunDeps, processor: Processor, claim: ClaimedTask, run: MapRun): Promise<string | undefined> {
  if (claim.kind === 'part') return processor.perform?.(claim.payload, run);
  if (claim.kind !== 'reduce') return processor.run(run);
  const parts = await db.read({ tenantId: claim.tenantId }, () =>
    queryRows<{ result: string | null }>(db, sql`select result from job_task where instance_id = ${claim.instanceId} and kind = 'part' order by id`),
  );
  return processor.reduce
    ? processor.reduce(
        parts.map(({ result }) => result ?? ''),
        run,
      )
    : `${parts.length}`;
}

function runContextOf({ db, log, readSecret }: TaskRunDeps, claim: ClaimedTask, signal: AbortSignal): MapRun {
  const { tenantId, instanceId, taskId, fence } = claim;
  const write: JobRun['write'] = (work) =>
    db.write({ tenantId }, async () => {
      await limitIdleTransactions(db);
      const outcome = await work();
      // Locked last, so that either stopping the run waits for this transaction or this check sees the stop.
      const owned = await queryRows(db, sql`select from job_task where id = ${taskId} and fence = ${fence} and state = ${stateSql.running} for update`);
      if (owned.length === 0) throw new RunSupersededError('the task was claimed by another worker');
      return outcome;
    });
  return {
    tenantId,
    instanceId,
    params: claim.jobParams,
    instanceParams: claim.instanceParams,
    signal,
    readSecret: () => readSecret(tenantId, claim.jobInfoId),
    log: log.of(claim),
    write,
    map: (parts) =>
      write(async () => {
        const list = JSON.stringify(parts.map(({ name, payload }) => ({ name: name.slice(0, 255), payload })));
        await queryRows(
          db,
          sql`insert into job_task (tenant_id, instance_id, job_info_id, kind, name, payload)
              select t.tenant_id, t.instance_id, t.job_info_id, 'part', p.name, p.payload
              from jsonb_to_recordset(${list}::jsonb) as p(name text, payload jsonb) cross join job_task t where t.id = ${taskId}`,
        );
        await db.signal(tasksAvailable, '');
      }),
  };
}

/** Settings of a worker; tests use shorter times. */
export interface WorkerSettings {
  /** Seconds after the last heartbeat at which a task of the worker can be claimed by others. */
  readonly leaseSeconds: number;
  /** Maximum number of tasks in flight. */
  readonly maxTasks: number;
}

const gigabyte = 1024 ** 3;

/** Worker of this server process. It claims waiting tasks, sends heartbeats, and reports results with fencing tokens. */
export class Worker {
  /** Set by the plugin, whose repository decrypts secrets. */
  readSecret: ReadSecret = async () => undefined;
  readonly id = randomUUID();
  readonly name: string;
  private readonly inFlight = new Map<string, { readonly claim: ClaimedTask; readonly controller: AbortController }>();
  private polling: Promise<void> | undefined;
  private mustPollAgain = false;

  constructor(
    private readonly context: Pick<JobPluginContext, 'db' | 'jobs' | 'systemLog' | 'inBackground'>,
    private readonly runs: JobRuns,
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
    this.polling = this.claimUpToCapacity()
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

  private async claimUpToCapacity(): Promise<void> {
    const freeSlots = this.settings.maxTasks - this.inFlight.size;
    if (freeSlots <= 0) return;
    const claims = await claimTasks(this.context, { id: this.id, name: this.name, leaseSeconds: this.settings.leaseSeconds, maxTasks: freeSlots });
    for (const task of claims) {
      const { tenantId, instanceId, taskId, kind, processor } = task;
      void this.context
        .inBackground(`run ${processor}`, { tenant: tenantId, run: instanceId, task: taskId, kind, processor }, () => this.run(task))
        .finally(() => this.poll());
    }
    // More tasks may be waiting, because the claimed batch can have been cut by the limit of one run.
    if (claims.length > 0) this.mustPollAgain = true;
  }

  private async run(task: ClaimedTask): Promise<void> {
    const { db, jobs, systemLog } = this.context;
    const controller = new AbortController();
    this.inFlight.set(task.fence, { claim: task, controller });
    try {
      const taskResult = await runTask({ db, jobs, log: this.log, readSecret: this.readSecret }, task, controller.signal);
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
