import { Cron } from 'croner';
import { isCron, isQuartz } from '#shared/cron';
import { timings } from '../contract.ts';

/** What says when a job is due. */
export interface Timing {
  readonly timeExpressionType: number;
  readonly timeExpression: string | null;
  /** Milliseconds since 1970 within which it may be fired; open where nothing is said. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** Milliseconds no schedule may be shorter than. */
export const shortestPeriod = 1000;
/** Kinds of schedule that are told by a clock expression; a workflow may have none. */
const byClock: readonly number[] = [timings.cron, timings.workflow];
/** At most so many missed moments are told one by one. */
const mostMissed = 1000;

/** The clock expression of a job on clocks of a zone; nothing where it is none. */
export function cronOf(expression: string, timezone: string): Cron | undefined {
  if (!isCron(expression)) return undefined;
  try {
    return new Cron(expression, { paused: true, sloppyRanges: true, alternativeWeekdays: isQuartz(expression), timezone });
  } catch {
    return undefined;
  }
}

/** The first moment after `after` at which a job is due; nothing where none comes. */
export function nextFire(timing: Timing, after: number, zone: string): number | undefined {
  const { timeExpressionType, timeExpression, from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = timing;
  const start = Math.max(after, from - 1);
  const next = byClock.includes(timeExpressionType)
    ? cronOf(timeExpression ?? '', zone)
        ?.nextRun(new Date(start))
        ?.getTime()
    : periodic(timing, start);
  return next === undefined || next > until ? undefined : next;
}

function periodic({ timeExpressionType, timeExpression, from }: Timing, start: number): number | undefined {
  const isPeriodic = timeExpressionType === timings.fixedRate || timeExpressionType === timings.fixedDelay;
  if (!isPeriodic) return undefined;
  // What has a beginning is due at it.
  return from !== undefined && from > start ? from : start + Number(timeExpression);
}

/** The moments a job was due from `due` until `now`, oldest first and a thousand at most, and when it is due after them. */
export function firesUntil(timing: Timing, due: number, now: number, zone: string): { fires: number[]; next: number | undefined } {
  const fires: number[] = [];
  let next: number | undefined = due;
  while (next !== undefined && next <= now && fires.length < mostMissed) {
    fires.push(next);
    next = nextFire(timing, next, zone);
  }
  if (next !== undefined && next <= now) next = nextFire(timing, now, zone);
  return { fires, next };
}

interface Sight {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly most: number;
  /** Whether `due` is when it is due next, rather than now. */
  readonly isKnown: boolean;
}

/** The moments from `from` on and before `to` at which a job that is due at `due` will be due; of a fixed delay the next alone, for the others depend on its runs. */
export function firesBetween(timing: Timing, due: number, { from, to, zone, most, isKnown }: Sight): number[] {
  const { timeExpressionType, timeExpression } = timing;
  const isWithin = (moment: number) => moment >= from && moment < to && moment <= (timing.until ?? Number.POSITIVE_INFINITY);
  if (timeExpressionType === timings.fixedDelay) return isKnown && isWithin(due) ? [due] : [];
  if (timeExpressionType === timings.fixedRate && !isKnown) return [];
  const fires: number[] = [];
  const period = Number(timeExpression);
  const first = Math.max(from, due);
  let next = timeExpressionType === timings.fixedRate ? due + Math.max(0, Math.ceil((first - due) / period)) * period : nextFire(timing, first - 1, zone);
  while (next !== undefined && isWithin(next) && fires.length < most) {
    fires.push(next);
    next = nextFire(timing, next, zone);
  }
  return fires;
}
