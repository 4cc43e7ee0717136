import { sql } from 'drizzle-orm';
import { rowsOf, type ServerContext } from '#server';
import { jobInstanceMenu } from '../menus.ts';
import { runStates } from '../run-contract.ts';

/** Tells people of jobs that fail: once a job has failed so often within its window, and not again while it is silent. */
export class Alerts {
  constructor(private readonly context: Pick<ServerContext, 'db' | 'inbox'>) {}

  /** A run has failed for good. Part of the transaction under way, which sees all tenants. */
  async failed(jobInfoId: string, instanceId: string, reason: string): Promise<void> {
    const { db, inbox } = this.context;
    const [told] = await rowsOf<{ tenantId: string; jobName: string; users: string[] }>(
      db,
      sql`insert into job_alert (job_info_id, tenant_id, told_at)
          select j.id, j.tenant_id, clock_timestamp() from job_info j
          where j.id = ${jobInfoId} and jsonb_array_length(coalesce(j.notify_user_ids, '[]'::jsonb)) > 0
            and greatest(1, j.alert_threshold) <= (
              select count(*) from job_instance i where i.job_info_id = j.id and i.state = ${runStates.failed}
                and (j.statistic_window_len = 0 or i.end_time > clock_timestamp() - make_interval(secs => j.statistic_window_len)))
          on conflict (job_info_id) do update set told_at = excluded.told_at
            where job_alert.told_at <= clock_timestamp() - make_interval(secs => (select silence_window_len from job_info j where j.id = job_alert.job_info_id))
          returning tenant_id as "tenantId", (select job_name from job_info where id = job_info_id) as "jobName",
            (select notify_user_ids from job_info where id = job_info_id) as users`,
    );
    if (!told) return;
    await inbox.deliver({
      tenant: told.tenantId,
      users: told.users.map(String),
      kind: 'message',
      title: [`任务「${told.jobName}」执行失败`, `The job “${told.jobName}” has failed`],
      ...(reason ? { body: [reason, reason] as const } : {}),
      link: `${jobInstanceMenu.path}/index?id=${instanceId}`,
    });
  }
}
