import { sql } from 'drizzle-orm';
import { ListExports } from '#plugins/transfers/server-extension';
import { ApiError, Deployment, type Principal, queryRows, type ServerContext } from '#server';
import type { InputOf } from '#shared/contract';
import { problems } from '#shared/errors';
import { type ListState, listAddress } from '#shared/list-address';
import { type Language, type LocalizedText, localize } from '#shared/text';
import { type SavedView, viewsKey } from '#shared/views';
import { emailProblems } from '../contract.ts';
import type { ownEmail, Subscription } from '../own-contract.ts';
import { viewMail, viewStoppedMail } from './kinds.ts';
import type { EmailSettings } from './settings.ts';
import type { StoredMail } from './stored-mail.ts';

const batchSize = 5;
const leaseSeconds = 600;
const maxViews = 20;
const tableRows = 20;
const csvRows = 5000;
const defaultSchedule = { weekday: 1, hour: 9 } as const;

const messages = {
  first: ['以下为前 {rows} 条。', 'The first {rows} are shown.'],
  stopped: ['视图「{view}」不再发送邮件', 'The view “{view}” is no longer mailed'],
  viewGone: ['视图已被删除。', 'The view was deleted.'],
  listGone: ['您已无权查看此列表，或列表已不存在。', 'You can no longer see this list, or it no longer exists.'],
} as const satisfies Record<string, LocalizedText>;

interface DueView {
  readonly id: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly list: string;
  readonly view: string;
  readonly day: string;
}

