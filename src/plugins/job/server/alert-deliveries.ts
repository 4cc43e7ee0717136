import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { queryRows, type Repository, type ServerContext } from '#server';
import type { JobInfo } from '../contract.ts';

interface DueAlertDelivery {
  readonly id: string;
  readonly tenantId: string;
  readonly jobInfoId: string;
  readonly instanceId: string;
  readonly channel: 'sms' | 'webhook';
  readonly message: { readonly job: string; readonly reason: string; readonly time: string };
  readonly attempts: number;
}

const batchSize = 20;
const timeoutMs = 10_000;
/** Seconds after which another replica retries a delivery whose replica died. */
const leaseSeconds = 60;
const maxAttempts = 5;
/** Maximum length of one placeholder value that SMS vendors accept. */
const maxParamLength = 35;

/** Sends alerts by SMS and webhook outside transactions, so that slow recipients hold no locks. Delivery is at least once, always with the same idempotency key. */
export class AlertDeliveries {
  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'sms' | 'egress' | 'systemLog'>,
    private readonly jobs: Repository<typeof JobInfo>,
  ) {}

  async send(): Promise<void> {
    const { db } = this.context;
    const due = await db.asPlatform('sends alerts of all tenants', () =>
      queryRows<DueAlertDelivery>(
        db,
        sql`with due as (select id from job_alert_delivery where due_at <= clock_timestamp() order by due_at limit ${batchSize} for update skip locked)
            update job_alert_delivery d set attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}) from due where d.id = due.id
            returning d.id::text as id, d.tenant_id as "tenantId", d.job_info_id::text as "jobInfoId", d.instance_id::text as "instanceId", d.channel, d.message, d.attempts`,
      ),
    );
    await Promise.all(due.map((one) => this.deliver(one)));
  }

  private async deliver(one: DueAlertDelivery): Promise<void> {
    const reason = await (one.channel === 'sms' ? this.sendSms(one) : this.sendWebhook(one)).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (reason === undefined) return this.finish(one, 'info', `alert by ${one.channel}: sent`);
    if (one.attempts >= maxAttempts) return this.finish(one, 'warn', `alert by ${one.channel} given up: ${reason}`);
    const { db } = this.context;
    await db.write({ tenantId: one.tenantId }, () =>
      queryRows(
        db,
        sql`update job_alert_delivery set due_at = clock_timestamp() + make_interval(secs => ${10 * 6 ** (one.attempts - 1)}) where id = ${one.id}`,
      ),
    );
  }

  /** Records the result in the log of the run the alert is about. */
  private async finish({ id, tenantId, instanceId, channel }: DueAlertDelivery, level: 'info' | 'warn', text: string): Promise<void> {
    const { db, systemLog } = this.context;
    if (level === 'warn') systemLog.log({ level, event: 'job:alert-not-sent', data: { instanceId, channel } });
    await db.write({ tenantId }, async () => {
      await queryRows(db, sql`delete from job_alert_delivery where id = ${id}`);
      await queryRows(
        db,
        sql`insert into job_log (tenant_id, instance_id, time, level, text)
            select tenant_id, id, clock_timestamp(), ${level}, ${text.slice(0, 1000)} from job_instance where id = ${instanceId}`,
      );
    });
  }

  private async sendSms({ tenantId, jobInfoId, message }: DueAlertDelivery): Promise<void> {
    const { db, sms } = this.context;
    const found = await db.read({ tenantId }, () =>
      queryRows<{ phone: string; template: string }>(
        db,
        sql`select distinct u.phone, j.alert_sms as template from job_info j join user_account u on u.id::text in (select jsonb_array_elements_text(j.notify_user_ids))
            where j.id = ${jobInfoId} and u.is_deleted = 0 and coalesce(u.phone, '') <> '' and coalesce(j.alert_sms, '') <> ''`,
      ),
    );
    const template = found[0]?.template;
    if (!template) throw new Error('no alert recipient has a phone number');
    const params = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, value.slice(0, maxParamLength) || '-']));
    await sms.notify({ tenantId, template, phones: found.map(({ phone }) => phone), params });
  }

  private async sendWebhook({ id, tenantId, jobInfoId, instanceId, message }: DueAlertDelivery): Promise<void> {
    const { db, egress } = this.context;
    const { url, secret } = await db.read({ tenantId }, async () => ({
      url: (await this.jobs.find({ id: jobInfoId }))?.alertUrl,
      secret: await this.jobs.decrypt(jobInfoId, 'alertSecret'),
    }));
    if (!url || !secret) throw new Error('the address has been removed');
    egress.check(new URL(url));
    const body = JSON.stringify({ event: 'job.failed', id, jobId: jobInfoId, instanceId, ...message });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const { status } = await egress.send(new URL(url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': id,
        'x-marquee-timestamp': timestamp,
        'x-marquee-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
      },
      body,
      timeoutMs,
      maxBytes: 1024,
    });
    if (status < 200 || status > 299) throw new Error(`HTTP ${status}`);
  }
}
