import { FigureSources, type ServerContext } from '#server';
import { FiguresChanged } from '../contract.ts';
import { changesOf } from './changes.ts';

const watchedMilliseconds = 600_000;

interface WatchedFigure {
  until: number;
  told: string;
}

/** Notifies consoles of changed metrics, only in tenants whose metrics were read lately, and at a limited rate. */
export class FigureInvalidation {
  private readonly tenants = new Map<string, WatchedFigure>();

  constructor(private readonly context: Pick<ServerContext, 'db' | 'live' | 'get'>) {}

  /** Call before reading metrics, so that changes from then on are reported. */
  async watch(tenantId: string): Promise<void> {
    const notifiedVersion = this.tenants.get(tenantId)?.told ?? (await this.changes());
    this.tenants.set(tenantId, { until: Date.now() + watchedMilliseconds, told: this.tenants.get(tenantId)?.told ?? notifiedVersion });
  }

  async publish(): Promise<void> {
    const { db, live } = this.context;
    for (const [tenantId, watched] of this.tenants) {
      if (watched.until < Date.now()) {
        this.tenants.delete(tenantId);
        continue;
      }
      const now = await db.read({ tenantId }, () => this.changes());
      if (watched.told !== now) await live.publish(FiguresChanged, {}, { tenant: tenantId });
      watched.told = now;
    }
  }

  /** Returns a text that differs when metrics of the current tenant may differ. */
  private async changes(): Promise<string> {
    const { db, get } = this.context;
    return [
      ...(await changesOf(
        db,
        get(FigureSources)
          .all()
          .flatMap(({ entities }) => entities),
      )),
    ].join();
  }
}
