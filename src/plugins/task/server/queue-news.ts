import type { ServerContext } from '#server';
import { QueueChanged } from '../contract.ts';

/** Tells consoles that their queue is another one, once for all that has changed since they were told last. */
export class QueueNews {
  private readonly changed = new Set<string>();

  constructor(private readonly context: Pick<ServerContext, 'db' | 'live'>) {}

  /** The queue of this tenant is another one with the work under way. */
  note(tenantId: string): void {
    this.context.db.afterCommit(() => this.changed.add(tenantId));
  }

  async tell(): Promise<void> {
    const tenants = [...this.changed];
    this.changed.clear();
    for (const tenant of tenants) await this.context.live.publish(QueueChanged, {}, { tenant });
  }
}
