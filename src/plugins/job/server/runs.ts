import { sql } from 'drizzle-orm';
import { ApiError, idArray, queryRows, type ServerContext } from '#server';
import { executions, jobProblems } from '../contract.ts';
import { runStates, triggers } from '../run-contract.ts';
import type { Alerts } from './alerts.ts';
import { runState } from './states.ts';
import { eligible, liveWorkers, selectWorker, type WorkerRequirements } from './workers.ts';

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
  readonly isDone: boolean;
  readonly result: string;
}

interface JobLimits extends WorkerRequirements {
  readonly id: string;
  readonly executeType: number;
  readonly maxInstanceNum: number;
  readonly startsWorkflow: boolean;
  readonly open: number;
}

interface RunState {
  readonly id: string;
  readonly jobInfoId: string;
  readonly executeType: number;
  readonly runningTimes: number;
  readonly instanceRetryNum: number;
  readonly ownWorkflowRunId: string | null;
}

/** Time in which only the preferred worker may claim a task; after it any worker may. */
const affinityDelay = '2 seconds';
const longestResult = 2000;
/** Channel that notifies workers of waiting tasks. */
export const workWaits = 'job:work-waits';
/** Channel that notifies workers of revoked runs, as comma-separated ids. */
export const runsTaken = 'job:runs-taken';

