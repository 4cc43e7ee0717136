import { sql } from 'drizzle-orm';
import { type Database, type Delivery, Inbox, idArray, type Live, type Principal, queryRows } from '#server';
import type { InboxKind } from '#shared/inbox';
import type { Language } from '#shared/text';
import { InboxChanged, type InboxCounts, type InboxEntry } from '../contract.ts';

const pageSize = 10;
/** Number of recipients above which one event is sent to all consoles of the tenant instead. */
const maxNotified = 50;

/** The inbox in PostgreSQL. */
export class StoredInbox extends Inbox {
  constructor(
    private readonly db: Database,
    private readonly live: Live,
  ) {
    super();
  }

  override async deliver({ users, tenant, kind, title, body = ['', ''], status, link }: Delivery): Promise<void> {
    const tenantId = tenant ?? this.db.scope?.tenantId;
    if (tenantId === undefined) throw new Error('A notification delivered as the platform must name its tenant.');
    if (users.length === 0) return;
    await this.db.write({ tenantId }, async () => {
      await this.db.sql.execute(sql`
        insert into inbox_message (user_id, kind, title, body, status, link)
        select id, ${kind}, ${JSON.stringify(title)}::jsonb, ${JSON.stringify(body)}::jsonb, ${status ?? null}, ${link ?? null}
        from user_account where id = any(${idArray(users)}) and is_deleted = 0`);
      if (users.length > maxNotified) await this.live.publish(InboxChanged, { kind }, { tenant: tenantId });
      else for (const user of users) await this.live.publish(InboxChanged, { kind }, { user });
    });
  }

  override async markRead({ user, links }: { readonly user: string; readonly links: readonly string[] }): Promise<void> {
    await this.mark({ userId: user }, sql`link in ${links}`);
  }

  /** Returns one page, newest first, in the reader's language. */
  async list({ userId }: Principal, language: Language, { kind, before, size = pageSize }: { kind: InboxKind; before?: string; size?: number }) {
    const languageIndex = language === 'zh' ? 0 : 1;
    const entries = await queryRows<InboxEntry>(
      this.db,
      sql`select id::text as id, kind, title ->> ${languageIndex}::integer as title, body ->> ${languageIndex}::integer as body, status, link, read_at is not null as "isRead", is_sample as "isSample",
            to_char(create_time, 'YYYY-MM-DD HH24:MI:SS') as "createTime"
          from inbox_message
          where user_id = ${userId} and kind = ${kind} and id < ${before ?? '9223372036854775807'}::bigint
          order by id desc limit ${size + 1}`,
    );
    return { entries: entries.slice(0, size), hasMore: entries.length > size };
  }

  async unread({ userId }: Principal): Promise<InboxCounts> {
    const rows = await queryRows<{ kind: InboxKind; count: number }>(
      this.db,
      sql`select kind, count(*)::integer as count from inbox_message where user_id = ${userId} and read_at is null group by kind`,
    );
    return { mail: 0, message: 0, notice: 0, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) };
  }

  /** Marks notifications as read; ignores ids of other users. */
  async read(principal: Principal, ids: readonly string[]): Promise<void> {
    await this.mark(principal, sql`id = any(${idArray(ids)})`);
  }

  async readAll(principal: Principal, kind: InboxKind): Promise<void> {
    await this.mark(principal, sql`kind = ${kind}`);
  }

  async removeSamples({ userId }: Principal): Promise<void> {
    const removed = await queryRows<{ kind: InboxKind }>(this.db, sql`delete from inbox_message where user_id = ${userId} and is_sample returning kind`);
    await this.publishChanges(removed, userId);
  }

  private async mark({ userId }: Pick<Principal, 'userId'>, condition: ReturnType<typeof sql>): Promise<void> {
    const marked = await queryRows<{ kind: InboxKind }>(
      this.db,
      sql`update inbox_message set read_at = now() where user_id = ${userId} and read_at is null and ${condition} returning kind`,
    );
    await this.publishChanges(marked, userId);
  }

  private async publishChanges(changed: readonly { readonly kind: InboxKind }[], user: string): Promise<void> {
    for (const kind of new Set(changed.map((row) => row.kind))) await this.live.publish(InboxChanged, { kind }, { user });
  }
}
