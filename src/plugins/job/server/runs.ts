import { sql } from 'drizzle-orm';
import { Refusal, rowsOf, type ServerContext } from '#server';
import { executions, jobProblems } from '../contract.ts';
import { runStates, triggers } from '../run-contract.ts';
import type { Alerts } from './alerts.ts';
import { choose, type Demands, eligible, liveWorkers } from './workers.ts';

/** A run that is to be: fired by a schedule, or begun by somebody. */
export interface Birth {
  readonly jobInfoId: string;
  /** Of a schedule: milliseconds since 1970. */
  readonly fireTime?: number;
  readonly instanceParams?: string | null | undefined;
  /** Of a workflow: the run it is part of, and as which node. */
  readonly workflowRunId?: string;
  readonly nodeId?: string;
}

/** What has become of a task. */
export interface Ending {
  readonly isDone: boolean;
  readonly result: string;
}

interface Facts extends Demands {
  readonly id: string;
  readonly executeType: number;
  readonly maxInstanceNum: number;
  readonly startsWorkflow: boolean;
  readonly open: number;
}

interface Standing {
  readonly id: string;
  readonly jobInfoId: string;
  readonly executeType: number;
  readonly runningTimes: number;
  readonly instanceRetryNum: number;
  readonly ownWorkflowRunId: string | null;
}

/** A worker that was chosen is waited for so long; then any may take what was meant for it. */
const courtesy = '2 seconds';
const longestResult = 2000;
/** Workers listen here: something waits. */
export const workWaits = 'job:work-waits';
/** And here: runs that were taken away, as comma text of ids. */
export const runsTaken = 'job:runs-taken';

/** The lives of runs. Everything here is part of the transaction under way, which sees all tenants. */
export class Runs {
  /** Told when a run has ended for good. */
  ended: (jobInfoId: string, instanceId: string) => Promise<void> = async () => undefined;
  /** Told when runs that had ended are tried again. */
  retried: (instanceIds: readonly string[]) => Promise<void> = async () => undefined;

  constructor(
    private readonly db: ServerContext['db'],
    private readonly alerts: Alerts,
  ) {}

  /** Makes runs with what workers are to take up; a moment of a schedule that has its run gets no other. Answers their ids. */
  async begin(births: readonly Birth[]): Promise<string[]> {
    if (births.length === 0) return [];
    const { db } = this;
    const facts = await this.facts([...new Set(births.map(({ jobInfoId }) => jobInfoId))]);
    const open = new Map([...facts.values()].map(({ id, open: count }) => [id, count]));
    const wanted = births.flatMap((birth) => {
      const job = facts.get(birth.jobInfoId);
      if (!job) return [];
      const count = open.get(job.id) ?? 0;
      const isTooMany = job.maxInstanceNum > 0 && count >= job.maxInstanceNum;
      if (isTooMany && birth.fireTime === undefined && birth.nodeId === undefined) throw new Refusal(jobProblems.tooMany, { most: job.maxInstanceNum });
      if (!isTooMany) open.set(job.id, count + 1);
      return [{ ...birth, state: isTooMany ? runStates.failed : runStates.waiting }];
    });
    const born = await rowsOf<{ id: string; jobInfoId: string; state: number }>(
      db,
      sql`insert into job_instance (tenant_id, job_info_id, state, trigger, expected_time, fire_time, job_params, instance_params, workflow_run_id, node_id, result, end_time)
          select j.tenant_id, j.id, b.state, case when b."fireTime" is null and b."nodeId" is null then ${triggers.person}::integer else ${triggers.schedule}::integer end,
            coalesce(to_timestamp(b."fireTime" / 1000), clock_timestamp()), to_timestamp(b."fireTime" / 1000), j.job_params, b."instanceParams", b."workflowRunId", b."nodeId",
            case when b.state = ${runStates.failed} then 'too many instances' end, case when b.state = ${runStates.failed} then clock_timestamp() end
          from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as b("jobInfoId" bigint, "fireTime" float8, "instanceParams" text, "workflowRunId" bigint, "nodeId" text, state integer)
          join job_info j on j.id = b."jobInfoId"
          on conflict do nothing returning id::text as id, job_info_id::text as "jobInfoId", state`,
    );
    await this.giveOut(born.filter(({ state }) => state === runStates.waiting).map((one) => ({ ...one, facts: facts.get(one.jobInfoId) as Facts })));
    for (const { id, jobInfoId, state } of born) if (state === runStates.failed) await this.alerts.failed(jobInfoId, id, 'too many instances');
    return born.map(({ id }) => id);
  }