/** State transitions of runs. All methods take part in the current transaction, which sees all tenants. */
export class Runs {
  /** Called when a run has ended for good. */
  ended: (jobInfoId: string, instanceId: string) => Promise<void> = async () => undefined;
  /** Called when ended runs are retried. */
  retried: (instanceIds: readonly string[]) => Promise<void> = async () => undefined;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly alerts: Alerts,
  ) {}

  /** Creates runs with their tasks; a scheduled time that already has a run gets no second one. Returns the ids. */
  async begin(births: readonly RunRequest[]): Promise<string[]> {
    if (births.length === 0) return [];
    const { db } = this;
    const facts = await this.facts([...new Set(births.map(({ jobInfoId }) => jobInfoId))]);
    const open = new Map([...facts.values()].map(({ id, open: count }) => [id, count]));
    const wanted = births.flatMap((birth) => {
      const job = facts.get(birth.jobInfoId);
      if (!job) return [];
      const count = open.get(job.id) ?? 0;
      const isTooMany = job.maxInstanceNum > 0 && count >= job.maxInstanceNum;
      if (isTooMany && birth.fireTime === undefined && birth.nodeId === undefined) throw new ApiError(jobProblems.tooMany, { most: job.maxInstanceNum });
      if (!isTooMany) open.set(job.id, count + 1);
      return [{ ...birth, state: isTooMany ? runStates.failed : runStates.waiting }];
    });
    const born = await queryRows<{ id: string; jobInfoId: string; state: number }>(
      db,
      sql`insert into job_instance (tenant_id, job_info_id, state, trigger, expected_time, fire_time, job_params, instance_params, workflow_run_id, node_id, result, end_time)
          select j.tenant_id, j.id, b.state, case when b."fireTime" is null and b."nodeId" is null then ${triggers.person}::integer else ${triggers.schedule}::integer end,
            coalesce(to_timestamp(b."fireTime" / 1000), clock_timestamp()), to_timestamp(b."fireTime" / 1000), j.job_params, b."instanceParams", b."workflowRunId", b."nodeId",
            case when b.state = ${runStates.failed} then 'too many instances' end, case when b.state = ${runStates.failed} then clock_timestamp() end
          from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as b("jobInfoId" bigint, "fireTime" float8, "instanceParams" text, "workflowRunId" bigint, "nodeId" text, state integer)
          join job_info j on j.id = b."jobInfoId"
          on conflict do nothing returning id::text as id, job_info_id::text as "jobInfoId", state`,
    );
    await this.dispatch(born.filter(({ state }) => state === runStates.waiting).map((one) => ({ ...one, facts: facts.get(one.jobInfoId) as JobLimits })));
    for (const { id, jobInfoId, state } of born) if (state === runStates.failed) await this.alerts.failed(jobInfoId, id, 'too many instances');
    return born.map(({ id }) => id);
  }

  /** Ends one task if the fencing token is still valid; false when another worker has the task or the run was revoked. */
  async endTask(taskId: string, fence: string, { isDone, result }: TaskResult): Promise<boolean> {
    const [task] = await queryRows<{ instanceId: string }>(
      this.db,
      sql`update job_task t set worker = case when again then null else worker end, fence = null, lease_until = null, meant_for = case when kind = 'share' then meant_for end, result = ${result.slice(0, longestResult)},
            failures = failures + ${isDone ? 0 : 1},
            state = case when again then ${runStates.waiting}::integer else ${isDone ? runStates.succeeded : runStates.failed}::integer end,
            ready_time = case when again then clock_timestamp() + make_interval(secs => least(30, 2 ^ t.failures)) else ready_time end
          from (select k.id, ${!isDone}::boolean and k.failures < j.task_retry_num as again from job_task k join job_info j on j.id = k.job_info_id where k.id = ${taskId}) known
          where t.id = known.id and t.fence = ${fence} and t.state = ${runStates.running} returning t.instance_id::text as "instanceId"`,
    );
    if (!task) return false;
    await this.settle(task.instanceId);
    return true;
  }

  /** Ends a run once all its tasks have ended. */
  async settle(instanceId: string): Promise<void> {
    const { db } = this;
    const [run] = await this.held([instanceId]);
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
    if (run.executeType === executions.mapReduce && parts.length > 0 && !last) {
      await queryRows(
        db,
        sql`insert into job_task (tenant_id, instance_id, job_info_id, kind, name) select tenant_id, id, job_info_id, 'reduce', 'reduce' from job_instance where id = ${instanceId}`,
      );
      return db.signal(workWaits, '');
    }
    const shares = tasks.filter(({ kind }) => kind === 'share');
    const outcome = shares.length > 1 ? shares.map(({ name, result }) => `${name}: ${result ?? ''}`).join('\n') : ((last ?? tasks[0])?.result ?? '');
    await this.end(run, runStates.succeeded, outcome);
  }

  /** Handles a failed run, which is requeued while its job allows retries. */
  async fail(run: RunState, reason: string): Promise<void> {
    if (run.runningTimes <= run.instanceRetryNum) return this.requeue(run, Math.min(30, 2 ** (run.runningTimes - 1)));
    await this.end(run, runStates.failed, reason);
    await this.alerts.failed(run.jobInfoId, run.id, reason);
  }

  /** Stops runs; later reports of their workers are refused. */
  async stop(ids: readonly string[]): Promise<void> {
    await this.holdTasks(ids);
    const runs = await this.held(ids);
    if (runs.length !== new Set(ids).size) throw new ApiError(jobProblems.notRunning);
    for (const run of runs) await this.end(run, runStates.stopped, '');
  }

  /** Retries runs that failed or were stopped. */
  async retry(ids: readonly string[]): Promise<void> {
    const list = `{${ids.join(',')}}`;
    const runs = await queryRows<RunState>(
      this.db,
      sql`${standing} where i.id = any(${list}::bigint[]) and i.state in (${runStates.failed}, ${runStates.stopped}) for no key update of i`,
    );
    if (runs.length !== new Set(ids).size) throw new ApiError(jobProblems.notEnded);
    for (const run of runs) await this.requeue(run, 0);
    await this.retried(ids);
  }

  /** Locks tasks before the rows of their runs. All code uses this order, which prevents deadlocks. */
  async holdTasks(ids: readonly string[]): Promise<void> {
    await queryRows(
      this.db,
      sql`select from job_task where instance_id = any(${idArray(ids)}) and state in (${runState.waiting}, ${runState.running}) order by id for update`,
    );
  }

  /** Locks open runs until the transaction ends. */
  held(ids: readonly string[]): Promise<RunState[]> {
    return queryRows<RunState>(
      this.db,
      sql`${standing} where i.id = any(${idArray(ids)}) and i.state in (${runStates.waiting}, ${runStates.running}) order by i.id for no key update of i`,
    );
  }

  /** Ends a run for good. */
  async end(run: RunState, state: number, result: string): Promise<void> {
    const { db } = this;
    const { id, jobInfoId } = run;
    await queryRows(
      db,
      sql`update job_instance set state = ${state}, end_time = clock_timestamp(), result = ${result.slice(0, longestResult)},
            duration = least(2147483647, extract(epoch from clock_timestamp() - began_at) * 1000) where id = ${id}`,
    );
    await this.revoke(run);
    await this.ended(jobInfoId, id);
  }

  private async requeue(run: RunState, afterSeconds: number): Promise<void> {
    const { db } = this;
    const { id, jobInfoId } = run;
    await this.revoke(run);
    await queryRows(db, sql`delete from job_task where instance_id = ${id}`);
    await queryRows(
      db,
      sql`update job_instance set state = ${runStates.waiting}, running_times = running_times + 1, end_time = null, result = null, duration = null, began_at = null, start_time = null,
            own_workflow_run_id = (select w.id from job_workflow_run w join job_info j on j.workflow_id = w.workflow_id where w.id = own_workflow_run_id and j.id = job_info_id) where id = ${id}`,
    );
    const facts = await this.facts([jobInfoId]);
    await this.dispatch([{ id, facts: facts.get(jobInfoId) as JobLimits }], afterSeconds);
  }

  private async revoke({ id, ownWorkflowRunId }: RunState): Promise<void> {
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
    await db.signal(runsTaken, id);
  }

  /** Creates the tasks of runs: one each, or one per worker for a broadcast. Runs that start a workflow have no tasks; `WorkflowJobs` starts them. */
  private async dispatch(all: readonly { readonly id: string; readonly facts: JobLimits }[], afterSeconds = 0): Promise<void> {
    const runs = all.filter(({ facts }) => !facts.startsWorkflow);
    if (runs.length === 0) return;
    const workers = await liveWorkers(this.db);
    const tasks = runs.flatMap(({ id, facts }) => {
      const able = eligible(workers, facts);
      if (facts.executeType !== executions.broadcast || able.length === 0)
        return [{ id, kind: facts.executeType === executions.broadcast ? 'share' : 'root', name: 'root', meantFor: selectWorker(able, facts)?.id ?? null }];
      const selectedWorkers = facts.maxWorkerCount > 0 ? able.slice(0, facts.maxWorkerCount) : able;
      return selectedWorkers.map((worker) => ({ id, kind: 'share', name: worker.name, meantFor: worker.id }));
    });
    await queryRows(
      this.db,
      sql`insert into job_task (tenant_id, instance_id, job_info_id, kind, name, meant_for, meant_until, ready_time)
          select i.tenant_id, i.id, i.job_info_id, t.kind, t.name, t."meantFor",
            case when t.kind = 'share' then 'infinity' else clock_timestamp() + ${affinityDelay}::interval end, clock_timestamp() + make_interval(secs => ${afterSeconds})
          from jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb) as t(id bigint, kind text, name text, "meantFor" text) join job_instance i on i.id = t.id`,
    );
    await this.db.signal(workWaits, '');
  }

  private async facts(jobIds: readonly string[]): Promise<Map<string, JobLimits>> {
    const found = await queryRows<JobLimits>(
      this.db,
      sql`select j.id::text as id, j.execute_type as "executeType", j.dispatch_strategy as "dispatchStrategy", j.max_instance_num as "maxInstanceNum",
            coalesce(j.designated_workers, '') as "designatedWorkers", j.min_cpu_cores as "minCpuCores", j.min_memory_space as "minMemorySpace",
            j.min_disk_space as "minDiskSpace", j.max_worker_count as "maxWorkerCount", j.workflow_id is not null as "startsWorkflow",
            case when j.max_instance_num > 0 then (select count(*)::integer from job_instance i where i.job_info_id = j.id and i.state in (${runState.waiting}, ${runState.running})) else 0 end as open
          from job_info j where j.id = any(${idArray(jobIds)})`,
    );
    return new Map(found.map((one) => [one.id, one]));
  }
}

const standing = sql`select i.id::text as id, i.job_info_id::text as "jobInfoId", j.execute_type as "executeType", i.running_times as "runningTimes",
  j.instance_retry_num as "instanceRetryNum", i.own_workflow_run_id::text as "ownWorkflowRunId" from job_instance i join job_info j on j.id = i.job_info_id`;
