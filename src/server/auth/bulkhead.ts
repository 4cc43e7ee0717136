import { problems, Refusal } from '#shared/errors';

/** The pieces of work that run at the same time, and those that may wait. */
export interface BulkheadLimits {
  readonly concurrency: number;
  readonly queueSize: number;
}

/** Runs a limited number of pieces of work at the same time and queues the rest in the order of arrival; refuses with 503 when the queue is full. */
export class Bulkhead {
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly limits: BulkheadLimits) {}

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limits.concurrency) await this.wait();
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.queue.shift();
      // The next one takes over the place, so that work that arrives now cannot get in before it.
      if (next) next();
      else this.running -= 1;
    }
  }

  private wait(): Promise<void> {
    if (this.queue.length >= this.limits.queueSize) throw new Refusal(problems.busy, { seconds: 5 });
    return new Promise((resolve) => this.queue.push(resolve));
  }
}
