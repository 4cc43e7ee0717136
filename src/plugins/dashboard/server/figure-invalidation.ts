import { FigureSources, type ServerContext } from '#server';
import { FiguresChanged } from '../contract.ts';
import { changesOf } from './figure-board.ts';

const watchDurationMs = 600_000;

interface WatchedTenant {
  expiresAt: number;
  notifiedVersion: string;
}

/** Notifies consoles of changed metrics, only in tenants whose metrics were read lately, and at a limited rate. */
export class FigureInvalidation {
  private readonly tenants = new Map<string, WatchedTenant>();

  constructor(private readonly context: Pick<ServerContext, 'db' | 'live' | 'get'>) {}

  /** Call before reading metrics, so that changes from then on are reported. */
  async watch(tenantId: string): Promise<void> {
    const version = this.tenants.get(tenantId)?.notifiedVersion ?? (await this.changes());
    // Another request may have added the tenant meanwhile.
    this.tenants.set(tenantId, { expiresAt: Date.now() + watchDurationMs, notifiedVersion: this.tenants.get(tenantId)?.notifiedVersion ?? version });
  }

  async publish(): Promise<void> {
    const { db, live } = this.context;
    for (const [tenantId, watched] of this.tenants) {
      if (watched.expiresAt < Date.now()) {
        this.tenants.delete(tenantId);
        continue;
      }
      const now = await db.read({ tenantId }, () => this.changes());
      if (watched.notifiedVersion !== now) await live.publish(FiguresChanged, {}, { tenant: tenantId });
      watched.notifiedVersion = now;
    }
  }

  /** Returns a text that differs when metrics of the current tenant may differ. */
  private async changes(): Promise<string> {
    const { db, get } = this.context;
    const sources = get(FigureSources).all();
    return [
      ...(await changesOf(
        db,
        sources.flatMap(({ entities }) => entities),
      )),
    ].join();
  }
}