  /** Ends one task under its fence; false where somebody else holds it by now, or the run was taken away. */
  async endTask(taskId: string, fence: string, { isDone, result }: Ending): Promise<boolean> {
    const [task] = await rowsOf<{ instanceId: string }>(
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

  /** Looks whether a run has come to its end, and to which. */
  async settle(instanceId: string): Promise<void> {
    const { db } = this;
    const [run] = await this.held([instanceId]);
    if (!run) return;
    const tasks = await rowsOf<{ kind: string; state: number; name: string; result: string | null }>(
      db,
      sql`select kind, state, name, result from job_task where instance_id = ${instanceId} order by id`,
    );
    if (tasks.some(({ state }) => state === runStates.waiting || state === runStates.running)) return;
    const failed = tasks.find(({ state }) => state === runStates.failed);
    if (failed) return this.fail(run, failed.result ?? '');
    const parts = tasks.filter(({ kind }) => kind === 'part');
    const last = tasks.find(({ kind }) => kind === 'reduce');
    if (run.executeType === executions.mapReduce && parts.length > 0 && !last) {
      await rowsOf(
        db,
        sql`insert into job_task (tenant_id, instance_id, job_info_id, kind, name) select tenant_id, id, job_info_id, 'reduce', 'reduce' from job_instance where id = ${instanceId}`,
      );
      return db.signal(workWaits, '');
    }
    const shares = tasks.filter(({ kind }) => kind === 'share');
    const outcome = shares.length > 1 ? shares.map(({ name, result }) => `${name}: ${result ?? ''}`).join('\n') : ((last ?? tasks[0])?.result ?? '');
    await this.end(run, runStates.succeeded, outcome);
  }

  /** A run has failed; it begins again where its job says so. */
  async fail(run: Standing, reason: string): Promise<void> {
    if (run.runningTimes <= run.instanceRetryNum) return this.again(run, Math.min(30, 2 ** (run.runningTimes - 1)));
    await this.end(run, runStates.failed, reason);
    await this.alerts.failed(run.jobInfoId, run.id, reason);
  }

  /** Takes runs away from whoever has them; what they go on to report is refused. */
  async stop(ids: readonly string[]): Promise<void> {
    await this.holdTasks(ids);
    const runs = await this.held(ids);
    if (runs.length !== new Set(ids).size) throw new Refusal(jobProblems.notRunning);
    for (const run of runs) await this.end(run, runStates.stopped, '');
  }

  /** Runs once more what has failed or was stopped. */
  async retry(ids: readonly string[]): Promise<void> {
    const list = `{${ids.join(',')}}`;
    const runs = await rowsOf<Standing>(
      this.db,
      sql`${standing} where i.id = any(${list}::bigint[]) and i.state in (${runStates.failed}, ${runStates.stopped}) for no key update of i`,
    );
    if (runs.length !== new Set(ids).size) throw new Refusal(jobProblems.notEnded);
    for (const run of runs) await this.again(run, 0);
    await this.retried(ids);
  }

  /** Tasks are held before their runs are, everywhere: so nobody waits for each other. */
  async holdTasks(ids: readonly string[]): Promise<void> {
    await rowsOf(this.db, sql`select from job_task where instance_id = any(${`{${ids.join(',')}}`}::bigint[]) and state in (1, 3) order by id for update`);
  }

  /** Runs that are open, kept from others until the transaction ends. */
  held(ids: readonly string[]): Promise<Standing[]> {
    return rowsOf<Standing>(
      this.db,
      sql`${standing} where i.id = any(${`{${ids.join(',')}}`}::bigint[]) and i.state in (${runStates.waiting}, ${runStates.running}) order by i.id for no key update of i`,
    );
  }

  /** Ends a run for good. */
  async end(run: Standing, state: number, result: string): Promise<void> {
    const { db } = this;
    const { id, jobInfoId } = run;
    await rowsOf(
      db,
      sql`update job_instance set state = ${state}, end_time = clock_timestamp(), result = ${result.slice(0, longestResult)},
            duration = least(2147483647, extract(epoch from clock_timestamp() - began_at) * 1000) where id = ${id}`,
    );
    await this.takeAway(run);
    await this.ended(jobInfoId, id);
  }

  private async again(run: Standing, afterSeconds: number): Promise<void> {
    const { db } = this;
    const { id, jobInfoId } = run;
    await this.takeAway(run);
    await rowsOf(db, sql`delete from job_task where instance_id = ${id}`);
    await rowsOf(
      db,
      sql`update job_instance set state = ${runStates.waiting}, running_times = running_times + 1, end_time = null, result = null, duration = null, began_at = null, start_time = null,
            own_workflow_run_id = (select w.id from job_workflow_run w join job_info j on j.workflow_id = w.workflow_id where w.id = own_workflow_run_id and j.id = job_info_id) where id = ${id}`,
    );
    const facts = await this.facts([jobInfoId]);
    await this.giveOut([{ id, facts: facts.get(jobInfoId) as Facts }], afterSeconds);
  }

  private async takeAway({ id, ownWorkflowRunId }: Standing): Promise<void> {
    const { db } = this;
    // From now on no node of it begins; those under way are stopped by whoever follows it.
    if (ownWorkflowRunId !== null)
      await rowsOf(
        db,
        sql`update job_workflow_run set state = ${runStates.stopped}, end_time = clock_timestamp() where id = ${ownWorkflowRunId} and state = ${runStates.running}`,
      );
    await rowsOf(
      db,
      sql`update job_task set state = ${runStates.stopped}, fence = null, lease_until = null where instance_id = ${id} and state in (${runStates.waiting}, ${runStates.running})`,
    );
    await db.signal(runsTaken, id);
  }

  /** Lays out what workers take up for each run: one task, or in a broadcast one for each worker. A workflow is begun by whoever follows those. */
  private async giveOut(all: readonly { readonly id: string; readonly facts: Facts }[], afterSeconds = 0): Promise<void> {
    const runs = all.filter(({ facts }) => !facts.startsWorkflow);
    if (runs.length === 0) return;
    const workers = await liveWorkers(this.db);
    const tasks = runs.flatMap(({ id, facts }) => {
      const able = eligible(workers, facts);
      if (facts.executeType !== executions.broadcast || able.length === 0)
        return [{ id, kind: facts.executeType === executions.broadcast ? 'share' : 'root', name: 'root', meantFor: choose(able, facts)?.id ?? null }];
      const told = facts.maxWorkerCount > 0 ? able.slice(0, facts.maxWorkerCount) : able;
      return told.map((worker) => ({ id, kind: 'share', name: worker.name, meantFor: worker.id }));
    });
    await rowsOf(
      this.db,
      sql`insert into job_task (tenant_id, instance_id, job_info_id, kind, name, meant_for, meant_until, ready_time)
          select i.tenant_id, i.id, i.job_info_id, t.kind, t.name, t."meantFor",
            case when t.kind = 'share' then 'infinity' else clock_timestamp() + ${courtesy}::interval end, clock_timestamp() + make_interval(secs => ${afterSeconds})
          from jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb) as t(id bigint, kind text, name text, "meantFor" text) join job_instance i on i.id = t.id`,
    );
    await this.db.signal(workWaits, '');
  }

  private async facts(jobIds: readonly string[]): Promise<Map<string, Facts>> {
    const found = await rowsOf<Facts>(
      this.db,
      sql`select j.id::text as id, j.execute_type as "executeType", j.dispatch_strategy as "dispatchStrategy", j.max_instance_num as "maxInstanceNum",
            coalesce(j.designated_workers, '') as "designatedWorkers", j.min_cpu_cores as "minCpuCores", j.min_memory_space as "minMemorySpace",
            j.min_disk_space as "minDiskSpace", j.max_worker_count as "maxWorkerCount", j.workflow_id is not null as "startsWorkflow",
            case when j.max_instance_num > 0 then (select count(*)::integer from job_instance i where i.job_info_id = j.id and i.state in (1, 3)) else 0 end as open
          from job_info j where j.id = any(${`{${jobIds.join(',')}}`}::bigint[])`,
    );
    return new Map(found.map((one) => [one.id, one]));
  }
}

const standing = sql`select i.id::text as id, i.job_info_id::text as "jobInfoId", j.execute_type as "executeType", i.running_times as "runningTimes",
  j.instance_retry_num as "instanceRetryNum", i.own_workflow_run_id::text as "ownWorkflowRunId" from job_instance i join job_info j on j.id = i.job_info_id`;
