import { and, desc, gte, lt, sql } from 'drizzle-orm';
import { ApiError, idArray, isActive, type PluginRoute, queryRows, type Repository, route, type ServerContext, tableOf } from '#server';
import { localize } from '#shared/text';
import { type JobInfo, type JobInfoRow, jobProblems, scheduleTypes, titleOfJob } from '../contract.ts';
import { JobInstance } from '../run-contract.ts';
import { jobTimeline, maxDays, type TimelineLane } from '../timeline-contract.ts';
import { databaseNow, databaseZone, epochMsOf, wallTime } from './clock.ts';
import { firesBetween } from './fires.ts';

const maxLanes = 200;
const maxRuns = 2000;
const maxFires = 200;
const dayMs = 24 * 3600 * 1000;

const instances = tableOf(JobInstance);

/** Serves past runs and upcoming times, job by job. */
export function timelineRoutes({ db }: Pick<ServerContext, 'db'>, jobs: Repository<typeof JobInfo>): PluginRoute[] {
  /** Returns the latest runs in a period, newest first. */
  const runsBetween = (from: string, to: string) => {
    const { id, jobInfoId, state, expectedTime: time, duration } = instances;
    const where = and(isActive(instances), gte(time, from), lt(time, to));
    return db.sql.select({ id, jobInfoId, state, time, duration }).from(instances).where(where).orderBy(desc(time), desc(id)).limit(maxRuns);
  };

  const dueTimes = async () => {
    const rows = await queryRows<{ id: string; due: number }>(
      db,
      sql`select job_info_id::text as id, (extract(epoch from next_fire) * 1000)::float8 as due from job_schedule`,
    );
    return new Map(rows.map(({ id, due }) => [id, due]));
  };

  return [
    route(jobTimeline, async ({ input, language }) => {
      const zone = await databaseZone(db);
      const now = await databaseNow(db);
      const [from, to] = [epochMsOf(input.from, zone), epochMsOf(input.to, zone)];
      if (!(from < to) || to - from > maxDays * dayMs) throw new ApiError(jobProblems.invalidRange, { days: maxDays }, { field: 'to' });
      const runs = await runsBetween(input.from, input.to);
      const jobIds = new Set(runs.map(({ jobInfoId }) => jobInfoId));
      const rows = await jobs.list(sql`enable = 1 or id = any(${idArray(jobIds)})`);
      const due = await dueTimes();
      const lanes = rows.flatMap((row): TimelineLane[] => {
        const { fires, ...upcoming } = firesOf(row, due.get(row.id), { from: Math.max(from, now), to, now, zone });
        const ownRuns = runs.filter(({ jobInfoId }) => jobInfoId === row.id);
        if (fires.length + ownRuns.length === 0 && !upcoming.dense) return [];
        const times = fires.map((fire) => wallTime(fire, zone));
        return [
          {
            jobInfoId: row.id,
            jobName: localize(titleOfJob(row), language),
            fires: times,
            ...upcoming,
            runs: ownRuns.reverse().map(({ jobInfoId: _, ...run }) => run),
          },
        ];
      });
      return { now: wallTime(now, zone), lanes: lanes.slice(0, maxLanes), isCut: lanes.length > maxLanes || runs.length === maxRuns };
    }),
  ];
}

interface TimelineWindow {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly zone: string;
}

interface Upcoming extends Pick<TimelineLane, 'hasMore' | 'dense' | 'isEstimate'> {
  readonly fires: number[];
}

/** Computes upcoming times. Jobs of PowerJob have no schedule row here, but their cron expressions are evaluated too. */
function firesOf(row: JobInfoRow, due: number | undefined, window: TimelineWindow): Upcoming {
  const isEstimate = row.timeExpressionType === scheduleTypes.fixedDelay;
  if (row.enable !== 1) return { fires: [], hasMore: false, dense: null, isEstimate };
  const [from, until] = row.lifecycle ? row.lifecycle.split(',').map((text) => epochMsOf(text, window.zone)) : [];
  const schedule = { ...row, from, until };
  // The delay of a run in progress starts only when the run ends, so the actual next time is later than this estimate.
  const found = isEstimate
    ? firesBetween({ ...schedule, timeExpressionType: scheduleTypes.fixedRate }, due ?? window.now + Number(row.timeExpression), {
        ...window,
        limit: maxFires + 1,
        isKnown: true,
      })
    : firesBetween(schedule, due ?? window.now, { ...window, limit: maxFires + 1, isKnown: due !== undefined });
  const hasMore = found.length > maxFires;
  const [first = 0, second = 0] = found;
  const isRegular = hasMore && found.every((fire, index) => index === 0 || fire - (found[index - 1] ?? 0) === second - first);
  if (isRegular) return { fires: [], hasMore: false, dense: { from: wallTime(first, window.zone), every: second - first }, isEstimate };
  return { fires: found.slice(0, maxFires), hasMore, dense: null, isEstimate };
}
