import { sql } from 'drizzle-orm';
import { certificateItem, type GaugeSource, type HealthSource, queryRows, type ServerContext } from '#server';
import { emailMenu, emailMessageMenu } from '../menus.ts';

/** Metrics of e-mails that are due; the lease of one that is being sent is in the future. */
export const emailGauges = ({ db }: Pick<ServerContext, 'db'>): GaugeSource[] => [
  {
    name: 'marquee_emails_waiting',
    help: 'E-mails that are due and wait for their server.',
    health: [{ title: ['待发送的邮件', 'E-mails waiting'] }],
    read: () => queryRows<{ value: number }>(db, sql`select count(*)::float8 as value from email_message where state in (0, 1) and due_at <= now()`),
  },
  {
    name: 'marquee_email_lag_seconds',
    help: 'Age of the e-mail that is longest overdue.',
    health: [
      {
        title: ['邮件滞后', 'Delay of e-mails'],
        unit: 'seconds',
        limit: {
          above: 900,
          isUrgent: false,
          page: emailMessageMenu.code,
          text: ['有邮件长时间未发出：请查看邮件发送记录中的失败原因', 'E-mails have been due for long. The e-mail log shows the errors of their server.'],
        },
      },
    ],
    read: () =>
      queryRows<{ value: number }>(
        db,
        sql`select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as value from email_message where state in (0, 1) and due_at <= now()`,
      ),
  },
];

/** Certificates of internal authorities that tenants have entered for their SMTP servers. */
const mailCertificates = ({ db }: Pick<ServerContext, 'db'>): HealthSource => ({
  section: 'certificates',
  async read() {
    const rows = await db.asPlatform('reads the certificates of all mail servers', () =>
      queryRows<{ tenantId: string; host: string; pem: string }>(
        db,
        sql`select tenant_id as "tenantId", host, ca_certificate as pem from email_server
            where is_enabled and is_deleted = 0 and coalesce(ca_certificate, '') <> '' order by tenant_id limit 200`,
      ),
    );
    return rows.flatMap(
      ({ tenantId, host, pem }) =>
        certificateItem(
          { id: `email:${tenantId}`, title: [`邮件服务器 ${host} 的 CA（租户 ${tenantId}）`, `CA of ${host} (tenant ${tenantId})`], page: emailMenu.code },
          pem,
        ) ?? [],
    );
  },
});

/** Contributions of the plugin to metrics and to the health screen. */
export const emailHealth = (context: Pick<ServerContext, 'db'>) => ({ gauges: emailGauges(context), health: [mailCertificates(context)] });
