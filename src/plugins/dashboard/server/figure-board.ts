import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type FigureSource, FigureSources, type Principal, queryRows, type ServerContext } from '#server';
import type { Figures } from '#shared/figures';
import type { Board, Span } from '../contract.ts';
import { changesOf } from './changes.ts';

interface CachedFigures {
  readonly figures: Figures;
  readonly version: string;
  readonly at: number;
  /** Milliseconds the computation took. */
  readonly cost: number;
}

const maxCached = 1000;
/** Maximum age of a cached metric, because some values change with time alone. */
const maxAgeMs = 60_000;
/** A slower computation is cached for ten times its duration even if data changes, so that it takes at most a tenth of the time. */
const dearMilliseconds = 250;
const rest = 10;

/** Reads the metrics of a user. Cached values are used while the underlying rows are unchanged, and concurrent requests share one computation. */
export class FigureBoard {
  private readonly kept = new LRUCache<string, CachedFigures>({ max: maxCached });
  private readonly underWay = new Map<string, Promise<CachedFigures>>();

  constructor(private readonly context: Pick<ServerContext, 'db' | 'get' | 'systemLog'>) {}

  async read(principal: Principal, days: Span): Promise<Board> {
    const sources = this.context
      .get(FigureSources)
      .all()
      .filter(({ code }) => principal.codes.has(code));
    const changes = await changesOf(
      this.context.db,
      sources.flatMap(({ entities }) => entities),
    );
    const parts: CachedFigures[] = [];
    for (const source of sources) {
      const version = source.entities.map((name) => changes.get(name) ?? '').join();
      const part = await this.part({ source, key: keyOf(source, principal, days), version, days });
      if (part) parts.push(part);
    }
    const [now] = await queryRows<{ time: string }>(
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
      setup: all.flatMap(({ setup = [] }) => setup),
    };
  }

  /** Returns undefined when a source fails, so that the others are still shown. */
  private async part(asked: FigureRequest): Promise<CachedFigures | undefined> {
    const known = this.kept.get(asked.key);
    if (known && asked.source.entities.length > 0 && isGood(known, asked.version)) return known;
    const name = `${asked.key} ${asked.version}`;
    try {
      const counting = this.underWay.get(name) ?? this.count(asked);
      this.underWay.set(name, counting);
      return await counting;
    } catch (error) {
      this.context.systemLog.log({ level: 'error', event: 'dashboard:figures-failed', data: { source: asked.source.id, message: (error as Error).message } });
      return undefined;
    } finally {
      this.underWay.delete(name);
    }
  }

  private async count({ source, key, version, days }: FigureRequest): Promise<CachedFigures> {
    const at = Date.now();
    const entry = { figures: await source.read({ days }), version, at, cost: Date.now() - at };
    this.kept.set(key, entry);
    return entry;
  }
}

interface FigureRequest {
  readonly source: FigureSource;
  readonly key: string;
  readonly version: string;
  readonly days: Span;
}

function isGood({ version, at, cost }: CachedFigures, now: string): boolean {
  const age = Date.now() - at;
  return (cost > dearMilliseconds && age < cost * rest) || (version === now && age < maxAgeMs);
}

/** Cache key shared by users with the same view of the data. */
function keyOf({ id, entities, isPersonal = false }: FigureSource, { tenantId, userId, deptIds, dataScopes }: Principal, days: number): string {
  const scopes = entities.flatMap((name) => {
    const scope = dataScopes?.get(name);
    return scope ? [[name, scope.parts, [...(scope.fields ?? [])]]] : [];
  });
  const person = isPersonal || scopes.length > 0 ? [userId, deptIds] : [];
  return JSON.stringify([tenantId, id, days, person, scopes]);
}
