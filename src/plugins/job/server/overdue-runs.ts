import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';
import { limitIdleTransactions } from './limit-idle-transactions.ts';
import { type JobRuns, tasksAvailable } from './runs.ts';
import { stateSql } from './state-sql.ts';
import { workerTimeout } from './workers.ts';

const batchSize = 200;
/** Number of workers lost while running a task after which the task fails. */
const maxLosses = 3;

/** Handles runs whose worker is gone or whose time limit has passed; runs on every replica. */
export class OverdueRuns {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly runs: JobRuns,
  ) {}

  async tick(): Promise<void> {
    const { db } = this;
    await db.asPlatform('requeues runs of all tenants from lost workers', async () => {
      await limitIdleTransactions(db);
      const lost = await this.requeueLostTasks();
      for (const { instanceId, isFailed } of lost) if (isFailed) await this.runs.settle(instanceId);
      if (lost.length > 0) await db.signal(tasksAvailable, '');
      await queryRows(db, sql`delete from job_worker where seen_at < clock_timestamp() - interval '1 hour'`);
    });
    await db.asPlatform('checks time limits of runs of all tenants', async () => {
      await limitIdleTransactions(db);
      await this.failTimedOut();
    });
  }

  /** Requeues the tasks of lost workers; tasks that only the lost worker could run have failed. */
  private requeueLostTasks(): Promise<{ instanceId: string; isFailed: boolean }[]> {
    return queryRows(
      this.db,
      sql`with lost as (
            select id, kind = 'share' or losses + 1 >= ${maxLosses} as fails from job_task t
            where state = ${stateSql.running} and lease_until < clock_timestamp()
              or state = ${stateSql.waiting} and kind = 'share' and meant_for is not null
                and not exists (select from job_worker w where w.id = t.meant_for and w.seen_at > clock_timestamp() - ${workerTimeout}::interval)
            order by id limit ${batchSize} for update skip locked)
          update job_task t set losses = losses + 1, fence = null, lease_until = null, meant_for = null,
            worker = case when fails then worker end, result = case when fails then 'worker lost' end, state = case when fails then ${stateSql.failed} else ${stateSql.waiting} end
          from lost where t.id = lost.id returning t.instance_id::text as "instanceId", lost.fails as "isFailed"`,
    );
  }

  private async failTimedOut(): Promise<void> {
    const timedOut = await queryRows<{ id: string }>(
      this.db,
      sql`select i.id::text as id from job_instance i join job_info j on j.id = i.job_info_id
          where i.state = ${stateSql.running} and i.engine_instance_id is null and j.instance_time_limit > 0 and i.began_at + make_interval(secs => j.instance_time_limit / 1000.0) < clock_timestamp()
          limit ${batchSize}`,
    );
    const ids = timedOut.map(({ id }) => id);
    await this.runs.lockTasks(ids);
    for (const run of await this.runs.lockOpen(ids)) await this.runs.fail(run, 'time limit exceeded');
  }
}
