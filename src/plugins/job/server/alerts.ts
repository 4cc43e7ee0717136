import { sql } from 'drizzle-orm';
import { type MailKind, queryRows, type ServerContext, type SmsTemplate } from '#server';
import { titleOfJob } from '../contract.ts';
import { jobInstanceMenu } from '../menus.ts';
import { runStates } from '../run-contract.ts';

interface AlertRecipients {
  readonly tenantId: string;
  readonly jobName: string;
  readonly jobNameEn: string | null;
  readonly users: readonly string[];
}

/** Topic of alerts: runs that failed or exceeded their time limit. */
export const alertMail: MailKind = {
  code: 'job:alert',
  use: 'notification',
  title: ['作业告警', 'Job alerts'],
  subject: ['{title}', '{title}'],
  body: [
    ['{title}。', '{title}.'],
    ['原因：{body}', 'Reason: {body}'],
  ],
  action: ['查看执行记录', 'Open the run'],
  sample: { title: ['作业「对账」执行失败', 'Job “Reconciliation” failed'], body: 'time limit exceeded' },
};

/** Sends alerts for failing jobs once they reach the threshold within the window, and not again during the cooldown. */
export class Alerts {
  constructor(private readonly context: Pick<ServerContext, 'db' | 'inbox'>) {}

  /** Records the final failure of a run. Call within a transaction that sees all tenants. */
  async recordFailure(jobInfoId: string, instanceId: string, reason: string): Promise<void> {
    const { db, inbox } = this.context;
    const [recipients] = await queryRows<AlertRecipients>(
      db,
      sql`insert into job_alert (job_info_id, tenant_id, told_at)
          select j.id, j.tenant_id, clock_timestamp() from job_info j
          where j.id = ${jobInfoId} and (jsonb_array_length(coalesce(j.notify_user_ids, '[]'::jsonb)) > 0 or coalesce(j.alert_url, '') <> '')
            and greatest(1, j.alert_threshold) <= (
              select count(*) from job_instance i where i.job_info_id = j.id and i.state = ${runStates.failed}
                and (j.statistic_window_len = 0 or i.end_time > clock_timestamp() - make_interval(secs => j.statistic_window_len)))
          on conflict (job_info_id, tenant_id) do update set told_at = excluded.told_at
            where job_alert.told_at <= clock_timestamp() - make_interval(secs => (select silence_window_len from job_info j where j.id = job_alert.job_info_id))
          returning tenant_id as "tenantId", (select job_name from job_info where id = job_info_id) as "jobName",
            (select job_name_en from job_info where id = job_info_id) as "jobNameEn",
            (select coalesce(notify_user_ids, '[]'::jsonb) from job_info where id = job_info_id) as users`,
    );
    if (!recipients) return;
    const { tenantId: tenant } = recipients;
    const [name, englishName] = titleOfJob(recipients);
    if (recipients.users.length > 0)
      await inbox.deliver({
        tenant,
        users: recipients.users.map(String),
        kind: 'message',
        topic: alertMail.code,
        title: [`作业「${name}」执行失败`, `Job “${englishName}” failed`],
        ...(reason ? { body: [reason, reason] as const } : {}),
        link: `${jobInstanceMenu.path}/index?id=${instanceId}`,
      });
    await this.queue(jobInfoId, instanceId, reason);
  }

  /** Queues SMS and webhook alerts, which are sent after the commit and outside quiet hours. */
  private async queue(jobInfoId: string, instanceId: string, reason: string): Promise<void> {
    await queryRows(
      this.context.db,
      sql`insert into job_alert_delivery (tenant_id, job_info_id, instance_id, channel, message, due_at)
          select j.tenant_id, j.id, ${instanceId}::bigint, c.channel,
            jsonb_build_object('job', j.job_name, 'reason', ${reason}::text, 'time', to_char(here, 'YYYY-MM-DD HH24:MI:SS')),
            case when j.alert_quiet is null or not case when quiet_from <= quiet_to then here::time >= quiet_from and here::time < quiet_to
                else here::time >= quiet_from or here::time < quiet_to end then clock_timestamp()
              else (here::date + quiet_to + case when here::time >= quiet_to then interval '1 day' else interval '0' end)::timestamptz end
          from job_info j
          cross join lateral (select clock_timestamp()::timestamp as here, split_part(j.alert_quiet, '-', 1)::time as quiet_from, split_part(j.alert_quiet, '-', 2)::time as quiet_to) clock
          cross join lateral (select 'sms' as channel where coalesce(j.alert_sms, '') <> '' and jsonb_array_length(coalesce(j.notify_user_ids, '[]'::jsonb)) > 0
            union all select 'webhook' where coalesce(j.alert_url, '') <> '') c
          where j.id = ${jobInfoId}`,
    );
  }
}

const alertVariables: ReadonlySet<string> = new Set(['job', 'reason', 'time']);

/** Returns the tenant's SMS templates whose placeholders an alert can fill. */
export async function alertTemplates(sms: ServerContext['sms'], tenantId: string): Promise<SmsTemplate[]> {
  return (await sms.templates(tenantId)).filter(({ params }) => params.every((name) => alertVariables.has(name)));
}
