/** Limits of a queue: running and waiting tasks, and the error for a task that finds the queue full. */
export interface TaskQueueLimits {
  readonly concurrency: number;
  readonly queueSize: number;
  readonly fullError: () => Error;
}

/** Runs one task at a time, or as many as the limits allow, and queues the rest in the order of arrival; a task that fails does not stop the next. */
export class TaskQueue {
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly limits?: TaskQueueLimits) {}

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= (this.limits?.concurrency ?? 1)) await this.wait();
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
    if (this.limits && this.queue.length >= this.limits.queueSize) throw this.limits.fullError();
    return new Promise((resolve) => this.queue.push(resolve));
  }
}
