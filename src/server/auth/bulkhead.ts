import { problems, Refusal } from '#shared/errors';

/** Limits of a bulkhead: running and waiting tasks. */
export interface BulkheadLimits {
  readonly concurrency: number;
  readonly queueSize: number;
}

/** Runs a limited number of tasks at the same time and queues the rest in the order of arrival; throws a 503 error when the queue is full. */
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
      // The next task takes over the slot, so that a task arriving now cannot overtake it.
      if (next) next();
      else this.running -= 1;
    }
  }

  private wait(): Promise<void> {
    if (this.queue.length >= this.limits.queueSize) throw new Refusal(problems.busy, { seconds: 5 });
    return new Promise((resolve) => this.queue.push(resolve));
  }
}
