import type { ServerContext } from '#server';
import { QueueChanged } from '../contract.ts';

/** Notifies consoles that their queue has changed, with one message for all changes since the last. */
export class QueueInvalidation {
  private readonly changed = new Set<string>();

  constructor(private readonly context: Pick<ServerContext, 'db' | 'live'>) {}

  /** Marks the tenant's queue as changed once the current transaction commits. */
  markStale(tenantId: string): void {
    this.context.db.afterCommit(() => this.changed.add(tenantId));
  }

  async publish(): Promise<void> {
    const tenants = [...this.changed];
    this.changed.clear();
    for (const tenant of tenants) await this.context.live.publish(QueueChanged, {}, { tenant });
  }
}
