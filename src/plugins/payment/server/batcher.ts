import { setImmediate as nextTurn } from 'node:timers/promises';
import { TaskQueue } from '#shared/task-queue';

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Runs work on many items of a tenant at once: on those that arrive while it runs on others. If it fails for several, it runs on each alone. */
export class Batcher<Item, Result> {
  private readonly waiting = new Map<string, Waiting<Item, Result>[]>();
  private readonly queue = new TaskQueue();

  /** `work` returns the result of each item, in their order. */
  constructor(private readonly work: (tenantId: string, items: readonly Item[]) => Promise<readonly Result[]>) {}

  run(tenantId: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = this.waiting.get(tenantId) ?? [];
      waiting.push({ item, resolve, reject });
      if (waiting.length > 1) return;
      this.waiting.set(tenantId, waiting);
      void this.queue.run(() => this.runWaiting(tenantId));
    });
  }

  private async runWaiting(tenantId: string): Promise<void> {
    await nextTurn();
    const batch = this.waiting.get(tenantId) ?? [];
    this.waiting.delete(tenantId);
    if (!(await this.tryAll(tenantId, batch))) for (const one of batch) await this.runAlone(tenantId, one);
  }

  private async tryAll(tenantId: string, batch: readonly Waiting<Item, Result>[]): Promise<boolean> {
    if (batch.length === 1) return false;
    try {
      const results = await this.work(
        tenantId,
        batch.map(({ item }) => item),
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      return true;
    } catch {
      return false;
    }
  }

  private async runAlone(tenantId: string, { item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    await this.work(tenantId, [item]).then(([result]) => resolve(result as Result), reject);
  }
}
