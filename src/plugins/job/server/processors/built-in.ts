import { sql } from 'drizzle-orm';
import * as Type from 'typebox';
import { deletionEdge, Evidence, type Processor, queryRows, type ServerContext } from '#server';
import { Integer, Nullable } from '#shared/fields';
import { httpProcessor } from '../../contract.ts';
import { stateSql } from '../state-sql.ts';
import { httpCall } from './http-call.ts';
import { reportExport } from './report-export.ts';
import { sqlStatement } from './sql-statement.ts';

const daysFrom = (minimum: number) => Type.Object({ days: Nullable(Integer({ title: ['天数', 'Days'], minimum, maximum: 3650 })) });
const daysIn = (params: string, otherwise: number) => Number((JSON.parse(params || '{}') as { days?: number | null }).days ?? otherwise);
/** Logs whose tables are partitioned by month; old months are dropped as a whole. */
const monthlyLogs = ['api_log', 'error_log', 'usual_log'] as const;
/** Maximum number of tables whose statistics one run refreshes. */
const maxTables = 500;

/** Processors that every deployment has. */
export function builtInProcessors(context: Pick<ServerContext, 'db' | 'egress' | 'inbox' | 'find' | 'get'>): Record<`job:${string}`, Processor> {
  const { db } = context;

  return {
    [httpProcessor]: httpCall(context),
    'job:sql': sqlStatement(context),
    'job:export-report': reportExport(context),
    'job:keep-logs': logRetention(context),

    'job:clean-runs': {
      title: ['清理运行实例', 'Delete old runs'],
      help: ['删除本租户指定天数前结束的实例及日志，默认 30 天', 'Deletes runs that ended more than this many days ago, with their logs; 30 days by default'],
      params: daysFrom(1),
      async run({ params, write, signal, log }) {
        const days = daysIn(params, 30);
        const count = await deleteInBatches(1000, signal, (limit) =>
          write(() =>
            queryRows(
              db,
              sql`delete from job_instance where id in (
                  select id from job_instance where state in (${stateSql.failed}, ${stateSql.succeeded}, ${stateSql.cancelled}, ${stateSql.stopped}) and end_time < now() - make_interval(days => ${days}) order by id limit ${limit}) returning id`,
            ),
          ),
        );
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

/** Deletes logs of all tenants after a number of days: monthly tables are dropped as a whole, sign-ins row by row. */
const logRetention = ({ db, get }: Pick<ServerContext, 'db' | 'get'>): Processor => ({
  title: ['清理系统日志', 'Log retention'],
  help: [
    '删除指定天数前的接口、错误、通用与登录日志，前三者按整月删除；默认 180 天，不少于 7',
    'Deletes API, error, system and sign-in logs older than this many days (at least 7); the first three by whole months; 180 days by default',
  ],
  platformOnly: true,
  params: daysFrom(7),
  async run({ params, signal, log }) {
    const days = daysIn(params, 180);
    const evidence = get(Evidence);
    const edge = await deletionEdge(db, 'day', days);
    await evidence.recordPurge({ tables: monthlyLogs, before: await deletionEdge(db, 'month', days) });
    await evidence.recordPurge({ tables: ['login_log'], before: edge });
    for (const table of monthlyLogs) {
      signal.throwIfAborted();
      const dropped = await db.asPlatform('deletes old logs of all tenants', async () => {
        // Writers of the log must not wait for this job.
        await queryRows(db, sql`set local lock_timeout = '2s'`);
        return queryRows<{ name: string }>(db, sql`select name from drop_old_log(${table}::regclass, ${days}) as name`);
      });
      if (dropped.length > 0) log('info', `dropped ${dropped.map(({ name }) => name).join(', ')}`);
    }
    const count = await deleteInBatches(5000, signal, (limit) =>
      db.asPlatform('deletes old logs of all tenants', () =>
        queryRows(
          db,
          sql`delete from login_log where id in (select id from login_log where create_time < to_timestamp(${edge / 1000}) order by id limit ${limit}) returning id`,
        ),
      ),
    );
    log('info', `${count} sign-ins deleted`);
    return String(count);
  },
});

/** Deletes batch by batch until one is incomplete or the run is stopped; returns the number of deleted rows. */
async function deleteInBatches(batchSize: number, signal: AbortSignal, deleteBatch: (limit: number) => Promise<readonly object[]>): Promise<number> {
  let count = 0;
  for (let deleted = batchSize; deleted === batchSize && !signal.aborted; count += deleted) deleted = (await deleteBatch(batchSize)).length;
  return count;
}
