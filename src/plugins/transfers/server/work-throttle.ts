import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { TaskQueue } from '#shared/task-queue';

/** Milliseconds of work after which a pause is due. */
const workMs = 2;
/** Maximum pause: longer work has mostly waited for the database, and the process was free meanwhile. */
const maxPauseMs = 25;

/** Throttles exports so that requests are served meanwhile: one unit of work at a time, a turn of the event loop after each, and pauses twice as long as the work. */
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
    const workedMs = this.worked;
    if (workedMs >= workMs) {
      this.worked = 0;
      await pause(Math.min(2 * workedMs, maxPauseMs));
    }
    // Timers run before the loop waits for requests, immediates after.
    await nextTurn();
  }
}
