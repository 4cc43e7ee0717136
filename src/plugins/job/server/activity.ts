import { sql } from 'drizzle-orm';
import { type Database, idArray, type PluginRoute, platformTenant, queryRows, type Repository, route, type ServerContext, visibleRows } from '#server';
import type { Language } from '#shared/text';
import { type JobActivity, JobInfo, type JobInfoRow, JobInstance, type JobOverview, jobInfo, jobOverview, scheduleTypes } from '../contract.ts';
import { runStates } from '../run-contract.ts';
import { databaseNow, databaseZone, wallTime } from './clock.ts';
import { nextFire } from './fires.ts';
import { jobNameIn } from './job-names.ts';
import { stateSql } from './state-sql.ts';
import { workerTimeout } from './workers.ts';

const ratedRuns = 30;
/** Number of runs whose durations are compared with as many before them. */
const timedRuns = 50;
const maxFires = 10;
const maxRows = 20;
/** Maximum number of jobs that an overview examines, most recently changed first. */
const maxJobs = 500;

const wallText = (column: ReturnType<typeof sql>) => sql`to_char(${column}, 'YYYY-MM-DD HH24:MI:SS')`;
const cronTypes: readonly number[] = [scheduleTypes.cron, scheduleTypes.workflow];

/** Serves the list of jobs with their activity, and the overview of the jobs and runs that the user may see. */
export function activityRoutes({ db }: Pick<ServerContext, 'db'>, jobs: Repository<typeof JobInfo>, maxTasks: number): PluginRoute[] {
  return [
    route(jobInfo.list, async ({ input }) => {
      const { records, ...page } = await jobs.page(input);
      const activities = await activityOf(db, records);
      return { ...page, records: records.map((row, index) => ({ ...row, ...(activities[index] as JobActivity) })) };
    }),
    route(jobOverview, async ({ principal: { tenantId }, language }) => ({
      now: wallTime(await databaseNow(db), await databaseZone(db)),
      nextFires: await nextFires(db, language),
      ...(await rates(db)),
      slowest: await slowest(db, language),
      failing: await failing(db, language),
      ...(await running(db, language)),
      workers: tenantId === platformTenant ? await workers(db, maxTasks) : [],
    })),
  ];
}

/** Returns the activity of jobs in their order, by one statement for all of them. */
async function activityOf(db: Database, rows: readonly JobInfoRow[]): Promise<JobActivity[]> {
  if (rows.length === 0) return [];
  const found = await queryRows<JobActivity & { id: string }>(
    db,
    sql`select j.id::text as id, ${wallText(sql`s.next_fire`)} as "nextFire", last.run as "lastRun", rate.rate
        from unnest(${idArray(rows.map(({ id }) => id))}) as j(id)
        left join job_schedule s on s.job_info_id = j.id
        left join lateral (
          select jsonb_build_object('id', i.id::text, 'state', i.state, 'time', ${wallText(sql`coalesce(i.end_time, i.start_time, i.expected_time)`)}, 'duration', i.duration) as run
          from job_instance i where i.job_info_id = j.id order by i.id desc limit 1) last on true
        cross join lateral (
          select jsonb_build_object('succeeded', count(*) filter (where r.state = ${stateSql.succeeded}), 'failed', count(*) filter (where r.state = ${stateSql.failed})) as rate
          from (select i.state from job_instance i where i.job_info_id = j.id order by i.id desc limit ${ratedRuns}) r) rate`,
  );
  const byId = new Map(found.map(({ id, ...activity }) => [id, activity]));
  const zone = await databaseZone(db);
  const now = await databaseNow(db);
  return rows.map((row) => {
    const activity = byId.get(row.id) ?? { nextFire: null, lastRun: null, rate: { succeeded: 0, failed: 0 } };
    return { ...activity, nextFire: activity.nextFire ?? unscheduledFire(row, now, zone) };
  });
}

/** Returns the next time of an enabled cron job without a schedule row, which PowerJob fires. */
function unscheduledFire(row: JobInfoRow, now: number, zone: string): string | null {
  const isCron = row.enable === 1 && row.timeExpression !== null && cronTypes.includes(row.timeExpressionType) && row.lifecycle === null;
  const next = isCron ? nextFire(row, now, zone) : undefined;
  return next === undefined ? null : wallTime(next, zone);
}

const nextFires = (db: Database, language: Language) =>
  queryRows<JobOverview['nextFires'][number]>(
    db,
    sql`select j.id::text as "jobInfoId", ${jobNameIn(language)} as "jobName", ${wallText(sql`s.next_fire`)} as time, j.time_expression_type = ${scheduleTypes.fixedDelay} as "isEstimate"
        from job_schedule s join job_info j on j.id = s.job_info_id where ${visibleRows(db, JobInfo.name, 'j')} order by s.next_fire limit ${maxFires}`,
  );

