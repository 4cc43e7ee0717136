import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { TaskQueue } from '#shared/task-queue';

/** Milliseconds of work after which a pause is due. */
const workMs = 2;
/** Maximum pause: longer work has waited for the database, during which the process was free. */
const longestPauseMs = 25;

/** Shares the process between exports and requests: one piece of work at a time, a turn of the event loop after each, and pauses twice as long as the work. */
export class WorkThrottle {
  private readonly queue = new TaskQueue();
  private worked = 0;

  run<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      void this.queue.run(async () => {
        const start = performance.now();
        await Promise.resolve().then(work).then(resolve, reject);
        await this.rest(performance.now() - start);
      });
    });
  }

  private async rest(milliseconds: number): Promise<void> {
    this.worked += milliseconds;
    const due = this.worked;
    if (due < workMs) return nextTurn();
    this.worked = 0;
    await pause(Math.min(2 * due, longestPauseMs));
  }
}
