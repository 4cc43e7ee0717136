import { Cron } from 'croner';
import { isCron, isQuartz } from '#shared/cron';
import { scheduleTypes } from '../contract.ts';

/** Schedule of a job. */
export interface Schedule {
  readonly timeExpressionType: number;
  readonly timeExpression: string | null;
  /** Time window of the schedule in milliseconds since 1970; open ends are undefined. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** Shortest period of a schedule in milliseconds. */
export const shortestPeriod = 1000;
/** Longest period of a schedule, 31 days. */
export const longestPeriod = 31 * 24 * 60 * 60 * 1000;
/** Schedule types that use a cron expression; for a workflow it is optional. */
const cronTypes: readonly number[] = [scheduleTypes.cron, scheduleTypes.workflow];
/** Maximum number of missed times that are returned one by one. */
const maxMissed = 1000;

/** Parses the cron expression of a job in a time zone; undefined when it is invalid. */
export function cronOf(expression: string, timezone: string): Cron | undefined {
  if (!isCron(expression)) return undefined;
  try {
    return new Cron(expression, { paused: true, sloppyRanges: true, alternativeWeekdays: isQuartz(expression), timezone });
  } catch {
    return undefined;
  }
}

/** Returns the first time after `after` at which a job is due; undefined when there is none. */
export function nextFire(timing: Schedule, after: number, zone: string): number | undefined {
  const { timeExpressionType, timeExpression, from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = timing;
  const start = Math.max(after, from - 1);
  const next = cronTypes.includes(timeExpressionType)
    ? cronOf(timeExpression ?? '', zone)
        ?.nextRun(new Date(start))
        ?.getTime()
    : nextPeriodic(timing, start);
  return next === undefined || next > until ? undefined : next;
}

function nextPeriodic({ timeExpressionType, timeExpression, from }: Schedule, start: number): number | undefined {
  const isPeriodic = timeExpressionType === scheduleTypes.fixedRate || timeExpressionType === scheduleTypes.fixedDelay;
  if (!isPeriodic) return undefined;
  // A schedule with a start time is first due at that time.
  return from !== undefined && from > start ? from : start + Number(timeExpression);
}

/** Returns the times at which a job was due from `due` until `now`, oldest first and at most a thousand, and the next time after them. */
export function firesUntil(timing: Schedule, due: number, now: number, zone: string): { fires: number[]; next: number | undefined } {
  const fires: number[] = [];
  let next: number | undefined = due;
  while (next !== undefined && next <= now && fires.length < maxMissed) {
    fires.push(next);
    next = nextFire(timing, next, zone);
  }
  if (next !== undefined && next <= now) next = nextFire(timing, now, zone);
  return { fires, next };
}

interface FireWindow {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly limit: number;
  /** True when `due` is the next time of the schedule; false when that is unknown and `due` is the current time. */
  readonly isKnown: boolean;
}

/** Returns the times from `from` and before `to` at which a job next due at `due` will run. A fixed delay yields only the next, because others depend on its runs. */
export function firesBetween(timing: Schedule, due: number, { from, to, zone, limit, isKnown }: FireWindow): number[] {
  const { timeExpressionType, timeExpression } = timing;
  const isWithin = (moment: number) => moment >= from && moment < to && moment <= (timing.until ?? Number.POSITIVE_INFINITY);
  if (timeExpressionType === scheduleTypes.fixedDelay) return isKnown && isWithin(due) ? [due] : [];
  if (timeExpressionType === scheduleTypes.fixedRate && !isKnown) return [];
  const fires: number[] = [];
  const period = Number(timeExpression);
  const first = Math.max(from, due);
  let next = timeExpressionType === scheduleTypes.fixedRate ? due + Math.max(0, Math.ceil((first - due) / period)) * period : nextFire(timing, first - 1, zone);
  while (next !== undefined && isWithin(next) && fires.length < limit) {
    fires.push(next);
    next = nextFire(timing, next, zone);
  }
  return fires;
}
