import dayjs from 'dayjs';
import { runStates } from '../run-contract.ts';
import type { TimelineLane } from '../timeline-contract.ts';

const slots = 96;

/** Runs and due times of a job that are too close together to be drawn apart. */
export interface TimelineEvent {
  /** Distance from the left in percent. */
  readonly place: number;
  readonly from: string;
  readonly fires: readonly string[];
  readonly runs: TimelineLane['runs'];
  readonly failed: number;
}

/** Groups the runs and due times of a job into marks on a line from `from` to `to`, from left to right. */
export function timelineEventsOf({ fires, runs }: Pick<TimelineLane, 'fires' | 'runs'>, from: string, to: string): TimelineEvent[] {
  const start = dayjs(from).valueOf();
  const width = (dayjs(to).valueOf() - start) / slots;
  const slotOf = (time: string) => Math.min(slots - 1, Math.floor((dayjs(time).valueOf() - start) / width));
  const marks = new Map<number, { fires: string[]; runs: TimelineLane['runs'][number][] }>();
  const at = (time: string) => {
    const slot = slotOf(time);
    const mark = marks.get(slot) ?? { fires: [], runs: [] };
    marks.set(slot, mark);
    return mark;
  };
  for (const run of runs) at(run.time).runs.push(run);
  for (const fire of fires) at(fire).fires.push(fire);
  return [...marks]
    .sort(([one], [other]) => one - other)
    .map(([slot, mark]) => ({
      ...mark,
      place: (100 * slot) / slots,
      from: mark.runs[0]?.time ?? mark.fires[0] ?? '',
      failed: mark.runs.filter(({ state }) => state === runStates.failed).length,
    }));
}
