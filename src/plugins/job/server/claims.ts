import { sql } from 'drizzle-orm';
import { idArray, queryRows } from '#server';
import { limitIdleTransactions } from './limit-idle-transactions.ts';
import { isNotPaused, type JobPluginContext } from './paused-jobs.ts';
import { stateSql } from './state-sql.ts';

/** Claimed task with all data the worker needs. */
export interface ClaimedTask {
  readonly taskId: string;
  readonly instanceId: string;
  readonly jobInfoId: string;
  readonly tenantId: string;
  readonly fence: string;
  readonly kind: 'root' | 'share' | 'part' | 'reduce';
  readonly payload: unknown;
  readonly processor: string;
  readonly jobParams: string;
  readonly instanceParams: string;
  readonly logType: number;
  readonly logLevel: number;
}

interface TaskClaim {
  readonly id: string;
  readonly name: string;
  readonly leaseSeconds: number;
  readonly maxTasks: number;
}

interface Candidate {
  readonly id: string;
  readonly instanceId: string;
  readonly concurrency: number;
  readonly inFlight: number;
}

/** Claims waiting tasks that this worker may run, each with its own fencing token. */
export function claimTasks({ db, jobs }: Pick<JobPluginContext, 'db' | 'jobs'>, claimer: TaskClaim): Promise<ClaimedTask[]> {
  return db.asPlatform('workers claim runs of all tenants', async () => {
    await limitIdleTransactions(db);
    const ids = withinRunLimits(await candidates({ db, jobs }, claimer));
    if (ids.length === 0) return [];
    const claims = await queryRows<ClaimedTask>(
      db,
      sql`update job_task t set state = ${stateSql.running}, worker = ${claimer.id}, fence = nextval('job_fence'), lease_until = clock_timestamp() + make_interval(secs => ${claimer.leaseSeconds})
          from job_instance i join job_info j on j.id = i.job_info_id where t.id = any(${idArray(ids)}) and i.id = t.instance_id
          returning t.id::text as "taskId", t.instance_id::text as "instanceId", j.id::text as "jobInfoId", t.tenant_id as "tenantId", t.fence::text as fence, t.kind, t.payload,
            j.processor_info as processor, coalesce(i.job_params, '') as "jobParams", coalesce(i.instance_params, '') as "instanceParams",
            j.log_type as "logType", j.log_level as "logLevel"`,
    );
    await queryRows(
      db,
      sql`update job_instance set state = ${stateSql.running}, worker = ${claimer.name}, began_at = coalesce(began_at, clock_timestamp()), start_time = coalesce(start_time, clock_timestamp())
          where id = any(${idArray(new Set(claims.map(({ instanceId }) => instanceId)))}) and state = ${stateSql.waiting}`,
    );
    return claims;
  });
}

/** Locks tasks this worker may claim, oldest first. A run of which the worker has reached its limit is skipped in favour of other runs. */
function candidates({ db, jobs }: Pick<JobPluginContext, 'db' | 'jobs'>, { id, name, maxTasks }: TaskClaim): Promise<Candidate[]> {
  return queryRows<Candidate>(
    db,
    sql`select t.id::text as id, t.instance_id::text as "instanceId", j.concurrency, h."inFlight"
        from job_task t join job_info j on j.id = t.job_info_id join job_worker w on w.id = ${id}
          cross join lateral (
            select count(*)::integer as "inFlight" from job_task r where r.instance_id = t.instance_id and r.worker = ${id} and r.state = ${stateSql.running}) h
        where t.state = ${stateSql.waiting} and t.ready_time <= clock_timestamp() and ${isNotPaused(jobs, sql`t.tenant_id`, sql`coalesce(j.processor_info, '')`)}
          and (t.meant_for is null or t.meant_for = ${id} or t.meant_until < clock_timestamp())
          and (j.concurrency = 0 or h."inFlight" < j.concurrency)
          and j.min_cpu_cores <= w.cpus and j.min_memory_space <= w.memory and j.min_disk_space <= w.disk
          and (coalesce(j.designated_workers, '') = '' or ${name} = any(regexp_split_to_array(trim(j.designated_workers), '\\s*,\\s*')))
          and (t.kind <> 'part' or j.max_worker_count = 0 or j.max_worker_count > (
            select count(distinct r.worker) from job_task r where r.instance_id = t.instance_id and r.kind = 'part' and r.worker is not null and r.worker <> ${id}))
        order by t.ready_time limit ${maxTasks} for update of t skip locked`,
  );
}

/** Limits the tasks of one run that a worker has in flight to the concurrency of the job. */
function withinRunLimits(found: readonly Candidate[]): string[] {
  const countByRun = new Map<string, number>();
  return found.flatMap(({ id, instanceId, concurrency, inFlight }) => {
    const count = (countByRun.get(instanceId) ?? inFlight) + 1;
    if (concurrency > 0 && count > concurrency) return [];
    countByRun.set(instanceId, count);
    return [id];
  });
}
