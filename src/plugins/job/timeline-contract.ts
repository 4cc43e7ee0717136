import { Array as List, Object as Shape, type Static, Unsafe } from 'typebox';
import { get } from '#shared/contract';
import { DateTime, Id } from '#shared/fields';
import { jobCalendarMenu } from './menus.ts';

const text = (maxLength: number) => Unsafe<string>({ type: 'string', maxLength });
const number = Unsafe<number>({ type: 'integer' });
const flag = Unsafe<boolean>({ type: 'boolean' });
/** How many days may be asked for at once. */
export const mostDays = 8;

const Lane = Shape({
  jobInfoId: Id(),
  jobName: text(128),
  /** Moments it will be due at, oldest first. */
  fires: List(text(19)),
  /** It is due more often than that. */
  hasMore: flag,
  /** Oldest first; `duration` in milliseconds, nothing while it runs. */
  runs: List(Shape({ id: Id(), state: number, time: text(19), duration: Unsafe<number | null>({ type: ['integer', 'null'] }) })),
});
/** A job, and when it is due or has run. */
export type TimelineLane = Static<typeof Lane>;

/** What has run and what is to come from one moment to another; `isCut`: there is more than is shown. */
export const jobTimeline = get('/api/blade-job/job-info/timeline', {
  title: ['任务日历', 'Calendar of jobs'],
  who: { code: jobCalendarMenu.code },
  input: Shape({ from: DateTime({ title: ['开始', 'From'] }), to: DateTime({ title: ['结束', 'To'] }) }),
  reply: Shape({ now: text(19), lanes: List(Lane), isCut: flag }),
});
/** What is due and what has run. */
export type JobTimeline = Static<typeof jobTimeline.reply>;
