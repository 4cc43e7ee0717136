import { type SQL, sql } from 'drizzle-orm';
import { idArray, type MailKind, queryRows, type ServerContext, tableOf } from '#server';
import { Notice, NoticeReleased, newcomerDays, noticeMessages } from '../contract.ts';
import { noticeReadingMenu } from '../menus.ts';

const notices = tableOf(Notice);
const maxBatchSize = 20;
const newRecipientBatchSize = 500;

interface DueNotice {
  readonly id: string;
  readonly tenantId: string;
  readonly title: string;
}

/** Condition that a notice is addressed to a user: through one of its departments or their descendants, or one of its roles. */
export const isAddressedTo = (user: SQL): SQL => sql`(
  ${notices.audience} = 'all'
  or ${notices.audience} = 'departments' and exists (
    select from user_dept ud join dept d on d.id = ud.dept_id and d.is_deleted <> 1
    where ud.user_id = ${user} and jsonb_exists_any(${notices.departments}, string_to_array(d.ancestors, ',') || d.id::text))
  or ${notices.audience} = 'roles' and exists (
    select from user_role ur where ur.user_id = ${user} and jsonb_exists(${notices.roles}, ur.role_id::text)))`;

/** Returns the address at which a notice is read. */
export const linkOf = (id: string): string => `${noticeReadingMenu.path}/index?id=${id}`;

/** Topic of released notices. */
export const noticeMail: MailKind = {
  code: 'notice:released',
  use: 'notification',
  title: ['通知公告', 'Notices'],
  subject: ['通知公告：{title}', 'Notice: {title}'],
  body: [
    ['{title}', '{title}'],
    ['{body}', '{body}'],
  ],
  action: ['查看公告', 'Read the notice'],
  sample: { title: ['国庆放假安排', 'Office closed on National Day'], body: noticeMessages.notification },
};

/** Releases notices when they are due. Each notice is released once across all servers, and each reader is notified once, whenever they join the audience. */
export class Releases {
  constructor(private readonly context: Pick<ServerContext, 'db' | 'inbox' | 'systemLog' | 'emit' | 'parameters'>) {}

  /** Releases due notices that no server is working on, and notifies users who have joined an audience. */
  async tick(): Promise<void> {
    const { db, parameters } = this.context;
    const days = await parameters.integer(newcomerDays);
    await db.asPlatform('publishes due notices of all tenants', async () => {
      for (const due of await this.due(sql`true`)) await this.release(due);
    });
    await db.asPlatform('delivers notices to new recipients of all tenants', () => this.notifyNewRecipients(days));
  }

  /** Notifies current readers of a released notice who were not notified yet. */
  async notifyRemaining(id: string): Promise<void> {
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

  private due(condition: SQL): Promise<DueNotice[]> {
    return queryRows<DueNotice>(
      this.context.db,
      sql`update notice set released_at = date_trunc('second', now())
          where id in (
            select id from notice where released_at is null and is_deleted = 0 and release_time <= now() and ${condition}
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
    const onlyAmong = among ? sql`and u.id = any(${idArray(among)})` : sql``;
    const notifiedUsers = await queryRows<{ id: string }>(
      db,
      sql`insert into notice_told (tenant_id, notice_id, user_id)
          select u.tenant_id, ${notices.id}, u.id from ${notices} join user_account u on u.tenant_id = ${tenantId} and u.is_deleted = 0 ${onlyAmong}
          where ${notices.id} = ${id} and ${isAddressedTo(sql`u.id`)}
          on conflict do nothing returning user_id::text as id`,
    );
    const users = notifiedUsers.map((user) => user.id);
    await inbox.deliver({
      users,
      tenant: tenantId,
      kind: 'notice',
      topic: noticeMail.code,
      title: [title, title],
      body: noticeMessages.notification,
      link: linkOf(id),
    });
    return users.length;
  }

  /** Notifies users who joined an audience of the notices of the last days only; older notices just appear in their list. */
  private async notifyNewRecipients(days: number): Promise<void> {
    const { db } = this.context;
    const newRecipients = await queryRows<{ id: string; tenantId: string }>(
      db,
      sql`delete from notice_newcomer where (tenant_id, user_id) in (
            select tenant_id, user_id from notice_newcomer limit ${newRecipientBatchSize} for update skip locked)
          returning user_id::text as id, tenant_id as "tenantId"`,
    );
    for (const tenantId of new Set(newRecipients.map((newcomer) => newcomer.tenantId))) {
      const users = newRecipients.filter((newcomer) => newcomer.tenantId === tenantId).map(({ id }) => id);
      const recent = await queryRows<DueNotice>(
        db,
        sql`select id::text as id, tenant_id as "tenantId", title from notice
            where tenant_id = ${tenantId} and is_deleted = 0 and released_at > now() - make_interval(days => ${days}) order by released_at`,
      );
      for (const notice of recent) await this.notify(notice, users);
    }
  }
}
