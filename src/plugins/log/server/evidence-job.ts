import { sql } from 'drizzle-orm';
import { Evidence, type MailKind, type Processor, platformTenant, queryRows, type ServerContext } from '#server';
import type { LocalizedText } from '#shared/text';

const maxLogged = 20;

/** Topic of lines of logs and money that were changed in the database. */
export const evidenceMail: MailKind = {
  code: 'log:evidence',
  use: 'notification',
  title: ['日志与账目告警', 'Alerts about logs and money'],
  subject: ['{title}', '{title}'],
  body: [
    ['{title}。', '{title}.'],
    ['{body}', '{body}'],
  ],
  sample: { title: ['日志或账目在数据库中被改动', 'Logs or money were changed in the database'], body: '000000 login_log: row 1 was changed' },
};

/** Job that compares logs and money with their seals, and fails and notifies the administrators of the platform if they differ. */
export const evidenceCheck = ({ db, get, inbox, systemLog }: Pick<ServerContext, 'db' | 'get' | 'inbox' | 'systemLog'>): Processor => ({
  title: ['核验日志与账目', 'Verify logs and money'],
  help: [
    '将日志与账目逐条与封存记录比对，被改动、插入或删除的会告警；无参数',
    'Compares each line of logs and money with its seal, and reports those that were edited, inserted or deleted. No parameters',
  ],
  platformOnly: true,
  schedules: [{ key: 'daily', title: ['每日核验日志与账目', 'Daily verification of logs and money'], cron: '0 30 4 * * ?' }],
  async run({ signal, log }) {
    const { rows, differences } = await get(Evidence).verify({ signal });
    if (differences.length === 0) return String(rows);
    for (const difference of differences.slice(0, maxLogged)) log('error', difference);
    systemLog.log({ level: 'error', event: 'log:evidence-differs', data: { count: differences.length, differences: differences.slice(0, maxLogged) } });
    await db.asPlatform('notifies the administrators of the platform', () => alertAdministrators({ db, inbox }, differences));
    throw new Error(`${differences.length} differences: ${differences[0]}`);
  },
});

async function alertAdministrators({ db, inbox }: Pick<ServerContext, 'db' | 'inbox'>, differences: readonly string[]): Promise<void> {
  const users = await queryRows<{ id: string }>(
    db,
    sql`select u.id::text as id from user_account u where u.is_deleted = 0 and u.status = 1 and u.tenant_id = ${platformTenant}
          and exists (select from user_role ur join role r on r.id = ur.role_id and r.is_deleted = 0
            where ur.user_id = u.id and r.role_alias = 'administrator')`,
  );
  const named = differences.slice(0, 5).join('; ');
  const body: LocalizedText = [
    `共 ${differences.length} 处：${named}。请保留数据库现状，并运行 npm run admin -- verify-evidence`,
    `Differences: ${differences.length}. ${named}. Keep the database as it is and run: npm run admin -- verify-evidence`,
  ];
  const title: LocalizedText = ['日志或账目在数据库中被改动', 'Logs or money were changed in the database'];
  await inbox.deliver({ title, body, users: users.map(({ id }) => id), tenant: platformTenant, kind: 'message', topic: evidenceMail.code });
}
