import { sql } from 'drizzle-orm';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { type Processor, queryRows, type ServerContext } from '#server';
import { Code, Integer, Nullable, Select } from '#shared/fields';
import { sqlPermission } from '../../menus.ts';
import { validateStatement } from './sql-guard.ts';

const presetSeconds = 30;
const maxSeconds = 300;
const presetRows = 20;
const maxRows = 200;
const shownCharacters = 1000;

const Params = Type.Object({
  statement: Code({
    title: ['SQL 语句', 'SQL statement'],
    language: 'sql',
    maxLength: 10_000,
    help: ['一条 select、insert、update 或 delete，仅能访问本租户的数据', 'One select, insert, update or delete. It can only access the data of this tenant'],
  }),
  mode: Nullable(
    Select({
      title: ['方式', 'Mode'],
      options: [
        ['read', ['只读', 'Read only']],
        ['write', ['读写', 'Read and write']],
      ],
      default: 'read',
    }),
  ),
  timeoutSeconds: Nullable(Integer({ title: ['超时', 'Time-out'], minimum: 1, maximum: maxSeconds, unit: ['秒', 's'], default: presetSeconds })),
  maxRows: Nullable(
    Integer({
      title: ['记录行数', 'Logged rows'],
      minimum: 1,
      maximum: maxRows,
      default: presetRows,
      help: ['写入运行日志的结果行数', 'Rows of the result that are written to the run log'],
    }),
  ),
});

/** Runs one statement as the role of the tenant, under row level security, and writes the first rows of its result to the log. */
export const sqlStatement = ({ db }: Pick<ServerContext, 'db'>): Processor => ({
  title: ['SQL 语句', 'SQL statement'],
  help: ['按计划在本租户的数据上执行一条语句', 'Runs one statement on the data of this tenant'],
  params: Params,
  permission: sqlPermission,
  validate: (params) => void validateStatement((JSON.parse(params) as Static<typeof Params>).statement),
  async run({ params, tenantId, log, write }) {
    const { statement, mode, timeoutSeconds, maxRows: limit } = JSON.parse(params) as Static<typeof Params>;
    const text = validateStatement(statement);
    const timeoutMs = (timeoutSeconds ?? presetSeconds) * 1000;
    const isWriting = mode === 'write';
    const limitTime = async () => {
      await queryRows(db, sql`select set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('lock_timeout', ${String(timeoutMs)}, true)`);
      if (!isWriting) await queryRows(db, sql`select set_config('transaction_read_only', 'on', true)`);
    };
    if (isWriting && !/^(select|values)\b/i.test(text)) {
      const changed = await write(async () => {
        await limitTime();
        return queryRows<{ count: number }>(db, sql`with changed as (${sql.raw(text)} returning 1) select count(*)::integer as count from changed`);
      });
      const count = changed[0]?.count ?? 0;
      log('info', `${count} rows changed`);
      return `${count} rows changed`;
    }
    const shown = limit ?? presetRows;
    const rows = await db.write({ tenantId }, async () => {
      await limitTime();
      // A row beyond the limit tells that there are more.
      return queryRows<{ row: unknown }>(db, sql`select to_jsonb(found) as row from (${sql.raw(text)}) found limit ${shown + 1}`);
    });
    for (const { row } of rows.slice(0, shown)) log('info', JSON.stringify(row).slice(0, shownCharacters));
    return rows.length > shown ? `more than ${shown} rows` : `${rows.length} rows`;
  },
});
