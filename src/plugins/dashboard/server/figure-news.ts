import type { ServerContext } from '#server';
import { FiguresChanged } from '../contract.ts';
import { changesOf } from './changes.ts';

const watchedMilliseconds = 600_000;

interface Watched {
  until: number;
  told: string;
}

/** Tells consoles that their figures are others now: those of tenants in which somebody has looked lately, and no more often than it is asked to. */
export class FigureNews {
  private readonly tenants = new Map<string, Watched>();

  constructor(private readonly context: Pick<ServerContext, 'db' | 'live' | 'figures'>) {}

  /** To be called before the figures are read: what changes from then on is told. */
  async watch(tenantId: string): Promise<void> {
    const told = this.tenants.get(tenantId)?.told ?? (await this.changes());
    this.tenants.set(tenantId, { until: Date.now() + watchedMilliseconds, told: this.tenants.get(tenantId)?.told ?? told });
  }

  async tell(): Promise<void> {
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

  /** What differs where the figures of the tenant at work may. */
  private async changes(): Promise<string> {
    const { db, figures } = this.context;
    return [
      ...(await changesOf(
        db,
        figures.all().flatMap(({ entities }) => entities),
      )),
    ].join();
  }
}
