import { sql } from 'drizzle-orm';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { type Processor, queryRows, type ServerContext } from '#server';
import { Integer, LongText, Nullable, Select, Url } from '#shared/fields';
import { sendHttp } from '../send-http.ts';
import { stateSql } from '../state-sql.ts';
import { reportExport } from './report-export.ts';

const timeoutMs = 60_000;
const maxBytes = 64 * 1024;
const shownCharacters = 1000;

const Params = Type.Object({
  url: Url({ title: ['地址', 'Address'] }),
  method: Nullable(
    Select({
      title: ['方法', 'Method'],
      options: [
        ['GET', ['GET', 'GET']],
        ['POST', ['POST', 'POST']],
        ['PUT', ['PUT', 'PUT']],
        ['DELETE', ['DELETE', 'DELETE']],
      ],
    }),
  ),
  body: Nullable(LongText({ title: ['内容', 'Body'] })),
});

type HttpCall = Static<typeof Params> & { readonly headers?: Readonly<Record<string, string>> };

/** Calls an address through the egress guard; any status but 2xx is a failure. All attempts of a run carry the same idempotency key, which reveals repetitions. */
const httpCall = ({ egress }: Pick<ServerContext, 'egress'>): Processor => ({
  title: ['HTTP 调用', 'HTTP call'],
  help: [
    '参数为 JSON：{"url":"https://…","method":"POST","headers":{},"body":"…"}；实例参数非空时作为内容',
    'JSON: {"url":"https://…","method":"POST","headers":{},"body":"…"}. Instance parameters, if any, replace the body',
  ],
  params: Params,
  async run(run) {
    const call = JSON.parse(run.params || '{}') as HttpCall;
    const url = new URL(call.url);
    egress.check(url);
    run.log('info', `${call.method ?? 'GET'} ${url.origin}${url.pathname}`);
    const { status, text } = await sendHttp(egress, url, {
      method: call.method ?? 'GET',
      headers: { 'idempotency-key': run.instanceId, ...call.headers },
      body: run.instanceParams || call.body || '',
      signal: run.signal,
      timeoutMs,
      maxBytes: maxBytes,
    });
    run.log('debug', text.slice(0, shownCharacters));
    if (status < 200 || status > 299) throw new Error(`HTTP ${status}: ${text.slice(0, shownCharacters)}`);
    return `HTTP ${status}`;
  },
});

const daysFrom = (minimum: number) => Type.Object({ days: Nullable(Integer({ title: ['天数', 'Days'], minimum, maximum: 3650 })) });
const daysIn = (params: string, otherwise: number) => Number((JSON.parse(params || '{}') as { days?: number | null }).days ?? otherwise);
/** Logs whose tables are partitioned by month; old months are dropped as a whole. */
const monthlyLogs = ['api_log', 'error_log', 'usual_log'] as const;
/** Maximum number of tables whose statistics one run refreshes. */
const maxTables = 500;

/** Processors that every deployment has. */
export function builtInProcessors(context: Pick<ServerContext, 'db' | 'egress' | 'inbox' | 'find'>): Record<`job:${string}`, Processor> {
  const { db } = context;

  return {
    'job:http-call': httpCall(context),
    'job:export-report': reportExport(context),
    'job:keep-logs': logRetention(context),

    'job:clean-runs': {
      title: ['清理运行实例', 'Delete old runs'],
      help: ['删除本租户指定天数前结束的实例及日志，参数 {"days":30}', 'Deletes runs that ended more than this many days ago, with their logs: {"days":30}'],
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
const logRetention = ({ db }: Pick<ServerContext, 'db'>): Processor => ({
  title: ['清理系统日志', 'Log retention'],
  help: [
    '删除指定天数前的接口、错误、通用与登录日志，前三者按整月删除；参数 {"days":180}，不少于 7',
    'Deletes API, error, system and sign-in logs older than this many days (at least 7); the first three by whole months: {"days":180}',
  ],
  platformOnly: true,
  params: daysFrom(7),
  async run({ params, signal, log }) {
    const days = daysIn(params, 180);
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
          sql`delete from login_log where id in (select id from login_log where create_time < now() - make_interval(days => ${days}) order by id limit ${limit}) returning id`,
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
