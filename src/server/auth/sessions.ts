import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';
import { forgetPrincipals } from './principal-cache.ts';
import type { RefreshClaims } from './tokens.ts';

/** A family of refresh tokens as one of its tokens is handed out. */
export interface Issued {
  readonly sid: string;
  readonly generation: number;
  readonly from: Date;
}

interface SessionRow {
  generation: number;
  rotated: string;
  recent: boolean;
  live: boolean;
  reused: boolean;
}

/** Two browser tabs may send the same refresh token at once; within this time the second gets what the first got. */
const raceSeconds = 10;

/** Sessions, kept in the database so that every replica agrees. A refresh token used twice ends its whole family. */
export class Sessions {
  constructor(private readonly db: Database) {}

  async begin(of: { tenantId: string; userId: string; clientId: string; userAgent: string; address: string }, seconds: number): Promise<Issued> {
    const sid = randomUUID();
    const [row] = await this.db.write({ tenantId: of.tenantId }, () =>
      rowsOf<{ rotated: string }>(
        this.db,
        sql`insert into session (id, tenant_id, user_id, client_id, expires_at, user_agent, address)
            values (${sid}::uuid, ${of.tenantId}, ${of.userId}, ${of.clientId}, now() + make_interval(secs => ${seconds}), ${of.userAgent.slice(0, 255)}, ${of.address.slice(0, 64)})
            returning extract(epoch from rotated_at)::text as rotated`,
      ),
    );
    return { sid, generation: 1, from: dateOf(row?.rotated) };
  }

  /** The family's next token, or nothing: ended, expired, or somebody has used this token before, which ends the family. */
  async rotate(claims: RefreshClaims, seconds: number): Promise<Issued | undefined> {
    return this.db.write({ tenantId: claims.tenant_id }, async () => {
      const [rotated] = await rowsOf<{ generation: number; rotated: string }>(
        this.db,
        sql`update session set generation = generation + 1, rotated_at = now(), expires_at = now() + make_interval(secs => ${seconds})
            where id = ${claims.sid}::uuid and generation = ${claims.generation} and revoked_at is null and expires_at > now()
            returning generation, extract(epoch from rotated_at)::text as rotated`,
      );
      if (rotated) return { sid: claims.sid, generation: rotated.generation, from: dateOf(rotated.rotated) };
      return this.racedOrReused(claims);
    });
  }

  private async racedOrReused(claims: RefreshClaims): Promise<Issued | undefined> {
    const [row] = await rowsOf<SessionRow>(
      this.db,
      sql`select generation, extract(epoch from rotated_at)::text as rotated, rotated_at > now() - make_interval(secs => ${raceSeconds}) as recent,
            revoked_at is null and expires_at > now() as live, generation > ${claims.generation} as reused
          from session where id = ${claims.sid}::uuid`,
    );
    if (!row?.live) return undefined;
    if (row.recent && row.generation === claims.generation + 1) return { sid: claims.sid, generation: row.generation, from: dateOf(row.rotated) };
    if (row.reused) await this.end(claims.tenant_id, sql`id = ${claims.sid}::uuid`, 'reused');
    return undefined;
  }

  async logOut(tenantId: string, sid: string): Promise<void> {
    await this.end(tenantId, sql`id = ${sid}::uuid`, 'logged-out');
  }

  /** Ends a user's sessions, all but the one that asks: a new password, a disabled account. */
  async endOthers(tenantId: string, userId: string, keep: string, reason: string): Promise<void> {
    await this.end(tenantId, sql`user_id = ${userId} and id::text <> ${keep}`, reason);
  }

  private async end(tenantId: string, which: ReturnType<typeof sql>, reason: string): Promise<void> {
    await this.db.write({ tenantId }, async () => {
      const ended = await rowsOf<{ id: string }>(
        this.db,
        sql`update session set revoked_at = now(), reason = ${reason} where ${which} and revoked_at is null returning id::text as id`,
      );
      for (const { id } of ended) await forgetPrincipals(this.db, { sessionId: id });
    });
  }
}

const dateOf = (epochSeconds: string | undefined) => new Date(Number(epochSeconds ?? 0) * 1000);
