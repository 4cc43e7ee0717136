import { LRUCache } from 'lru-cache';
import type { SessionEnding } from '#shared/sessions';
import type { Database } from '../../data/database/database.ts';
import type { Principal } from './principal.ts';

type PrincipalSelector =
  | { readonly sessionId: string }
  | { readonly userId: string }
  | { readonly roleId: string }
  | { readonly tenantId: string }
  | { readonly everyone: true };

/** Principals that are outdated; with a reason if their sessions have ended. */
export type PrincipalInvalidation = PrincipalSelector & { readonly reason?: SessionEnding };

interface Entry {
  readonly principal: Principal;
  /** End of token, session or tenant, whichever comes first, in seconds since 1970. */
  readonly endsAt: number;
  readonly loadedAt: number;
}

const topic = 'principal-changed';
const capacity = 20_000;
/** Maximum time a replica uses an outdated principal after it has missed a signal. */
const maxAgeMs = 60_000;

/** Caches of this process by database: a change takes effect here before its reply is sent, while the signal may take longer. */
const caches = new WeakMap<Database, Set<PrincipalCache>>();

/** Invalidates principals after sessions, roles, grants or menus have changed; takes effect with the commit, on this replica and the others. */
export function invalidatePrincipals(db: Database, stale: PrincipalInvalidation): Promise<void> {
  db.afterCommit(() => {
    for (const cache of caches.get(db) ?? []) cache.drop(stale);
  });
  return db.signal(topic, JSON.stringify(stale));
}

/** Runs the listener on every replica after `invalidatePrincipals` has updated the cache. */
export function onPrincipalsInvalidated(db: Database, listener: (stale: PrincipalInvalidation) => void): () => void {
  return db.onSignal(topic, (payload) => listener(JSON.parse(payload) as PrincipalInvalidation));
}

/** Caches principals by access token, so that a known caller costs no query. Changes on any replica invalidate all caches. */
export class PrincipalCache {
  private readonly entries = new LRUCache<string, Entry>({ max: capacity });
  /** Incremented on each invalidation, so that a principal read before it is not cached after it. */
  private epoch = 0;

  constructor(db: Database) {
    caches.set(db, (caches.get(db) ?? new Set()).add(this));
    db.onSignal(topic, (payload) => this.drop(JSON.parse(payload) as PrincipalInvalidation));
  }

  async of(token: string, load: () => Promise<{ principal: Principal; endsAt: number } | undefined>): Promise<Principal | undefined> {
    const cached = this.entries.get(token);
    if (cached && cached.endsAt * 1000 > Date.now() && Date.now() - cached.loadedAt < maxAgeMs) return cached.principal;
    this.entries.delete(token);
    const before = this.epoch;
    const loaded = await load();
    if (loaded && before === this.epoch) this.entries.set(token, { ...loaded, loadedAt: Date.now() });
    return loaded?.principal;
  }

  drop(stale: PrincipalInvalidation): void {
    this.epoch += 1;
    for (const [token, { principal }] of [...this.entries.entries()]) {
      if (isStale(stale, principal)) this.entries.delete(token);
    }
  }
}

/** Tests whether an invalidation covers a principal. */
export function isStale(stale: PrincipalInvalidation, { sessionId, userId, tenantId, roleIds, preview }: Principal): boolean {
  if ('everyone' in stale) return true;
  if ('sessionId' in stale) return stale.sessionId === sessionId;
  if ('userId' in stale) return stale.userId === userId;
  return 'tenantId' in stale ? stale.tenantId === tenantId : [...roleIds, ...(preview?.roleIds ?? [])].includes(stale.roleId);
}
