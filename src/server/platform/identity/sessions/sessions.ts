import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { SessionEnding } from '#shared/sessions';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { deviceOf } from '../../http/device.ts';
import { invalidatePrincipals } from '../../principal/principal-cache.ts';
import type { RefreshClaims } from './tokens.ts';

/** A refresh token family at the moment it issues a token. */
export interface IssuedToken {
  readonly sid: string;
  readonly generation: number;
  readonly from: Date;
}

/** Account and origin of a new session. */
export interface SessionStart {
  readonly tenantId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly userAgent: string;
  readonly address: string;
  /** The header `User-Type`; `web` unless it names another known type. */
  readonly userType: string;
  /** True if its user has proved their identity; false for a session that another one has begun. */
  readonly isProven: boolean;
  /** Record of the sign-in method of a plugin. */
  readonly signInId?: string | undefined;
}

const userTypes = ['web', 'app', 'other'];
/** Longest wait for the database that counts in favour of a refresh. */
const maxWaitSeconds = 5;

/** Time of a refresh request: its position on this server, the database snapshot, and its arrival by the clock of the database, in seconds, at the earliest. */
export interface RefreshMoment {
  readonly arrival: Arrival;
  readonly snapshot: string;
  readonly arrivedAt: number;
}

/** Rejection of a refresh: the reason why the family ended, undefined if it expired or never existed. */
export interface RefreshRejection {
  readonly ending: SessionEnding | undefined;
}

interface SessionRow {
  /** Reason why the session ended. */
  readonly reason: SessionEnding | null;
  readonly generation: number;
  readonly rotated: string;
  readonly live: boolean;
  /** True if the last rotation was not yet committed when the request first reached the database. */
  readonly raced: boolean;
  /** True if the request may have arrived before the last rotation, by the clock of the database. */
  readonly arrivedBefore: boolean;
}

/** Sessions, stored in the database so that every replica agrees. Reusing a refresh token ends its whole family. */
export class Sessions {
  private readonly races = new RotationRaces();

  constructor(private readonly db: Database) {}

  async begin(start: SessionStart, seconds: number): Promise<IssuedToken> {
    const sid = randomUUID();
    const [row] = await this.db.write({ tenantId: start.tenantId }, () =>
      queryRows<{ rotated: string }>(
        this.db,
        sql`insert into session (id, tenant_id, user_id, client_id, expires_at, user_agent, device, address, user_type, proven_at, sign_in_id)
            values (${sid}::uuid, ${start.tenantId}, ${start.userId}, ${start.clientId}, now() + make_interval(secs => ${seconds}), ${start.userAgent.slice(0, 255)},
              ${deviceOf(start.userAgent)}, ${start.address.slice(0, 64)}, ${userTypes.find((type) => type === start.userType) ?? 'web'},
              case when ${start.isProven}::boolean then now() end, ${start.signInId ?? null}::bigint)
            returning extract(epoch from rotated_at)::text as rotated`,
      ),
    );
    return { sid, generation: 1, from: dateOf(row?.rotated) };
  }

  /** Call it before a refresh waits for anything: a request from before the commit of a rotation has raced it, a later one replays a used token. */
  async markRefresh(): Promise<RefreshMoment> {
    const arrival = this.races.arrive();
    const beganMs = performance.now();
    const [now] = await this.db.read({ tenantId: 'anonymous' }, () =>
      queryRows<{ snapshot: string; seconds: number }>(
        this.db,
        sql`select pg_current_snapshot()::text as snapshot, extract(epoch from clock_timestamp())::float8 as seconds`,
      ),
    );
    // A busy server may take the snapshot after another has committed a rotation that this request raced.
    const waitedSeconds = Math.min(maxWaitSeconds, (performance.now() - beganMs) / 1000);
    return { arrival, snapshot: now?.snapshot ?? '', arrivedAt: (now?.seconds ?? 0) - waitedSeconds };
  }

  /**
   * Issues the family's next token; requests that raced for one rotation all get the same one. Rejects if the family has ended or expired, or if the token was used
   * before, which ends the family.
   */
  async rotate(claims: RefreshClaims, seconds: number, moment: RefreshMoment): Promise<IssuedToken | RefreshRejection> {
    const { sid, generation } = claims;
    return this.db.write({ tenantId: claims.tenant_id }, async () => {
      const row = await this.lockSession(sid, moment);
      if (!row?.live) return { ending: row?.reason ?? undefined };
      if (row.generation === generation) return this.issueNext(sid, seconds);
      if (this.hasRaced(row, sid, moment) && row.generation === generation + 1) return { sid, generation: row.generation, from: dateOf(row.rotated) };
      if (row.generation < generation) return { ending: undefined };
      await this.end(claims.tenant_id, sql`id = ${sid}::uuid`, 'reused');
      return { ending: 'reused' };
    });
  }