/** Counts the results of the last day and the last seven days in one pass over an index. */
async function rates(db: Database): Promise<Pick<JobOverview, 'day' | 'week'>> {
  const counts = await queryRows<{ state: number; day: number; week: number }>(
    db,
    sql`select i.state, count(*) filter (where i.end_time > now() - interval '1 day')::integer as day, count(*)::integer as week
        from job_instance i where i.end_time > now() - interval '7 days' and i.state in (${stateSql.failed}, ${stateSql.succeeded}) and ${visibleRows(db, JobInstance.name, 'i')} group by i.state`,
  );
  const rateOf = (period: 'day' | 'week') => {
    const count = (state: number) => counts.find((row) => row.state === state)?.[period] ?? 0;
    return { succeeded: count(runStates.succeeded), failed: count(runStates.failed) };
  };
  return { day: rateOf('day'), week: rateOf('week') };
}

const slowest = (db: Database, language: Language) =>
  queryRows<JobOverview['slowest'][number]>(
    db,
    sql`select j.id::text as "jobInfoId", ${jobNameIn(language)} as "jobName", p.p95::integer as p95, p.before::integer as before
        from (select j.id, j.job_name, j.job_name_en from job_info j where j.is_deleted = 0 and ${visibleRows(db, JobInfo.name, 'j')} order by j.id desc limit ${maxJobs}) j
        cross join lateral (
          select percentile_disc(0.95) within group (order by r.duration) filter (where r.place <= ${timedRuns}) as p95,
            percentile_disc(0.95) within group (order by r.duration) filter (where r.place > ${timedRuns}) as before
          from (select i.duration, row_number() over (order by i.id desc) as place from job_instance i where i.job_info_id = j.id order by i.id desc limit ${2 * timedRuns}) r
          where r.duration is not null) p
        where p.p95 is not null order by p.p95 desc, j.id limit ${maxFires}`,
  );

const failing = (db: Database, language: Language) =>
  queryRows<JobOverview['failing'][number]>(
    db,
    sql`select j.id::text as "jobInfoId", ${jobNameIn(language)} as "jobName", j.enable = 1 as "isEnabled", l.id::text as "runId", ${wallText(sql`l.end_time`)} as time,
          coalesce(l.result, '') as reason,
          (select coalesce(min(r.place) filter (where r.state <> ${stateSql.failed}) - 1, count(*))::integer
            from (select i.state, row_number() over (order by i.id desc) as place from job_instance i
              where i.job_info_id = j.id and i.state in (${stateSql.failed}, ${stateSql.succeeded}) order by i.id desc limit ${ratedRuns}) r) as failures
        from (select j.id, j.job_name, j.job_name_en, j.enable from job_info j where j.is_deleted = 0 and ${visibleRows(db, JobInfo.name, 'j')} order by j.id desc limit ${maxJobs}) j
        cross join lateral (
          select i.id, i.state, i.end_time, i.result from job_instance i
          where i.job_info_id = j.id and i.state in (${stateSql.failed}, ${stateSql.succeeded}) order by i.id desc limit 1) l
        where l.state = ${stateSql.failed} order by l.end_time desc limit ${maxRows}`,
  );

async function running(db: Database, language: Language): Promise<Pick<JobOverview, 'running' | 'open'>> {
  const isOpen = sql`i.state in (${stateSql.waiting}, ${stateSql.dispatched}, ${stateSql.running}) and ${visibleRows(db, JobInstance.name, 'i')}`;
  const rows = await queryRows<JobOverview['running'][number]>(
    db,
    sql`select i.job_info_id::text as "jobInfoId", coalesce(${jobNameIn(language)}, '') as "jobName", i.id::text as "runId", i.state, ${wallText(sql`coalesce(i.start_time, i.expected_time)`)} as time,
          greatest(0, least(2147483647, extract(epoch from clock_timestamp() - coalesce(i.began_at, i.expected_time)) * 1000))::integer as elapsed, i.worker
        from job_instance i left join job_info j on j.id = i.job_info_id where ${isOpen} order by i.id limit ${maxRows}`,
  );
  const [count] = rows.length < maxRows ? [] : await queryRows<{ open: number }>(db, sql`select count(*)::integer as open from job_instance i where ${isOpen}`);
  return { running: rows, open: count?.open ?? rows.length };
}

/** Returns the servers that run jobs. They belong to no tenant. */
const workers = (db: Database, maxTasks: number) =>
  db.asPlatform('shows the servers that run jobs to the platform', () =>
    queryRows<JobOverview['workers'][number]>(
      db,
      sql`select name, cpus, memory, disk, load as "inFlight", ${maxTasks}::integer as capacity, ${wallText(sql`seen_at`)} as seen
          from job_worker where seen_at > clock_timestamp() - ${workerTimeout}::interval order by name`,
    ),
  );
