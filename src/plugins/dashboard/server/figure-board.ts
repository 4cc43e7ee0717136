import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type FigureSource, FigureSources, type Principal, queryRows, type ServerContext } from '#server';
import type { Figures } from '#shared/figures';
import type { Board, FigureSpan } from '../contract.ts';

interface CachedFigures {
  readonly figures: Figures;
  readonly version: string;
  readonly computedAt: number;
  readonly durationMs: number;
}

const maxCached = 1000;
/** Maximum age of a cached metric, because some values change with time alone. */
const maxAgeMs = 60_000;
/** A slower computation is cached for ten times its duration even if data changes, so that it takes at most a tenth of the time. */
const expensiveMs = 250;
const cooldownFactor = 10;

/** Reads the metrics of a user. Cached values are used while the underlying rows are unchanged, and concurrent requests share one computation. */
export class FigureBoard {
  private readonly cache = new LRUCache<string, CachedFigures>({ max: maxCached });
  private readonly pending = new Map<string, Promise<CachedFigures>>();

  constructor(private readonly context: Pick<ServerContext, 'db' | 'get' | 'systemLog'>) {}

  async read(principal: Principal, days: FigureSpan): Promise<Board> {
    const sources = this.context.get(FigureSources).visibleTo(principal.codes);
    const changes = await changesOf(
      this.context.db,
      sources.flatMap(({ entities }) => entities),
    );
    const results: CachedFigures[] = [];
    for (const source of sources) {
      const version = source.entities.map((name) => changes.get(name) ?? '').join();
      const result = await this.readSource({ source, key: cacheKey(source, principal, days), version, days });
      if (result) results.push(result);
    }
    const [now] = await queryRows<{ time: string }>(
      this.context.db,
      sql`select to_char(to_timestamp(${Math.min(Date.now(), ...results.map(({ computedAt }) => computedAt)) / 1000}::float8), 'YYYY-MM-DD HH24:MI:SS') as time`,
    );
    const all = results.map(({ figures }) => figures);
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
  private async readSource(request: FigureRequest): Promise<CachedFigures | undefined> {
    const cached = this.cache.get(request.key);
    if (cached && request.source.entities.length > 0 && isFresh(cached, request.version)) return cached;
    const pendingKey = `${request.key} ${request.version}`;
    try {
      const computation = this.pending.get(pendingKey) ?? this.compute(request);
      this.pending.set(pendingKey, computation);
      return await computation;
    } catch (error) {
      this.context.systemLog.log({ level: 'error', event: 'dashboard:figures-failed', data: { source: request.source.id, message: (error as Error).message } });
      return undefined;
    } finally {
      this.pending.delete(pendingKey);
    }
  }

  private async compute({ source, key, version, days }: FigureRequest): Promise<CachedFigures> {
    const computedAt = Date.now();
    const entry = { figures: await source.read({ days }), version, computedAt, durationMs: Date.now() - computedAt };
    this.cache.set(key, entry);
    return entry;
  }
}

interface FigureRequest {
  readonly source: FigureSource;
  readonly key: string;
  readonly version: string;
  readonly days: FigureSpan;
}

function isFresh({ version, computedAt, durationMs }: CachedFigures, now: string): boolean {
  const age = Date.now() - computedAt;
  return (durationMs > expensiveMs && age < durationMs * cooldownFactor) || (version === now && age < maxAgeMs);
}

/** Cache key shared by users with the same view of the data. */
function cacheKey({ id, entities, isPersonal = false }: FigureSource, { tenantId, userId, deptIds, dataScopes }: Principal, days: number): string {
  const scopes = entities.flatMap((name) => {
    const scope = dataScopes?.get(name);
    return scope ? [[name, scope.parts, [...(scope.fields ?? [])]]] : [];
  });
  const person = isPersonal || scopes.length > 0 ? [userId, deptIds] : [];
  return JSON.stringify([tenantId, id, days, person, scopes]);
}

/** Returns the number of row changes per entity in the current tenant. While a number is unchanged, metrics derived from the entity remain valid. */
export async function changesOf(db: ServerContext['db'], entities: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(entities)].filter((name) => db.entities.has(name));
  const rows = await queryRows<{ name: string; changes: string }>(
    db,
    sql`select name, (kept_count(name, false))[2]::text as changes from unnest(${`{${names.join(',')}}`}::text[]) name`,
  );
  return new Map(rows.map(({ name, changes }) => [name, changes]));
}