  /** Requests and rotations of one server have an exact order; the arrival of a request at another server is compared by the clock of the database. */
  private hasRaced({ raced, arrivedBefore, generation }: SessionRow, sid: string, { arrival }: RefreshMoment): boolean {
    return raced || (this.races.raced(sid, generation, arrival) ?? arrivedBefore);
  }

  /** Returns the reason why a family ended; undefined if it has not. */
  async endingOf({ sid, tenant_id: tenantId }: RefreshClaims): Promise<SessionEnding | undefined> {
    const [row] = await this.db.read({ tenantId }, () =>
      queryRows<Pick<SessionRow, 'reason'>>(this.db, sql`select reason from session where id = ${sid}::uuid`),
    );
    return row?.reason ?? undefined;
  }

  private async lockSession(sid: string, { snapshot, arrivedAt }: RefreshMoment): Promise<SessionRow | undefined> {
    const [row] = await queryRows<SessionRow>(
      this.db,
      // Transaction ids mean nothing in a restored database; the limit of one minute bounds confusion with old ids.
      sql`select generation, reason, extract(epoch from rotated_at)::text as rotated, revoked_at is null and expires_at > now() as live,
            rotated_by is not null and rotated_at > now() - interval '1 minute' and not pg_visible_in_snapshot(rotated_by, ${snapshot}::pg_snapshot) as raced,
            rotated_by is not null and rotated_at > to_timestamp(${arrivedAt}) as "arrivedBefore"
          from session where id = ${sid}::uuid for update`,
    );
    return row;
  }

  private async issueNext(sid: string, seconds: number): Promise<IssuedToken> {
    const [row] = await queryRows<{ generation: number; rotated: string }>(
      this.db,
      sql`update session set generation = generation + 1, rotated_at = clock_timestamp(), rotated_by = pg_current_xact_id(), last_used_at = date_trunc('second', now()),
            expires_at = now() + make_interval(secs => ${seconds})
          where id = ${sid}::uuid returning generation, extract(epoch from rotated_at)::text as rotated`,
    );
    const next = row?.generation ?? 0;
    this.db.afterCommit(() => this.races.rotated(sid, next));
    return { sid, generation: next, from: dateOf(row?.rotated) };
  }

  /** Records that a session is in use; callers do not await it. */
  async touch(tenantId: string, sid: string): Promise<void> {
    await this.db.write({ tenantId }, () => queryRows(this.db, sql`update session set last_used_at = date_trunc('second', now()) where id = ${sid}::uuid`));
  }

  async logOut(tenantId: string, sid: string, reason: SessionEnding = 'logged-out'): Promise<void> {
    await this.end(tenantId, sql`id = ${sid}::uuid`, reason);
  }

  /** Ends a user's sessions except the current one; returns their number. */
  async endOthers(tenantId: string, userId: string, keep: string, reason: SessionEnding): Promise<number> {
    return this.end(tenantId, sql`user_id = ${userId} and id::text <> ${keep}`, reason);
  }

  private end(tenantId: string, which: SQL, reason: SessionEnding): Promise<number> {
    return this.db.write({ tenantId }, () => endSessions(this.db, which, reason));
  }
}

/** Ends the matching sessions in the current scope; each gets a live event, and its next request is rejected. */
export async function endSessions(db: Database, which: SQL, reason: SessionEnding): Promise<number> {
  const ended = await queryRows<{ id: string }>(
    db,
    sql`update session set revoked_at = now(), reason = ${reason} where ${which} and revoked_at is null returning id::text as id`,
  );
  for (const { id } of ended) await invalidatePrincipals(db, { sessionId: id, reason });
  return ended.length;
}

const dateOf = (epochSeconds: string | undefined) => new Date(Number(epochSeconds ?? 0) * 1000);

/** A position in the order in which this server receives requests and commits rotations. */
export type Arrival = number;

const maxSessions = 10_000;

/** Detects requests that had arrived at this server before it committed a rotation, however long they then waited for a connection. */
export class RotationRaces {
  private counter = 0;
  private readonly committed = new LRUCache<string, { readonly generation: number; readonly arrival: Arrival }>({ max: maxSessions });

  /** Records an incoming request. */
  arrive(): Arrival {
    this.counter += 1;
    return this.counter;
  }

  /** Records that a rotation of this session to this generation has been committed. */
  rotated(sid: string, generation: number): void {
    this.committed.set(sid, { generation, arrival: this.arrive() });
  }

  /** Tells whether a request arrived before the session's rotation to this generation; undefined if that rotation was not made here. */
  raced(sid: string, generation: number, arrival: Arrival): boolean | undefined {
    const known = this.committed.get(sid);
    return known?.generation === generation ? arrival < known.arrival : undefined;
  }
}
