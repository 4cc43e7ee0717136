import { sql } from 'drizzle-orm';
import { actingAs, FigureSources, type Principal, Principals, queryRows, type ServerContext } from '#server';
import type { WaitingFigure } from '#shared/figures';
import { type LocalizedText, localize } from '#shared/text';
import { digestHour, isDigestSent } from '../contract.ts';
import { channelsPreference } from '../own-contract.ts';
import { pendingWorkMail } from './kinds.ts';
import type { StoredMail } from './stored-mail.ts';

const leaseSeconds = 1800;
const homePath = '/wel/index';
const headings: readonly LocalizedText[] = [
  ['事项', 'Item'],
  ['数量', 'Count'],
];

/** Reminders of pending work: on weekdays, each user with work that waits for their decision gets its numbers, counted with their permissions and data scope. */
export class PendingWorkDigest {
  private isStopped = false;

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'get' | 'parameters' | 'systemLog'>,
    private readonly mail: StoredMail,
  ) {}

  /** Queues the reminders of today for each tenant that sends e-mail; a day begun by a server that died is continued, and no user is reminded twice. */
  async sendDue(): Promise<void> {
    const { db, parameters } = this.context;
    if (!(await parameters.flag(isDigestSent))) return;
    const hour = await parameters.integer(digestHour);
    const due = await db.asPlatform('reminds users of all tenants of pending work', () =>
      queryRows<{ tenantId: string; day: string }>(
        db,
        sql`insert into email_digest (tenant_id, day, lease_until)
            select tenant_id, current_date, now() + make_interval(secs => ${leaseSeconds}) from email_server
            where is_enabled and is_deleted = 0 and extract(isodow from now()) < 6 and extract(hour from now()) >= ${hour} and create_time < current_date + make_interval(hours => ${hour})
            on conflict (tenant_id, day) do update set lease_until = excluded.lease_until where email_digest.lease_until < now()
            returning tenant_id as "tenantId", to_char(day, 'YYYY-MM-DD') as day`,
      ),
    );
    for (const { tenantId, day } of due) await this.remind(tenantId, day);
  }

  stop(): void {
    this.isStopped = true;
  }

  private async remind(tenantId: string, day: string): Promise<void> {
    const { db } = this.context;
    const users = await db.read({ tenantId }, () =>
      queryRows<{ id: string }>(
        db,
        sql`select u.id::text as id from user_account u
            left join user_preference c on c.user_id = u.id and c.key = ${channelsPreference.key} and c.version = ${channelsPreference.version}
            where u.is_deleted = 0 and u.status = 1 and coalesce(u.email, '') <> '' and coalesce(c.value -> ${pendingWorkMail.code}::text ->> 'mail', 'true') <> 'false'
            order by u.id`,
      ),
    );
    for (const { id } of users) {
      if (this.isStopped) return;
      await this.remindUser(tenantId, id, day).catch((error: unknown) =>
        this.context.systemLog.log({ level: 'error', event: 'email:reminder-failed', data: { user: id, reason: String(error) }, tenant: tenantId }),
      );
    }
    await db.write({ tenantId }, () => queryRows(db, sql`update email_digest set lease_until = null where day = ${day}::date`));
  }

  private async remindUser(tenantId: string, userId: string, day: string): Promise<void> {
    const { db, get } = this.context;
    const principal = await get(Principals).find(tenantId, userId);
    if (!principal) return;
    const waiting = await this.waitingFor(principal);
    if (waiting.length === 0) return;
    const language = await db.read({ tenantId }, () => this.mail.languageFor(userId));
    const rows = waiting.map(({ title, count }) => [localize(title, language), String(count)]);
    const count = waiting.reduce((sum, one) => sum + one.count, 0);
    await this.mail.send({
      kind: pendingWorkMail.code,
      to: [userId],
      tenant: tenantId,
      key: day,
      data: { count },
      link: homePath,
      table: { headings: headings.map((heading) => localize(heading, language)), rows },
    });
  }

  /** Reads the pending work that the home page shows this user. */
  private async waitingFor(principal: Principal): Promise<WaitingFigure[]> {
    const { db, get } = this.context;
    const sources = get(FigureSources)
      .all()
      .filter(({ code }) => principal.codes.has(code));
    const found: WaitingFigure[] = [];
    for (const source of sources) {
      const { waiting = [] } = await actingAs(principal, () => db.read({ tenantId: principal.tenantId }, () => source.read({ days: 1 })));
      found.push(...waiting.filter(({ count }) => count > 0));
    }
    return found;
  }
}
