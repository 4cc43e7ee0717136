import { sql } from 'drizzle-orm';
import { ApiError, idArray, queryRows, type ServerContext } from '#server';
import { executionTypes, jobProblems } from '../contract.ts';
import { runStates, runTriggers } from '../run-contract.ts';
import type { Alerts } from './alerts.ts';
import { stateSql } from './state-sql.ts';
import { eligibleWorkers, liveWorkers, selectWorker, type WorkerRequirements } from './workers.ts';

/** Request for a run, by a schedule or a user. */
export interface RunRequest {
  readonly jobInfoId: string;
  /** Scheduled time in milliseconds since 1970. */
  readonly fireTime?: number;
  readonly instanceParams?: string | null | undefined;
  /** Workflow run and node the run belongs to. */
  readonly workflowRunId?: string;
  readonly nodeId?: string;
}

/** Result of a task. */
export interface TaskResult {
  readonly isSuccess: boolean;
  readonly result: string;
}

interface JobLimits extends WorkerRequirements {
  readonly id: string;
  readonly executeType: number;
  readonly maxInstanceNum: number;
  readonly startsWorkflow: boolean;
  readonly open: number;
}

interface LockedRun {
  readonly id: string;
  readonly jobInfoId: string;
  readonly executeType: number;
  readonly runningTimes: number;
  readonly instanceRetryNum: number;
  readonly ownWorkflowRunId: string | null;
}

/** Time in which only the preferred worker may claim a task; after it any worker may. */
const affinityDelay = '2 seconds';
const maxResultLength = 2000;
/** Channel that notifies workers of waiting tasks. */
export const tasksAvailable = 'job:work-waits';
/** Channel that notifies workers of a revoked run, with its id. */
export const runsRevoked = 'job:runs-taken';

