import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get } from '#shared/contract';
import { DateTime, Id } from '#shared/fields';
import { jobCalendarMenu } from './menus.ts';

const text = (maxLength: number) => Type.String({ maxLength });
/** Maximum number of days in one request. */
export const maxDays = 8;

const TimelineRow = Type.Object({
  jobInfoId: Id(),
  jobName: text(128),
  /** Upcoming times, oldest first. */
  fires: Type.Array(text(19)),
  /** True when there are more upcoming times than listed. */
  hasMore: Type.Boolean(),
  /** Times too many to list that follow each other at one interval: from the first of them, in milliseconds. */
  dense: Type.Unsafe<{ readonly from: string; readonly every: number } | null>({
    type: ['object', 'null'],
    required: ['from', 'every'],
    properties: { from: text(19), every: { type: 'integer' } },
  }),
  /** True for a fixed delay, whose times after the next one depend on its runs. */
  isEstimate: Type.Boolean(),
  /** Oldest first; `duration` in milliseconds, null while it runs. */
  runs: Type.Array(Type.Object({ id: Id(), state: Type.Integer(), time: text(19), duration: Type.Unsafe<number | null>({ type: ['integer', 'null'] }) })),
});
/** Job with its upcoming times and its runs. */
export type TimelineLane = Static<typeof TimelineRow>;

/** Returns past runs and upcoming times in a period; `isCut` is true when some jobs are left out. */
export const jobTimeline = get('/api/blade-job/job-info/timeline', {
  title: ['作业日历', 'Job calendar'],
  access: { code: jobCalendarMenu.code },
  input: Type.Object({ from: DateTime({ title: ['开始', 'From'] }), to: DateTime({ title: ['结束', 'To'] }) }),
  reply: Type.Object({ now: text(19), lanes: Type.Array(TimelineRow), isCut: Type.Boolean() }),
});
/** Upcoming times and past runs. */
export type JobTimeline = Static<typeof jobTimeline.reply>;
