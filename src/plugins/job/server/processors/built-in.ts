import { sql } from 'drizzle-orm';
import * as Type from 'typebox';
import { type Processor, queryRows, type ServerContext } from '#server';
import { Integer, Nullable } from '#shared/fields';
import { runState } from '../states.ts';
import { callHttp } from './http-call.ts';
import { keepLogs } from './log-retention.ts';
import { exportReport } from './report-export.ts';

const Days = Type.Object({ days: Nullable(Integer({ title: ['天数', 'Days'], minimum: 1, maximum: 3650 })) });
const retentionDays = 30;
const atOnce = 1000;
/** Maximum number of tables whose statistics one run refreshes. */
const maxTables = 500;

/** Processors that every deployment has. */
export function builtInProcessors(context: Pick<ServerContext, 'db' | 'egress' | 'inbox' | 'find'>): Record<`job:${string}`, Processor> {
  const { db } = context;

  return {
    'job:http-call': callHttp(context),
    'job:export-report': exportReport(context),
    'job:keep-logs': keepLogs(context),

    'job:clean-runs': {
      title: ['清理运行实例', 'Delete old runs'],
      help: ['删除本租户指定天数前结束的实例及日志，参数 {"days":30}', 'Deletes runs that ended more than this many days ago, with their logs: {"days":30}'],
      params: Days,
      async run({ params, write, signal, log }) {
        const days = Number((JSON.parse(params || '{}') as { days?: number }).days ?? retentionDays);
        let count = 0;
        for (let gone = atOnce; gone === atOnce && !signal.aborted; count += gone) {
          const rows = await write(() =>
            queryRows(
              db,
              sql`delete from job_instance where id in (
                  select id from job_instance where state in (${runState.failed}, ${runState.succeeded}, ${runState.cancelled}, ${runState.stopped}) and end_time < now() - make_interval(days => ${days}) order by id limit ${atOnce}) returning id`,
            ),
          );
          gone = rows.length;
        }
        log('info', `${count} runs deleted`);
        return String(count);
      },
    },

    'job:sql-maintenance': {
      title: ['数据库维护', 'Database maintenance'],
      help: ['更新各表的统计信息', 'Updates the statistics of all tables'],
      platformOnly: true,
      async run({ signal, log }) {
        const tables = await db.asPlatform('statistics belong to tables, not to tenants', () =>
          queryRows<{ name: string }>(
            db,
            sql`select quote_ident(relname) as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by relname limit ${maxTables}`,
          ),
        );
        for (const { name } of tables) {
          if (signal.aborted) break;
          await db.asPlatform('statistics belong to tables, not to tenants', () => queryRows(db, sql.raw(`analyze ${name}`)));
        }
        log('info', `${tables.length} tables analysed`);
        return String(tables.length);
      },
    },
  };
}