/** State transitions of runs. All methods take part in the current transaction, which sees all tenants. */
export class JobRuns {
  /** Called when a run has ended for good. */
  onEnded: (jobInfoId: string, instanceId: string) => Promise<void> = async () => undefined;
  /** Called when ended runs are retried. */
  onRetried: (instanceIds: readonly string[]) => Promise<void> = async () => undefined;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly alerts: Alerts,
  ) {}

  /** Creates runs with their tasks; a scheduled time that already has a run gets no second one. Returns the ids. */
  async create(requests: readonly RunRequest[]): Promise<string[]> {
    if (requests.length === 0) return [];
    const { db } = this;
    const limits = await this.limitsOf([...new Set(requests.map(({ jobInfoId }) => jobInfoId))]);
    const open = new Map([...limits.values()].map(({ id, open: count }) => [id, count]));
    const accepted = requests.flatMap((request) => {
      const job = limits.get(request.jobInfoId);
      if (!job) return [];
      const count = open.get(job.id) ?? 0;
      const isTooMany = job.maxInstanceNum > 0 && count >= job.maxInstanceNum;
      if (isTooMany && request.fireTime === undefined && request.nodeId === undefined)
        throw new ApiError(jobProblems.tooManyRuns, { most: job.maxInstanceNum });
      if (!isTooMany) open.set(job.id, count + 1);
      return [{ ...request, state: isTooMany ? runStates.failed : runStates.waiting }];
    });
    const created = await queryRows<{ id: string; jobInfoId: string; state: number }>(
      db,
      sql`insert into job_instance (tenant_id, job_info_id, state, trigger, expected_time, fire_time, job_params, instance_params, workflow_run_id, node_id, result, end_time)
          select j.tenant_id, j.id, b.state, case when b."fireTime" is null and b."nodeId" is null then ${runTriggers.manual}::integer else ${runTriggers.schedule}::integer end,
            coalesce(to_timestamp(b."fireTime" / 1000), clock_timestamp()), to_timestamp(b."fireTime" / 1000), j.job_params, b."instanceParams", b."workflowRunId", b."nodeId",
            case when b.state = ${runStates.failed} then 'too many instances' end, case when b.state = ${runStates.failed} then clock_timestamp() end
          from jsonb_to_recordset(${JSON.stringify(accepted)}::jsonb) as b("jobInfoId" bigint, "fireTime" float8, "instanceParams" text, "workflowRunId" bigint, "nodeId" text, state integer)
          join job_info j on j.id = b."jobInfoId"
          on conflict do nothing returning id::text as id, job_info_id::text as "jobInfoId", state`,
    );
    await this.dispatch(created.filter(({ state }) => state === runStates.waiting).map((one) => ({ ...one, limits: limits.get(one.jobInfoId) as JobLimits })));
    for (const { id, jobInfoId, state } of created) if (state === runStates.failed) await this.alerts.recordFailure(jobInfoId, id, 'too many instances');
    return created.map(({ id }) => id);
  }

  /** Ends one task if the fencing token is still valid; false when another worker has the task or the run was revoked. */
  async endTask(taskId: string, fence: string, { isSuccess, result }: TaskResult): Promise<boolean> {
    const [task] = await queryRows<{ instanceId: string }>(
      this.db,
      sql`update job_task t set worker = case when is_retried then null else worker end, fence = null, lease_until = null, meant_for = case when kind = 'share' then meant_for end, result = ${result.slice(0, maxResultLength)},
            failures = failures + ${isSuccess ? 0 : 1},
            state = case when is_retried then ${runStates.waiting}::integer else ${isSuccess ? runStates.succeeded : runStates.failed}::integer end,
            ready_time = case when is_retried then clock_timestamp() + make_interval(secs => least(30, 2 ^ t.failures)) else ready_time end
          from (select k.id, ${!isSuccess}::boolean and k.failures < j.task_retry_num as is_retried from job_task k join job_info j on j.id = k.job_info_id where k.id = ${taskId}) ended
          where t.id = ended.id and t.fence = ${fence} and t.state = ${runStates.running} returning t.instance_id::text as "instanceId"`,
    );
    if (!task) return false;
    await this.settle(task.instanceId);
    return true;
  }

  /** Ends a run once all its tasks have ended. */
  async settle(instanceId: string): Promise<void> {
    const { db } = this;
    const [run] = await this.lockOpen([instanceId]);
    if (!run) return;
    const tasks = await queryRows<{ kind: string; state: number; name: string; result: string | null }>(
      db,
      sql`select kind, state, name, result from job_task where instance_id = ${instanceId} order by id`,
    );
    if (tasks.some(({ state }) => state === runStates.waiting || state === runStates.running)) return;
    const failed = tasks.find(({ state }) => state === runStates.failed);
    if (failed) return this.fail(run, failed.result ?? '');
    const parts = tasks.filter(({ kind }) => kind === 'part');
    const last = tasks.find(({ kind }) => kind === 'reduce');
    if (run.executeType === executionTypes.mapReduce && parts.length > 0 && !last) {
      await queryRows(
        db,
        sql`insert into job_task (tenant_id, instance_id, job_info_id, kind, name) select tenant_id, id, job_info_id, 'reduce', 'reduce' from job_instance where id = ${instanceId}`,
      );
      return db.signal(tasksAvailable, '');
    }
    const shares = tasks.filter(({ kind }) => kind === 'share');
    const outcome = shares.length > 1 ? shares.map(({ name, result }) => `${name}: ${result ?? ''}`).join('\n') : ((last ?? tasks[0])?.result ?? '');
    await this.end(run, runStates.succeeded, outcome);
  }

  /** Handles a failed run, which is requeued while its job allows retries. */
  async fail(run: LockedRun, reason: string): Promise<void> {
    if (run.runningTimes <= run.instanceRetryNum) return this.requeue(run, Math.min(30, 2 ** (run.runningTimes - 1)));
    await this.end(run, runStates.failed, reason);
    await this.alerts.recordFailure(run.jobInfoId, run.id, reason);
  }

  /** Stops runs; later reports of their workers are refused. */
  async stop(ids: readonly string[]): Promise<void> {
    await this.lockTasks(ids);
    const runs = await this.lockOpen(ids);
    if (runs.length !== new Set(ids).size) throw new ApiError(jobProblems.notRunning);
    for (const run of runs) await this.end(run, runStates.stopped, '');
  }

  /** Retries runs that failed or were stopped. */
  async retry(ids: readonly string[]): Promise<void> {
    const runs = await queryRows<LockedRun>(
      this.db,
      sql`${selectRun} where i.id = any(${idArray(ids)}) and i.state in (${runStates.failed}, ${runStates.stopped}) for no key update of i`,
    );
    if (runs.length !== new Set(ids).size) throw new ApiError(jobProblems.notRetryable);
    for (const run of runs) await this.requeue(run, 0);
    await this.onRetried(ids);
  }

  /** Locks tasks before the rows of their runs. All code uses this order, which prevents deadlocks. */
  async lockTasks(ids: readonly string[]): Promise<void> {
    await queryRows(
      this.db,
      sql`select from job_task where instance_id = any(${idArray(ids)}) and state in (${stateSql.waiting}, ${stateSql.running}) order by id for update`,
    );
  }

  /** Locks open runs until the transaction ends. */
  lockOpen(ids: readonly string[]): Promise<LockedRun[]> {
    return queryRows<LockedRun>(
      this.db,
      sql`${selectRun} where i.id = any(${idArray(ids)}) and i.state in (${runStates.waiting}, ${runStates.running}) order by i.id for no key update of i`,
    );
  }

  /** Ends a run for good. */
  async end(run: LockedRun, state: number, result: string): Promise<void> {
    const { db } = this;
    const { id, jobInfoId } = run;
    await queryRows(
      db,
      sql`update job_instance set state = ${state}, end_time = clock_timestamp(), result = ${result.slice(0, maxResultLength)},
            duration = least(2147483647, extract(epoch from clock_timestamp() - began_at) * 1000) where id = ${id}`,
    );
    await this.revoke(run);
    await this.onEnded(jobInfoId, id);
  }

  private async requeue(run: LockedRun, afterSeconds: number): Promise<void> {
    const { db } = this;
    const { id, jobInfoId } = run;
    await this.revoke(run);
    await queryRows(db, sql`delete from job_task where instance_id = ${id}`);
    await queryRows(
      db,
      sql`update job_instance set state = ${runStates.waiting}, running_times = running_times + 1, end_time = null, result = null, duration = null, began_at = null, start_time = null,
            stopped_by = null,
            own_workflow_run_id = (select w.id from job_workflow_run w join job_info j on j.workflow_id = w.workflow_id where w.id = own_workflow_run_id and j.id = job_info_id) where id = ${id}`,
    );
    const limits = await this.limitsOf([jobInfoId]);
    await this.dispatch([{ id, limits: limits.get(jobInfoId) as JobLimits }], afterSeconds);
  }

  private async revoke({ id, ownWorkflowRunId }: LockedRun): Promise<void> {
    const { db } = this;
    // This prevents nodes of the workflow run from starting; `WorkflowJobs` stops those that are running.
    if (ownWorkflowRunId !== null)
      await queryRows(
        db,
        sql`update job_workflow_run set state = ${runStates.stopped}, end_time = clock_timestamp() where id = ${ownWorkflowRunId} and state = ${runStates.running}`,
      );
    await queryRows(
      db,
      sql`update job_task set state = ${runStates.stopped}, fence = null, lease_until = null where instance_id = ${id} and state in (${runStates.waiting}, ${runStates.running})`,
    );
    await db.signal(runsRevoked, id);
  }

  /** Creates the tasks of runs: one each, or one per worker for a broadcast. Runs that start a workflow have no tasks; `WorkflowJobs` starts them. */
  private async dispatch(all: readonly { readonly id: string; readonly limits: JobLimits }[], afterSeconds = 0): Promise<void> {
    const runs = all.filter(({ limits }) => !limits.startsWorkflow);
    if (runs.length === 0) return;
    const workers = await liveWorkers(this.db);
    const tasks = runs.flatMap(({ id, limits }) => {
      const candidates = eligibleWorkers(workers, limits);
      if (limits.executeType !== executionTypes.broadcast || candidates.length === 0)
        return [
          {
            id,
            kind: limits.executeType === executionTypes.broadcast ? 'share' : 'root',
            name: 'root',
            meantFor: selectWorker(candidates, limits)?.id ?? null,
          },
        ];
      const selectedWorkers = limits.maxWorkerCount > 0 ? candidates.slice(0, limits.maxWorkerCount) : candidates;
      return selectedWorkers.map((worker) => ({ id, kind: 'share', name: worker.name, meantFor: worker.id }));
    });
    await queryRows(
      this.db,
      sql`insert into job_task (tenant_id, instance_id, job_info_id, kind, name, meant_for, meant_until, ready_time)
          select i.tenant_id, i.id, i.job_info_id, t.kind, t.name, t."meantFor",
            case when t.kind = 'share' then 'infinity' else clock_timestamp() + ${affinityDelay}::interval end, clock_timestamp() + make_interval(secs => ${afterSeconds})
          from jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb) as t(id bigint, kind text, name text, "meantFor" text) join job_instance i on i.id = t.id`,
    );
    await this.db.signal(tasksAvailable, '');
  }

  private async limitsOf(jobIds: readonly string[]): Promise<Map<string, JobLimits>> {
    const found = await queryRows<JobLimits>(
      this.db,
      sql`select j.id::text as id, j.execute_type as "executeType", j.dispatch_strategy as "dispatchStrategy", j.max_instance_num as "maxInstanceNum",
            coalesce(j.designated_workers, '') as "designatedWorkers", j.min_cpu_cores as "minCpuCores", j.min_memory_space as "minMemorySpace",
            j.min_disk_space as "minDiskSpace", j.max_worker_count as "maxWorkerCount", j.workflow_id is not null as "startsWorkflow",
            case when j.max_instance_num > 0 then (select count(*)::integer from job_instance i where i.job_info_id = j.id and i.state in (${stateSql.waiting}, ${stateSql.running})) else 0 end as open
          from job_info j where j.id = any(${idArray(jobIds)})`,
    );
    return new Map(found.map((one) => [one.id, one]));
  }
}

const selectRun = sql`select i.id::text as id, i.job_info_id::text as "jobInfoId", j.execute_type as "executeType", i.running_times as "runningTimes",
  j.instance_retry_num as "instanceRetryNum", i.own_workflow_run_id::text as "ownWorkflowRunId" from job_instance i join job_info j on j.id = i.job_info_id`;
