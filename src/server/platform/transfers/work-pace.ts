import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** Milliseconds of work after which a pause is due. */
const workMs = 2;
/** Maximum pause: longer work has waited for the database, during which the process was free. */
const longestPauseMs = 25;

/** Shares the process between exports and requests: one piece of work at a time, a turn of the event loop after each, and pauses twice as long as the work. */
export class WorkPace {
  private last: Promise<void> = Promise.resolve();
  private worked = 0;

  run<Result>(work: () => Promise<Result> | Result): Promise<Result> {
    const result = this.last.then(async () => {
      const start = performance.now();
      return { value: await work(), milliseconds: performance.now() - start };
    });
    this.last = result.then(
      ({ milliseconds }) => this.rest(milliseconds),
      () => undefined,
    );
    return result.then(({ value }) => value);
  }

  private async rest(milliseconds: number): Promise<void> {
    this.worked += milliseconds;
    const due = this.worked;
    if (due < workMs) return nextTurn();
    this.worked = 0;
    await pause(Math.min(2 * due, longestPauseMs));
  }
}
