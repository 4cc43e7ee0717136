import { type SQL, sql } from 'drizzle-orm';
import { type GaugeSource, queryRows, type ServerContext } from '#server';
import { runStates } from '../run-contract.ts';
import { stateSql } from './state-sql.ts';

const endStates = { failed: runStates.failed, succeeded: runStates.succeeded, stopped: runStates.stopped } as const;

/** Metrics of the work that waits for a worker, and of the runs that ended in the last hour. */
export function jobGauges({ db }: Pick<ServerContext, 'db'>): GaugeSource[] {
  const ready = async (value: SQL) => {
    const isReady = sql`state = ${stateSql.waiting} and meant_for is null and ready_time <= clock_timestamp()`;
    const rows = await queryRows<{ value: number }>(db, sql`select ${value}::float8 as value from job_task where ${isReady}`);
    return rows.map(({ value }) => ({ value }));
  };
  return [
    { name: 'marquee_job_tasks_ready', help: 'Tasks of runs that any worker may take and none has taken.', read: () => ready(sql`count(*)`) },
    {
      name: 'marquee_job_lag_seconds',
      help: 'Age of the oldest task that no worker has taken.',
      read: () => ready(sql`coalesce(extract(epoch from clock_timestamp() - min(ready_time)), 0)`),
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
