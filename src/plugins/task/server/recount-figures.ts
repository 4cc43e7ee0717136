import { sql } from 'drizzle-orm';
import * as Type from 'typebox';
import { type JobRun, type Processor, queryRows, type ServerContext } from '#server';
import { Integer, Nullable } from '#shared/fields';
import { reviewState } from './states.ts';

type RecountDeps = Pick<ServerContext, 'db'>;

const presetDays = 31;
const Params = Type.Object({ days: Nullable(Integer({ title: ['天数', 'Days'], minimum: 1, maximum: 3650 })) });

interface Correction {
  readonly taskId: string;
  readonly auditorId: string;
  readonly submitted: number;
  readonly approved: number;
  readonly rejected: number;
}

/** Recounts the metrics of each day from the submissions and corrects differences. Each day is a separate task of the run, so that workers share a long period. */
export const recountFigures = ({ db }: RecountDeps): Processor => ({
  title: ['重算任务数据', 'Recount task figures'],
  help: [
    '按天重新统计本租户的提交与审核数并更正差异，执行器类型请选择 MapReduce，各天由多台机器分担；参数 {"days":31}',
    'Recounts submissions and reviews of this tenant day by day and corrects differences. Select MapReduce to spread the days across workers: {"days":31}',
  ],
  params: Params,
  async run({ tenantId, params, map }) {
    const days = Number((JSON.parse(params || '{}') as { days?: number | null }).days ?? presetDays);
    const since = sql`current_date - ${days - 1}::integer`;
    const found = await db.read({ tenantId }, () =>
      queryRows<{ day: string }>(
        db,
        sql`select to_char(day, 'YYYY-MM-DD') as day from (
              select submit_time::date as day from task_submission where submit_time >= ${since} and is_deleted = 0
              union select audit_time::date from task_submission where audit_time >= ${since} and audit_status in (${reviewState.approved}, ${reviewState.rejected}) and is_deleted = 0
              union select day from task_day where day >= ${since}) days order by day`,
      ),
    );
    await map(found.map(({ day }) => ({ name: day, payload: day })));
    return `${found.length} days`;
  },
  async perform(payload, run) {
    const day = String(payload);
    const corrected = await correctDay(db, day, run);
    for (const { taskId, auditorId, ...counts } of corrected) run.log('warn', `${day}: task ${taskId}, auditor ${auditorId}: ${JSON.stringify(counts)}`);
    return String(corrected.length);
  },
  async reduce(outcomes, { log }) {
    const corrected = outcomes.reduce((sum, one) => sum + Number(one), 0);
    log('info', `${outcomes.length} days counted, ${corrected} figures corrected`);
    return `${outcomes.length} days, ${corrected} corrected`;
  },
});

/**
 * Corrects the stored metrics of a day. One statement reads rows and metrics from one snapshot and adds the difference instead of overwriting, so that concurrent changes are
 * kept and do not wait. A lock prevents two recounts of a day from both adding it.
 */
const correctDay = (db: RecountDeps['db'], day: string, { tenantId, write }: Pick<JobRun, 'tenantId' | 'write'>): Promise<Correction[]> =>
  write(async () => {
    await db.lock(`task:recount-figures:${tenantId}:${day}`);
    return queryRows<Correction>(
      db,
      sql`with counts as (
            select task_id, 0::bigint as auditor_id, 1 as submitted, 0 as approved, 0 as rejected from task_submission
            where submit_time >= ${day}::date and submit_time < ${day}::date + 1 and is_deleted = 0
            union all
            select task_id, audit_user, 0, (audit_status = ${reviewState.approved})::integer, (audit_status = ${reviewState.rejected})::integer from task_submission
            where audit_time >= ${day}::date and audit_time < ${day}::date + 1 and audit_status in (${reviewState.approved}, ${reviewState.rejected}) and audit_user is not null and is_deleted = 0
            union all
            select task_id, auditor_id, -submitted, -approved, -rejected from task_day where day = ${day}::date
          ), differences as (
            select task_id, auditor_id, sum(submitted)::integer as submitted, sum(approved)::integer as approved, sum(rejected)::integer as rejected
            from counts group by task_id, auditor_id having sum(submitted) <> 0 or sum(approved) <> 0 or sum(rejected) <> 0
          ), corrected as (
            insert into task_day as stored (day, task_id, auditor_id, submitted, approved, rejected)
            select ${day}::date, task_id, auditor_id, submitted, approved, rejected from differences order by task_id, auditor_id
            on conflict (tenant_id, day, task_id, auditor_id) do update
            set submitted = stored.submitted + excluded.submitted, approved = stored.approved + excluded.approved, rejected = stored.rejected + excluded.rejected)
          select task_id::text as "taskId", auditor_id::text as "auditorId", submitted, approved, rejected from differences order by task_id, auditor_id`,
    );
  });
