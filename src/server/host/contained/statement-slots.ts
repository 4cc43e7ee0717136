import { ContextVariable } from '../../base/context-variable.ts';
import { Semaphore } from '../../data/database/semaphore.ts';

const waitMs = 10_000;
/** Statements and calls of repositories that a plugin may run at a time, and as many more inside each of their hooks. */
const slots = 2;
/** Time that a plugin may use at once, and the share of time that it gets back. */
const burstMs = 1000;
const share = 1 / 4;

/**
 * Runs what a plugin asks of the database, a few things at a time. If it has used its time, the slot of each stays empty for three times as long as it was used, so that
 * others have the database for the rest.
 */
export class StatementSlots {
  /** Slots by the number of repository calls in whose hooks they are used, so that a hook never waits for its own call. */
  private readonly free: Semaphore[] = [];
  private readonly depth = new ContextVariable<number>();
  private left = burstMs;
  private refilledAt = performance.now();

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const depth = this.depth.get() ?? 0;
    this.free[depth] ??= new Semaphore(slots, waitMs);
    const free = this.free[depth];
    await free.acquire();
    const started = performance.now();
    try {
      return await this.depth.run(depth + 1, work);
    } finally {
      const usedMs = performance.now() - started;
      if (depth > 0 || this.hasTimeAfter(usedMs)) free.release();
      else setTimeout(() => free.release(), usedMs * (1 / share - 1));
    }
  }

  /** Counts the time of one use; returns false if the plugin has used more than its time. */
  private hasTimeAfter(usedMs: number): boolean {
    const now = performance.now();
    this.left = Math.min(burstMs, Math.max(0, this.left) + (now - this.refilledAt) * share) - usedMs;
    this.refilledAt = now;
    return this.left > 0;
  }
}
