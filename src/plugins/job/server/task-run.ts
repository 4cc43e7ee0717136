import { sql } from 'drizzle-orm';
import { type JobRun, type MapRun, type Processor, queryRows } from '#server';
import type { ClaimedTask } from './claims.ts';
import { limitIdleTransactions } from './limit-idle-transactions.ts';
import type { JobPluginContext } from './paused-jobs.ts';
import type { RunLog } from './run-log.ts';
import { type TaskResult, tasksAvailable } from './runs.ts';
import { stateSql } from './state-sql.ts';

interface TaskRunDeps extends Pick<JobPluginContext, 'db' | 'jobs'> {
  readonly log: RunLog;
}

/** Thrown when another worker has claimed the task meanwhile, or the run was stopped. */
class RunSuperseded extends Error {
  override readonly name = 'RunSuperseded';
}

/** Runs one task and returns its result; undefined when the task was revoked meanwhile. Never rejects. */
export async function runTask(deps: TaskRunDeps, claim: ClaimedTask, signal: AbortSignal): Promise<TaskResult | undefined> {
  const processor = deps.jobs.of(claim.processor);
  const run = runContextOf(deps, claim, signal);
  try {
    if (!processor) throw new Error(`Processor "${claim.processor}" not found.`);
    const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new RunSuperseded('revoked')), { once: true }));
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

function runContextOf({ db, log }: TaskRunDeps, claim: ClaimedTask, signal: AbortSignal): MapRun {
  const { tenantId, instanceId, taskId, fence } = claim;
  const write: JobRun['write'] = (work) =>
    db.write({ tenantId }, async () => {
      await limitIdleTransactions(db);
      const outcome = await work();
      // Locked last, so that either stopping the run waits for this transaction or this check sees the stop.
      const owned = await queryRows(db, sql`select from job_task where id = ${taskId} and fence = ${fence} and state = ${stateSql.running} for update`);
      if (owned.length === 0) throw new RunSuperseded('the task was claimed by another worker');
      return outcome;
    });
  return {
    tenantId,
    instanceId,
    params: claim.jobParams,
    instanceParams: claim.instanceParams,
    signal,
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
