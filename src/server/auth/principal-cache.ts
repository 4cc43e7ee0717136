import { LRUCache } from 'lru-cache';
import type { SessionEnding } from '#shared/sessions';
import type { Database } from '../db/database.ts';
import type { Principal } from './principal.ts';

type Whose =
  | { readonly sessionId: string }
  | { readonly userId: string }
  | { readonly roleId: string }
  | { readonly tenantId: string }
  | { readonly everyone: true };

/** Whose principals are no longer what they were; with a reason where their sessions have ended. */
export type Stale = Whose & { readonly reason?: SessionEnding };

interface Entry {
  readonly principal: Principal;
  /** When token, session or tenant run out, in seconds since 1970. */
  readonly endsAt: number;
  readonly loadedAt: number;
}

const topic = 'principal-changed';
const capacity = 20_000;
/** A replica that missed a signal is wrong for at most this long. */
const freshMilliseconds = 60_000;

/** A change is in force here before its reply leaves; the signal may take a moment longer. */
const caches = new WeakMap<Database, Set<PrincipalCache>>();

/** Call when sessions, roles, grants or menus have changed: takes effect with the commit, on this replica and on the others. */
export function forgetPrincipals(db: Database, stale: Stale): Promise<void> {
  db.afterCommit(() => {
    for (const cache of caches.get(db) ?? []) cache.drop(stale);
  });
  return db.signal(topic, JSON.stringify(stale));
}

/** Hears on every replica what `forgetPrincipals` was told, after the cache has. */
export function onPrincipalsForgotten(db: Database, listener: (stale: Stale) => void): () => void {
  return db.onSignal(topic, (payload) => listener(JSON.parse(payload) as Stale));
}

/** Principals by access token: a known caller costs no query. Changes on any replica are heard by all. */
export class PrincipalCache {
  private readonly entries = new LRUCache<string, Entry>({ max: capacity });
  /** Counts up when something is forgotten, so that a principal read before is not kept after. */
  private epoch = 0;

  constructor(db: Database) {
    caches.set(db, (caches.get(db) ?? new Set()).add(this));
    db.onSignal(topic, (payload) => this.drop(JSON.parse(payload) as Stale));
  }

  async of(token: string, load: () => Promise<{ principal: Principal; endsAt: number } | undefined>): Promise<Principal | undefined> {
    const known = this.entries.get(token);
    if (known && known.endsAt * 1000 > Date.now() && Date.now() - known.loadedAt < freshMilliseconds) return known.principal;
    this.entries.delete(token);
    const before = this.epoch;
    const loaded = await load();
    if (loaded && before === this.epoch) this.entries.set(token, { ...loaded, loadedAt: Date.now() });
    return loaded?.principal;
  }

  drop(stale: Stale): void {
    this.epoch += 1;
    for (const [token, { principal }] of [...this.entries.entries()]) {
      if (isStale(stale, principal)) this.entries.delete(token);
    }
  }
}

/** Whether a principal is among those meant. */
export function isStale(stale: Stale, { sessionId, userId, tenantId, roleIds, preview }: Principal): boolean {
  if ('everyone' in stale) return true;
  if ('sessionId' in stale) return stale.sessionId === sessionId;
  if ('userId' in stale) return stale.userId === userId;
  return 'tenantId' in stale ? stale.tenantId === tenantId : [...roleIds, ...(preview?.roleIds ?? [])].includes(stale.roleId);
}
