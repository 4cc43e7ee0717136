import { type SQL, sql } from 'drizzle-orm';
import { type GaugeSource, queryRows } from '#server';
import { runStates } from '../run-contract.ts';
import { isNotPaused, type JobPluginContext } from './paused-jobs.ts';
import { stateSql } from './state-sql.ts';

const endStates = { failed: runStates.failed, succeeded: runStates.succeeded, stopped: runStates.stopped } as const;

/** Metrics of the work that waits for a worker, without paused jobs, and of the runs that ended in the last hour. */
export function jobGauges({ db, jobs }: Pick<JobPluginContext, 'db' | 'jobs'>): GaugeSource[] {
  const ready = async (value: SQL) => {
    const rows = await queryRows<{ value: number }>(
      db,
      sql`select ${value}::float8 as value from job_task t join job_info j on j.id = t.job_info_id
          where t.state = ${stateSql.waiting} and t.meant_for is null and t.ready_time <= clock_timestamp()
            and ${isNotPaused(jobs, sql`t.tenant_id`, sql`coalesce(j.processor_info, '')`)}`,
    );
    return rows.map(({ value }) => ({ value }));
  };
  return [
    { name: 'marquee_job_tasks_ready', help: 'Tasks of runs that any worker may take and none has taken.', read: () => ready(sql`count(*)`) },
    {
      name: 'marquee_job_lag_seconds',
      help: 'Age of the oldest task that no worker has taken.',
      read: () => ready(sql`coalesce(extract(epoch from clock_timestamp() - min(t.ready_time)), 0)`),
    },
    {
      name: 'marquee_job_runs_last_hour',
      help: 'Runs that ended in the last hour, by result.',
      labels: ['result'],
      read: async () => {
        const rows = await queryRows<{ state: number; count: number }>(
          db,
          sql`select state, count(*)::integer as count from job_instance
              where state in (${stateSql.failed}, ${stateSql.succeeded}, ${stateSql.stopped}) and end_time > now() - interval '1 hour' group by state`,
        );
        return Object.entries(endStates).map(([result, state]) => ({ labels: { result }, value: rows.find((row) => row.state === state)?.count ?? 0 }));
      },
    },
  ];
}
