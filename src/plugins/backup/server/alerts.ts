import { hostname } from 'node:os';
import { sql } from 'drizzle-orm';
import { type MailKind, platformTenant, queryRows, type ServerContext } from '#server';
import type { LocalizedText } from '#shared/text';

/** Topic of backups that failed or are incomplete. */
export const backupMail: MailKind = {
  code: 'backup:alert',
  use: 'notification',
  title: ['备份告警', 'Backup alerts'],
  subject: ['{title}', '{title}'],
  body: [
    ['{title}。', '{title}.'],
    ['{body}', '{body}'],
  ],
  sample: { title: ['自动备份失败', 'The scheduled backup failed'], body: 'The disk of /backups is full.' },
};

/** Texts of an alert. */
interface BackupAlert {
  readonly title: LocalizedText;
  readonly body: LocalizedText;
}

/** Describes a backup that was not made. The problem is a sentence in English, as in the log. */
export const failureAlert = (problem: string): BackupAlert => ({
  title: ['自动备份失败', 'The scheduled backup failed'],
  body: [
    `服务器 ${hostname()} 未能完成备份，一小时后重试。原因：${problem}`,
    `The server ${hostname()} could not make the backup and will try again in an hour. Reason: ${problem}`,
  ],
});

/** Describes a backup in which the content of files is missing. */
export const missingFilesAlert = (count: number): BackupAlert => ({
  title: [`自动备份缺少 ${count} 个文件`, `${count} files are missing from the scheduled backup`],
  body: [
    `服务器 ${hostname()} 的 DATA_DIR/files 中没有这些文件的内容，其余数据已备份。系统日志列出了缺少的文件`,
    `DATA_DIR/files on the server ${hostname()} does not contain them. Everything else is backed up. The system log lists the missing files.`,
  ],
});

/** Notifies the administrators of the platform, part of the current transaction. */
export async function alertAdministrators({ db, inbox }: Pick<ServerContext, 'db' | 'inbox'>, alert: BackupAlert): Promise<void> {
  const users = await queryRows<{ id: string }>(
    db,
    sql`select u.id::text as id from user_account u where u.is_deleted = 0 and u.status = 1 and u.tenant_id = ${platformTenant}
          and exists (select from user_role ur join role r on r.id = ur.role_id and r.is_deleted = 0
            where ur.user_id = u.id and r.role_alias = 'administrator')`,
  );
  await inbox.deliver({ ...alert, users: users.map(({ id }) => id), tenant: platformTenant, kind: 'message', topic: backupMail.code });
}
