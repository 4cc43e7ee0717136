import { ConnectionLostError } from './connection-lost.ts';

interface Waiter {
  readonly proceed: () => void;
  readonly reject: (error: Error) => void;
}

/** Limits concurrency; callers wait in order until a slot is free, the timeout has passed or all are rejected. */
export class Semaphore {
  private readonly waiting = new Set<Waiter>();

  constructor(
    private free: number,
    private readonly timeoutMs: number,
  ) {}

  /** Number of callers that wait for a slot. */
  get waiters(): number {
    return this.waiting.size;
  }

  acquire(): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.waiting.delete(waiter);
      };
      const waiter: Waiter = {
        proceed: () => {
          leave();
          resolve();
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      const timer = setTimeout(() => waiter.reject(new ConnectionLostError(`No database connection was free for ${this.timeoutMs / 1000} s.`)), this.timeoutMs);
      this.waiting.add(waiter);
    });
  }

  release(): void {
    const [next] = this.waiting;
    if (next) next.proceed();
    else this.free += 1;
  }

  rejectAll(error: Error): void {
    for (const waiter of [...this.waiting]) waiter.reject(error);
  }
}