/** Saved views that their owners get by e-mail every week, each with the permissions and the data scope the owner has at that time. */
export class MailedViews {
  private readonly abort = new AbortController();

  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'find' | 'get' | 'inbox' | 'systemLog'>,
    private readonly settings: EmailSettings,
    private readonly mail: StoredMail,
  ) {}

  /** Lists the caller's subscriptions. */
  async list({ userId }: Principal, language: Language): Promise<Subscription[]> {
    const rows = await queryRows<Omit<Subscription, 'title'>>(
      this.context.db,
      sql`select id::text as id, list, view, weekday, hour from email_view where user_id = ${userId} order by list, view`,
    );
    const exports = this.context.find(ListExports);
    return rows.map((row) => ({ ...row, title: localize(exports?.titleOf(row.list) ?? [row.list, row.list], language) }));
  }

  async subscribe({ userId, tenantId }: Principal, { list, view, ...when }: InputOf<typeof ownEmail.mailView>) {
    const { db } = this.context;
    if (!this.context.find(ListExports)?.titleOf(list) || !(await this.savedView(userId, list, view))) throw new ApiError(problems.notFound);
    if (!(await this.settings.active())) throw new ApiError(emailProblems.notSetUp);
    const [user] = await queryRows<{ email: string }>(db, sql`select coalesce(email, '') as email from user_account where id = ${userId}`);
    if (!user?.email) throw new ApiError(emailProblems.noAddress);
    await db.lock(`mailed views of ${tenantId} ${userId}`);
    const [existing] = await queryRows<{ count: number; weekday: Subscription['weekday'] | null; hour: number | null }>(
      db,
      sql`select count(*)::integer as count, max(weekday) filter (where list = ${list} and view = ${view}) as weekday,
            max(hour) filter (where list = ${list} and view = ${view}) as hour from email_view where user_id = ${userId}`,
    );
    if (existing?.weekday == null && (existing?.count ?? 0) >= maxViews) throw new ApiError(emailProblems.tooManyViews);
    const weekday = when.weekday ?? existing?.weekday ?? defaultSchedule.weekday;
    const hour = when.hour ?? existing?.hour ?? defaultSchedule.hour;
    await queryRows(
      db,
      sql`insert into email_view (user_id, list, view, weekday, hour, next_at)
          values (${userId}, ${list}, ${view}, ${weekday}, ${hour}, ${nextTime(sql`${weekday}::integer`, sql`${hour}::integer`)})
          on conflict (tenant_id, user_id, list, view) do update set weekday = excluded.weekday, hour = excluded.hour, next_at = excluded.next_at, lease_until = null`,
    );
    return { address: user.email, weekday, hour };
  }

  async unsubscribe({ userId }: Principal, { list, view }: { readonly list: string; readonly view: string }): Promise<void> {
    await queryRows(this.context.db, sql`delete from email_view where user_id = ${userId} and list = ${list} and view = ${view}`);
  }

  /** Mails due views. Each is claimed for ten minutes; at most one e-mail is queued for each view and day, even if a server dies in between. */
  async sendDue(): Promise<void> {
    const { db } = this.context;
    const due = await db.asPlatform('mails due views of all tenants', () =>
      queryRows<DueView>(
        db,
        sql`with due as (
              select id from email_view where next_at <= now() and (lease_until is null or lease_until < now()) order by next_at limit ${batchSize} for update skip locked)
            update email_view v set lease_until = now() + make_interval(secs => ${leaseSeconds}) from due where v.id = due.id
            returning v.id::text as id, v.tenant_id as "tenantId", v.user_id::text as "userId", v.list, v.view, to_char(v.next_at, 'YYYY-MM-DD') as day`,
      ),
    );
    for (const one of due) {
      if (this.abort.signal.aborted) return;
      await this.run(one).catch((error: unknown) => this.report(one, error));
    }
  }

  stop(): void {
    this.abort.abort();
  }

  private async run(due: DueView): Promise<void> {
    const { db } = this.context;
    const { tenantId, userId, list, view: name } = due;
    const exports = this.context.find(ListExports);
    const { view, language, isActive } = await db.read({ tenantId }, async () => ({
      view: await this.savedView(userId, list, name),
      language: await this.mail.languageFor(userId),
      isActive: (await this.settings.active()) !== undefined,
    }));
    if (!exports || !isActive) return this.finish(due);
    if (!view) return this.cancel(due, messages.viewGone);
    try {
      const reading = await exports.readList({ tenantId, userId, list, view, language, rows: tableRows, csvRows, signal: this.abort.signal });
      const { title, total, headings, rows, csv } = reading;
      const path = this.pathOf(reading.menu);
      const shown = total > rows.length ? localize(messages.first, language, { rows: rows.length }) : '';
      await db.write({ tenantId }, async () => {
        await this.mail.send({
          kind: viewMail.code,
          to: [userId],
          tenant: tenantId,
          key: `${due.id} ${due.day}`,
          data: { view: name, title, count: total, shown },
          table: { headings, rows },
          ...(path ? { link: listAddress(path, view as ListState) } : {}),
          ...(csv === undefined ? {} : { attachments: [{ name: `${name}.csv`, contentType: 'text/csv; charset=utf-8', text: csv }] }),
        });
        await this.finish(due);
      });
    } catch (error) {
      if (error instanceof ApiError && error.problem.status < 500) return this.cancel(due, messages.listGone);
      throw error;
    }
  }

  private async finish({ id, tenantId }: DueView): Promise<void> {
    const { db } = this.context;
    await db.write({ tenantId }, () =>
      queryRows(db, sql`update email_view set next_at = ${nextTime(sql`weekday`, sql`hour`)}, lease_until = null where id = ${id}`),
    );
  }

  /** Ends a subscription that can no longer be served, and tells its owner why. */
  private async cancel({ id, tenantId, userId, view }: DueView, reason: LocalizedText): Promise<void> {
    const { db, inbox } = this.context;
    await db.write({ tenantId }, async () => {
      await queryRows(db, sql`delete from email_view where id = ${id}`);
      const title = [localize(messages.stopped, 'zh', { view }), localize(messages.stopped, 'en', { view })] as const;
      await inbox.deliver({ users: [userId], tenant: tenantId, kind: 'message', topic: viewStoppedMail.code, title, body: reason });
    });
  }

  private async savedView(userId: string, list: string, name: string): Promise<SavedView | undefined> {
    const [row] = await queryRows<{ view: Partial<SavedView> | null }>(
      this.context.db,
      sql`select (select view from jsonb_array_elements(case when jsonb_typeof(value -> 'views') = 'array' then value -> 'views' else '[]'::jsonb end) view
            where view ->> 'name' = ${name} limit 1) as view
          from user_preference where user_id = ${userId} and key = ${viewsKey(list)}`,
    );
    return row?.view ? { version: 1, filters: {}, conditions: [], columns: [], ...row.view } : undefined;
  }

  private pathOf(code: string): string | undefined {
    const menus = this.context
      .get(Deployment)
      .plugins()
      .flatMap(({ plugin }) => plugin.menus ?? []);
    const found = menus.find((menu) => menu.code === code);
    return found && `${found.path}/index`;
  }

  private report({ id, tenantId }: DueView, error: unknown): void {
    if (this.abort.signal.aborted) return;
    this.context.systemLog.log({ level: 'error', event: 'email:view-failed', data: { view: id, reason: String(error) }, tenant: tenantId });
  }
}

/** Returns the next time of a weekday and an hour after now, in the zone of the deployment. */
const nextTime = (weekday: ReturnType<typeof sql>, hour: ReturnType<typeof sql>) => sql`(
  select min(t) from generate_series(0, 7) as day(n),
    lateral (select date_trunc('day', now()) + make_interval(days => n, hours => ${hour}) as t) candidate
  where t > now() and extract(isodow from t) = ${weekday})`;
