import { type SQL, sql } from 'drizzle-orm';
import { type GaugeHealth, type GaugeSource, queryRows } from '#server';
import { jobInstanceMenu } from '../menus.ts';
import { runStates } from '../run-contract.ts';
import { isNotPaused, type JobPluginContext } from './paused-jobs.ts';
import { stateSql } from './state-sql.ts';

const endStates = { failed: runStates.failed, succeeded: runStates.succeeded, stopped: runStates.stopped } as const;

const lagHealth: GaugeHealth = {
  title: ['作业等待时间', 'Longest wait for a worker'],
  unit: 'seconds',
  limit: {
    above: 300,
    isUrgent: false,
    page: jobInstanceMenu.code,
    text: [
      '有作业已到期但长时间未被执行：请停止占满执行线程的运行，或增加服务器',
      'A run has been due for a long time and no worker takes it. Stop runs that occupy the workers, or add a server.',
    ],
  },
};

const failureHealth: GaugeHealth = {
  title: ['近一小时失败的运行', 'Failed runs in the last hour'],
  labels: { result: 'failed' },
  limit: {
    above: 0,
    isUrgent: false,
    page: jobInstanceMenu.code,
    text: ['近一小时有 {value} 次作业运行失败：请在运行实例中查看原因', 'Runs of jobs that failed in the last hour: {value}. Their details show the reasons.'],
  },
};

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
    {
      name: 'marquee_job_tasks_ready',
      help: 'Tasks of runs that any worker may take and none has taken.',
      health: [{ title: ['等待执行的作业', 'Runs waiting for a worker'] }],
      read: () => ready(sql`count(*)`),
    },
    {
      name: 'marquee_job_lag_seconds',
      help: 'Age of the oldest task that no worker has taken.',
      health: [lagHealth],
      read: () => ready(sql`coalesce(extract(epoch from clock_timestamp() - min(t.ready_time)), 0)`),
    },
    {
      name: 'marquee_job_runs_last_hour',
      help: 'Runs that ended in the last hour, by result.',
      labels: ['result'],
      health: [failureHealth],
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
