import { problems, Refusal } from '#shared/errors';

/** How much work of one kind is done at a time, and how much may wait for its turn. */
export interface GateLimits {
  readonly atOnce: number;
  readonly waiting: number;
}

/** Lets in so much work at a time, first come, first served; what finds the queue full is refused at once. */
export class Gate {
  private inside = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly limits: GateLimits) {}

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.inside >= this.limits.atOnce) await this.turn();
    else this.inside += 1;
    try {
      return await work();
    } finally {
      const next = this.queue.shift();
      // Whoever is next takes the place over.
      if (next) next();
      else this.inside -= 1;
    }
  }

  private turn(): Promise<void> {
    if (this.queue.length >= this.limits.waiting) throw new Refusal(problems.busy, { seconds: 5 });
    return new Promise((resolve) => this.queue.push(resolve));
  }
}
