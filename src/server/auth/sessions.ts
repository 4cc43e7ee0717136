import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { SessionEnding } from '#shared/sessions';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';
import { deviceOf } from './device.ts';
import { forgetPrincipals } from './principal-cache.ts';
import { type Arrival, RotationRaces } from './rotation-races.ts';
import type { RefreshClaims } from './tokens.ts';

/** A family of refresh tokens as one of its tokens is handed out. */
export interface Issued {
  readonly sid: string;
  readonly generation: number;
  readonly from: Date;
}

/** Whose session begins, and where. */
export interface Beginning {
  readonly tenantId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly userAgent: string;
  readonly address: string;
  /** The header `User-Type`, `wire.md` §2.1: `web` unless it says one of the others. */
  readonly userType: string;
}

const userTypes = ['web', 'app', 'other'];

/** When a refresh was asked for: in the order of this server, and as the database saw its transactions then. */
export interface Asked {
  readonly arrival: Arrival;
  readonly snapshot: string;
}

/** Why a refresh gets nothing: how the family has ended, nothing where it ran out or never was. */
export interface Refused {
  readonly ending: SessionEnding | undefined;
}

interface SessionRow {
  /** How it has ended. */
  readonly reason: SessionEnding | null;
  readonly generation: number;
  readonly rotated: string;
  readonly live: boolean;
  /** The last rotation had not been committed when the refresh was asked for. */
  readonly raced: boolean;
}

/** Sessions, kept in the database so that every replica agrees. A refresh token used twice ends its whole family. */
export class Sessions {
  private readonly races = new RotationRaces();

  constructor(private readonly db: Database) {}

  async begin(of: Beginning, seconds: number): Promise<Issued> {
    const sid = randomUUID();
    const [row] = await this.db.write({ tenantId: of.tenantId }, () =>
      rowsOf<{ rotated: string }>(
        this.db,
        sql`insert into session (id, tenant_id, user_id, client_id, expires_at, user_agent, device, address, user_type)
            values (${sid}::uuid, ${of.tenantId}, ${of.userId}, ${of.clientId}, now() + make_interval(secs => ${seconds}), ${of.userAgent.slice(0, 255)},
              ${deviceOf(of.userAgent)}, ${of.address.slice(0, 64)}, ${userTypes.find((type) => type === of.userType) ?? 'web'})
            returning extract(epoch from rotated_at)::text as rotated`,
      ),
    );
    return { sid, generation: 1, from: dateOf(row?.rotated) };
  }

  /** Called before a refresh waits for anything: who asks before a rotation is committed has raced it, who asks after it replays a used token. */
  async asked(): Promise<Asked> {
    const arrival = this.races.arrive();
    const [now] = await this.db.read({ tenantId: 'anonymous' }, () =>
      rowsOf<{ snapshot: string }>(this.db, sql`select pg_current_snapshot()::text as snapshot`),
    );
    return { arrival, snapshot: now?.snapshot ?? '' };
  }

  /** The family's next token; of those who race for one rotation each gets the same. Refused where it has ended, run out, or this token was used before, which ends it. */
  async rotate(claims: RefreshClaims, seconds: number, asked: Asked): Promise<Issued | Refused> {
    const { sid, generation } = claims;
    return this.db.write({ tenantId: claims.tenant_id }, async () => {
      const row = await this.locked(sid, asked);
      if (!row?.live) return { ending: row?.reason ?? undefined };
      if (row.generation === generation) return this.next(sid, seconds);
      const raced = row.raced || this.races.raced(sid, asked.arrival);
      if (raced && row.generation === generation + 1) return { sid, generation: row.generation, from: dateOf(row.rotated) };
      if (row.generation < generation) return { ending: undefined };
      await this.end(claims.tenant_id, sql`id = ${sid}::uuid`, 'reused');
      return { ending: 'reused' };
    });
  }

  /** How a family has ended; nothing where it has not. */
  async endingOf({ sid, tenant_id: tenantId }: RefreshClaims): Promise<SessionEnding | undefined> {
    const [row] = await this.db.read({ tenantId }, () => rowsOf<Pick<SessionRow, 'reason'>>(this.db, sql`select reason from session where id = ${sid}::uuid`));
    return row?.reason ?? undefined;
  }

  private async locked(sid: string, { snapshot }: Asked): Promise<SessionRow | undefined> {
    const [row] = await rowsOf<SessionRow>(
      this.db,
      // Transaction numbers mean nothing in a restored database; the minute bounds what they could be mistaken for.
      sql`select generation, reason, extract(epoch from rotated_at)::text as rotated, revoked_at is null and expires_at > now() as live,
            rotated_by is not null and rotated_at > now() - interval '1 minute' and not pg_visible_in_snapshot(rotated_by, ${snapshot}::pg_snapshot) as raced
          from session where id = ${sid}::uuid for update`,
    );
    return row;
  }

  private async next(sid: string, seconds: number): Promise<Issued> {
    const [row] = await rowsOf<{ generation: number; rotated: string }>(
      this.db,
      sql`update session set generation = generation + 1, rotated_at = now(), rotated_by = pg_current_xact_id(), last_used_at = date_trunc('second', now()),
            expires_at = now() + make_interval(secs => ${seconds})
          where id = ${sid}::uuid returning generation, extract(epoch from rotated_at)::text as rotated`,
    );
    this.db.afterCommit(() => this.races.rotated(sid));
    return { sid, generation: row?.generation ?? 0, from: dateOf(row?.rotated) };
  }

  /** Notes that a session is in use; nobody waits for it. */
  async touch(tenantId: string, sid: string): Promise<void> {
    await this.db.write({ tenantId }, () => rowsOf(this.db, sql`update session set last_used_at = date_trunc('second', now()) where id = ${sid}::uuid`));
  }

  async logOut(tenantId: string, sid: string, reason: SessionEnding = 'logged-out'): Promise<void> {
    await this.end(tenantId, sql`id = ${sid}::uuid`, reason);
  }

  /** Ends a user's sessions, all but the one that asks; tells how many there were. */
  async endOthers(tenantId: string, userId: string, keep: string, reason: SessionEnding): Promise<number> {
    return this.end(tenantId, sql`user_id = ${userId} and id::text <> ${keep}`, reason);
  }

  /** Ends those of a tenant's sessions that have these numbers; tells how many there were. */
  async endNumbered(tenantId: string, ids: readonly string[], reason: SessionEnding, userId?: string): Promise<number> {
    const numbers = sql.join(
      ids.map((id) => sql`${id}::bigint`),
      sql`, `,
    );
    return this.end(tenantId, sql`row_id in (${numbers})${userId === undefined ? sql`` : sql` and user_id = ${userId}`}`, reason);
  }

  private end(tenantId: string, which: SQL, reason: SessionEnding): Promise<number> {
    return this.db.write({ tenantId }, () => endSessions(this.db, which, reason));
  }
}

/** Ends the sessions of the work's scope that fit; each is told live, and refused from the next request on. */
export async function endSessions(db: Database, which: SQL, reason: SessionEnding): Promise<number> {
  const ended = await rowsOf<{ id: string }>(
    db,
    sql`update session set revoked_at = now(), reason = ${reason} where ${which} and revoked_at is null returning id::text as id`,
  );
  for (const { id } of ended) await forgetPrincipals(db, { sessionId: id, reason });
  return ended.length;
}

const dateOf = (epochSeconds: string | undefined) => new Date(Number(epochSeconds ?? 0) * 1000);
