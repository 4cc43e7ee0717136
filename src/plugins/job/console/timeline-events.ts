import dayjs from 'dayjs';
import { runStates } from '../run-contract.ts';
import type { TimelineLane } from '../timeline-contract.ts';

const slotCount = 96;

/** Runs and due times of a job that are too close together to be drawn apart. */
export interface TimelineEvent {
  /** Distance from the left in percent. */
  readonly offsetPercent: number;
  readonly from: string;
  readonly fires: readonly string[];
  readonly runs: TimelineLane['runs'];
  readonly failed: number;
}

/** Groups the runs and due times of a job into events on a timeline from `from` to `to`, from left to right. */
export function timelineEventsOf({ fires, runs }: Pick<TimelineLane, 'fires' | 'runs'>, from: string, to: string): TimelineEvent[] {
  const start = dayjs(from).valueOf();
  const width = (dayjs(to).valueOf() - start) / slotCount;
  const slotOf = (time: string) => Math.min(slotCount - 1, Math.floor((dayjs(time).valueOf() - start) / width));
  const events = new Map<number, { fires: string[]; runs: TimelineLane['runs'][number][] }>();
  const at = (time: string) => {
    const slot = slotOf(time);
    const event = events.get(slot) ?? { fires: [], runs: [] };
    events.set(slot, event);
    return event;
  };
  for (const run of runs) at(run.time).runs.push(run);
  for (const fire of fires) at(fire).fires.push(fire);
  return [...events]
    .sort(([one], [other]) => one - other)
    .map(([slot, event]) => ({
      ...event,
      offsetPercent: (100 * slot) / slotCount,
      from: event.runs[0]?.time ?? event.fires[0] ?? '',
      failed: event.runs.filter(({ state }) => state === runStates.failed).length,
    }));
}
