import type { ServerContext } from '#server';
import { FiguresChanged } from '../contract.ts';
import { changesOf } from './changes.ts';

const watchedMilliseconds = 600_000;

interface Watched {
  until: number;
  told: string | undefined;
}

/** Tells consoles that their figures are others now: those of tenants in which somebody has looked lately, and no more often than it is asked to. */
export class FigureNews {
  private readonly tenants = new Map<string, Watched>();

  constructor(private readonly context: Pick<ServerContext, 'db' | 'live' | 'figures'>) {}

  watch(tenantId: string): void {
    const until = Date.now() + watchedMilliseconds;
    const known = this.tenants.get(tenantId);
    if (known) known.until = until;
    else this.tenants.set(tenantId, { until, told: undefined });
  }

  async tell(): Promise<void> {
    const { db, live, figures } = this.context;
    const entities = figures.all().flatMap((source) => source.entities);
    for (const [tenantId, watched] of this.tenants) {
      if (watched.until < Date.now()) {
        this.tenants.delete(tenantId);
        continue;
      }
      const now = [...(await db.read({ tenantId }, () => changesOf(db, entities)))].join();
      // Once too often after the first look: what changed between that look and this one is not known.
      if (watched.told !== now) await live.publish(FiguresChanged, {}, { tenant: tenantId });
      watched.told = now;
    }
  }
}
