import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type FigureSource, type Principal, rowsOf, type ServerContext } from '#server';
import type { Figures } from '#shared/figures';
import type { Board, Span } from '../contract.ts';
import { changesOf } from './changes.ts';

interface Kept {
  readonly figures: Figures;
  readonly version: string;
  readonly at: number;
  /** Milliseconds it took. */
  readonly cost: number;
}

const mostKept = 1000;
/** What only the clock changes is counted anew after so long. */
const mostMilliseconds = 60_000;
/** What takes longer than this is counted in no more than a tenth of the time, whatever changes meanwhile. */
const dearMilliseconds = 250;
const rest = 10;

/** Reads the figures of whoever asks. What was counted is answered again while no row it comes from has changed, and what is asked for by many at once is counted once. */
export class FigureBoard {
  private readonly kept = new LRUCache<string, Kept>({ max: mostKept });
  private readonly underWay = new Map<string, Promise<Kept>>();

  constructor(private readonly context: Pick<ServerContext, 'db' | 'figures' | 'journal'>) {}

  async read(principal: Principal, days: Span): Promise<Board> {
    const sources = this.context.figures.all().filter(({ code }) => principal.codes.has(code));
    const changes = await changesOf(
      this.context.db,
      sources.flatMap(({ entities }) => entities),
    );
    const parts: Kept[] = [];
    for (const source of sources) {
      const version = source.entities.map((name) => changes.get(name) ?? '').join();
      const part = await this.part({ source, key: keyOf(source, principal, days), version, days });
      if (part) parts.push(part);
    }
    const [now] = await rowsOf<{ time: string }>(
      this.context.db,
      sql`select to_char(to_timestamp(${Math.min(Date.now(), ...parts.map(({ at }) => at)) / 1000}::float8), 'YYYY-MM-DD HH24:MI:SS') as time`,
    );
    const all = parts.map(({ figures }) => figures);
    return {
      asOf: now?.time ?? '',
      waiting: all.flatMap(({ waiting = [] }) => waiting),
      alerts: all.flatMap(({ alerts = [] }) => alerts),
      days: all.flatMap((figures) => figures.days ?? []),
      charts: all.flatMap(({ charts = [] }) => charts),
    };
  }

  /** Nothing where it could not be counted: what others give is told all the same. */
  private async part(asked: Asked): Promise<Kept | undefined> {
    const known = this.kept.get(asked.key);
    if (known && isGood(known, asked.version)) return known;
    const name = `${asked.key} ${asked.version}`;
    try {
      const counting = this.underWay.get(name) ?? this.count(asked);
      this.underWay.set(name, counting);
      return await counting;
    } catch (error) {
      this.context.journal.note({ level: 'error', event: 'dashboard:figures-failed', data: { source: asked.source.id, message: (error as Error).message } });
      return undefined;
    } finally {
      this.underWay.delete(name);
    }
  }

  private async count({ source, key, version, days }: Asked): Promise<Kept> {
    const at = Date.now();
    const kept = { figures: await source.read({ days }), version, at, cost: Date.now() - at };
    this.kept.set(key, kept);
    return kept;
  }
}

interface Asked {
  readonly source: FigureSource;
  readonly key: string;
  readonly version: string;
  readonly days: Span;
}

function isGood({ version, at, cost }: Kept, now: string): boolean {
  const age = Date.now() - at;
  return (cost > dearMilliseconds && age < cost * rest) || (version === now && age < mostMilliseconds);
}

/** Whoever sees the same is told the same. */
function keyOf({ id, entities, isPersonal = false }: FigureSource, { tenantId, userId, deptIds, dataScopes }: Principal, days: number): string {
  const scopes = entities.flatMap((name) => {
    const scope = dataScopes?.get(name);
    return scope ? [[name, scope.parts, [...(scope.fields ?? [])]]] : [];
  });
  const person = isPersonal || scopes.length > 0 ? [userId, deptIds] : [];
  return JSON.stringify([tenantId, id, days, person, scopes]);
}
