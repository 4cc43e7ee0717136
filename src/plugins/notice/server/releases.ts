import { sql } from 'drizzle-orm';
import { idArray, queryRows, type ServerContext, tableOf } from '#server';
import { Notice, NoticeReleased, newcomerDays, noticeMessages } from '../contract.ts';
import { noticeReadingMenu } from '../menus.ts';
import { isFor } from './audience.ts';

const notices = tableOf(Notice);
const maxBatchSize = 20;
const newcomersAtOnce = 500;
/** Users who join an audience are notified of notices released in the last days only; older notices appear in their list. */

interface DueNotice {
  readonly id: string;
  readonly tenantId: string;
  readonly title: string;
}

/** Returns the address at which a notice is read. */
export const linkTo = (id: string): string => `${noticeReadingMenu.path}/index?id=${id}`;

/** Releases notices when they are due. Each notice is released once across all servers, and each reader is notified once, whenever they join the audience. */
export class Releases {
  constructor(private readonly context: Pick<ServerContext, 'db' | 'inbox' | 'systemLog' | 'emit' | 'parameters'>) {}

  /** Releases due notices that no server is working on, and notifies users who have joined an audience. */
  async tick(): Promise<void> {
    const { db, parameters } = this.context;
    const days = await parameters.whole(newcomerDays);
    await db.asPlatform('publishes due notices of all tenants', async () => {
      for (const due of await this.due(sql`true`)) await this.release(due);
    });
    await db.asPlatform('delivers notices to new recipients of all tenants', () => this.tellNewcomers(days));
  }

  /** Notifies current readers of a released notice who were not notified yet. */
  async tellRest(id: string): Promise<void> {
    const [notice] = await queryRows<DueNotice>(
      this.context.db,
      sql`select id::text as id, tenant_id as "tenantId", title from notice where id = ${id} and released_at is not null and is_deleted = 0`,
    );
    if (notice) await this.notify(notice);
  }

  /** Releases this notice if it is due, within the current transaction. */
  async releaseDue(id: string): Promise<void> {
    for (const due of await this.due(sql`id = ${id}`)) await this.release(due);
  }

  private due(which: ReturnType<typeof sql>): Promise<DueNotice[]> {
    return queryRows<DueNotice>(
      this.context.db,
      sql`update notice set released_at = date_trunc('second', now())
          where id in (
            select id from notice where released_at is null and is_deleted = 0 and release_time <= now() and ${which}
            order by release_time limit ${maxBatchSize} for update skip locked)
          returning id::text as id, tenant_id as "tenantId", title`,
    );
  }

  private async release(due: DueNotice): Promise<void> {
    const { db, systemLog, emit } = this.context;
    const { id, tenantId, title } = due;
    const people = await this.notify(due);
    db.afterCommit(() => systemLog.log({ level: 'info', event: NoticeReleased.name, data: { id, title, people }, tenant: tenantId }));
    emit(NoticeReleased, { id });
  }

  /** Notifies readers who were not notified yet, limited to `among` if given. Returns their number. */
  private async notify({ id, tenantId, title }: DueNotice, among: readonly string[] | undefined = undefined): Promise<number> {
    const { db, inbox } = this.context;
    const narrowed = among ? sql`and u.id = any(${idArray(among)})` : sql``;
    const notifiedUsers = await queryRows<{ id: string }>(
      db,
      sql`insert into notice_told (tenant_id, notice_id, user_id)
          select u.tenant_id, ${notices.id}, u.id from ${notices} join user_account u on u.tenant_id = ${tenantId} and u.is_deleted = 0 ${narrowed}
          where ${notices.id} = ${id} and ${isFor(sql`u.id`)}
          on conflict do nothing returning user_id::text as id`,
    );
    const users = notifiedUsers.map((user) => user.id);
    await inbox.deliver({ users, tenant: tenantId, kind: 'notice', title: [title, title], body: noticeMessages.notification, link: linkTo(id) });
    return users.length;
  }

  private async tellNewcomers(days: number): Promise<void> {
    const { db } = this.context;
    const newcomers = await queryRows<{ id: string; tenantId: string }>(
      db,
      sql`delete from notice_newcomer where (tenant_id, user_id) in (
            select tenant_id, user_id from notice_newcomer limit ${newcomersAtOnce} for update skip locked)
          returning user_id::text as id, tenant_id as "tenantId"`,
    );
    for (const tenantId of new Set(newcomers.map((newcomer) => newcomer.tenantId))) {
      const users = newcomers.filter((newcomer) => newcomer.tenantId === tenantId).map(({ id }) => id);
      const recent = await queryRows<DueNotice>(
        db,
        sql`select id::text as id, tenant_id as "tenantId", title from notice
            where tenant_id = ${tenantId} and is_deleted = 0 and released_at > now() - make_interval(days => ${days}) order by released_at`,
      );
      for (const notice of recent) await this.notify(notice, users);
    }
  }
}
