import { expect, test } from '@rstest/core';
import { jobGauges } from '../../../../src/plugins/job/server/gauges.ts';
import { testServer } from '../../../support/test-server.ts';

test('metrics count work that waits for a worker, without paused jobs, and the runs of the last hour by result', async () => {
  // The server itself takes no work: its tasks would run every half an hour.
  const { db, sql, createTenant } = await testServer({ plugins: ['job'], timeScale: 0.001 });
  const paused = [{ tenantId: null, processor: 'lamp:off' }];
  const read = () =>
    db.asPlatform('reads metrics as the host does', async () => {
      const found = new Map<string, Record<string, number>>();
      for (const gauge of jobGauges({ db, jobs: { paused: () => paused } as never }))
        found.set(gauge.name, Object.fromEntries((await gauge.read()).map(({ labels, value }) => [labels?.result ?? '', Math.round(value)])));
      return Object.fromEntries(found);
    });
  const none = { failed: 0, succeeded: 0, stopped: 0 };
  expect(await read()).toEqual({ marquee_job_tasks_ready: { '': 0 }, marquee_job_lag_seconds: { '': 0 }, marquee_job_runs_last_hour: none });

  await createTenant('asleep');
  await sql("update tenant set status = 0 where tenant_id = 'asleep'");
  const numbers = [
    ...['job_server_id', 'enable', 'time_expression_type', 'misfire', 'execute_type', 'dispatch_strategy', 'processor_type', 'max_instance_num', 'concurrency'],
    ...['instance_time_limit', 'instance_retry_num', 'task_retry_num', 'min_cpu_cores', 'min_memory_space', 'min_disk_space', 'max_worker_count'],
    ...['alert_threshold', 'statistic_window_len', 'silence_window_len', 'log_type', 'log_level'],
  ];
  const addJob = async (tenantId: string, processor: string) => {
    const [job] = await sql(
      `insert into job_info (tenant_id, job_name, processor_info, ${numbers}) values ('${tenantId}', 'x', '${processor}', ${numbers.map(() => 1)}) returning id::text as id`,
    );
    return String(job?.id);
  };
  const addRun = async (tenantId: string, jobId: string, state: number, minutesAgo: number) => {
    const at = `now() - interval '${minutesAgo} minutes'`;
    const [run] = await sql(
      `insert into job_instance (tenant_id, job_info_id, state, trigger, expected_time, end_time) values ('${tenantId}', ${jobId}, ${state}, 1, ${at}, ${at}) returning id::text as id`,
    );
    if (state === 1)
      await sql(
        `insert into job_task (tenant_id, instance_id, job_info_id, kind, name, ready_time) values ('${tenantId}', ${run?.id}, ${jobId}, 'root', 'x', ${at})`,
      );
  };
  const job = await addJob('000000', 'lamp:on');
  for (const minutesAgo of [2, 5, -5]) await addRun('000000', job, 1, minutesAgo);
  await addRun('000000', await addJob('000000', 'lamp:off'), 1, 30);
  await addRun('asleep', await addJob('asleep', 'lamp:on'), 1, 40);
  for (const [state, minutesAgo] of [
    [4, 10],
    [5, 10],
    [5, 50],
    [5, 70],
    [10, 1],
  ] as const)
    await addRun('000000', job, state, minutesAgo);
  const { marquee_job_lag_seconds: lag, ...counts } = await read();
  expect(counts).toEqual({ marquee_job_tasks_ready: { '': 2 }, marquee_job_runs_last_hour: { failed: 1, succeeded: 2, stopped: 1 } });
  expect(Math.round((lag?.[''] ?? 0) / 60)).toBe(5);
});
