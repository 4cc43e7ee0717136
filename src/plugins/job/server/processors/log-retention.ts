import { sql } from 'drizzle-orm';
import * as Type from 'typebox';
import { type Processor, queryRows, type ServerContext } from '#server';
import { Integer, Nullable } from '#shared/fields';

const minDays = 7;
const retentionDays = 180;
const atOnce = 5000;
const monthly = ['api_log', 'error_log', 'usual_log'] as const;
const Days = Type.Object({ days: Nullable(Integer({ title: ['天数', 'Days'], minimum: minDays, maximum: 3650 })) });

/** Deletes logs of all tenants after a number of days: monthly tables are dropped as a whole, sign-ins row by row. */
export const keepLogs = ({ db }: Pick<ServerContext, 'db'>): Processor => ({
  title: ['清理系统日志', 'Log retention'],
  help: [
    '删除指定天数前的接口、错误、通用与登录日志，前三者按整月删除；参数 {"days":180}，不少于 7',
    'Deletes API, error, system and sign-in logs older than this many days (at least 7); the first three by whole months: {"days":180}',
  ],
  platformOnly: true,
  params: Days,
  async run({ params, signal, log }) {
    const days = Number((JSON.parse(params || '{}') as { days?: number }).days ?? retentionDays);
    for (const table of monthly) {
      signal.throwIfAborted();
      const dropped = await db.asPlatform('deletes old logs of all tenants', async () => {
        // Writers of the log must not wait for this job.
        await queryRows(db, sql`set local lock_timeout = '2s'`);
        return queryRows<{ name: string }>(db, sql`select name from drop_old_log(${table}::regclass, ${days}) as name`);
      });
      if (dropped.length > 0) log('info', `dropped ${dropped.map(({ name }) => name).join(', ')}`);
    }
    let count = 0;
    for (let gone = atOnce; gone === atOnce && !signal.aborted; count += gone) {
      const rows = await db.asPlatform('deletes old logs of all tenants', () =>
        queryRows(
          db,
          sql`delete from login_log where id in (select id from login_log where create_time < now() - make_interval(days => ${days}) order by id limit ${atOnce}) returning id`,
        ),
      );
      gone = rows.length;
    }
    log('info', `${count} sign-ins deleted`);
    return String(count);
  },
});
