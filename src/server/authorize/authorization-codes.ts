import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';

const lifeSeconds = 60;
const form = /^mc_[\w-]{43}$/;

/** Whom a code signs in, and where it may be redeemed. */
export interface CodeFor {
  readonly tenantId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** PKCE, S256; '' without. */
  readonly challenge: string;
}

/** True for what looks like a code of ours; another issuer's does not. */
export const isOwnCode = (code: string): boolean => form.test(code);

/** Authorization codes, kept as hashes: good for a minute, and once. */
export class AuthorizationCodes {
  constructor(private readonly db: Database) {}

  async make({ tenantId, userId, clientId, redirectUri, challenge }: CodeFor): Promise<string> {
    const code = `mc_${randomBytes(32).toString('base64url')}`;
    await this.db.asPlatform('an authorization code is redeemed before anyone is known', async () => {
      await this.db.sql.execute(
        sql`insert into authorization_code (code_hash, tenant_id, user_id, client_id, redirect_uri, challenge, expires_at)
            values (${hashOf(code)}, ${tenantId}, ${userId}, ${clientId}, ${redirectUri}, ${challenge || null}, now() + make_interval(secs => ${lifeSeconds}))`,
      );
    });
    return code;
  }

  /** What a code is for, the first time it comes; from then on the session it has begun. */
  async redeem(code: string): Promise<{ readonly granted?: CodeFor; readonly began?: { tenantId: string; sid: string } }> {
    return this.db.asPlatform('an authorization code is redeemed before anyone is known', async () => {
      const [granted] = await rowsOf<CodeFor>(
        this.db,
        sql`update authorization_code set used_at = now() where code_hash = ${hashOf(code)} and used_at is null and expires_at > now()
            returning tenant_id as "tenantId", user_id::text as "userId", client_id as "clientId", redirect_uri as "redirectUri", coalesce(challenge, '') as challenge`,
      );
      if (granted) return { granted };
      const [used] = await rowsOf<{ tenantId: string; sid: string }>(
        this.db,
        sql`select tenant_id as "tenantId", sid::text as sid from authorization_code where code_hash = ${hashOf(code)} and sid is not null`,
      );
      return used ? { began: used } : {};
    });
  }

  async began(code: string, sid: string): Promise<void> {
    await this.db.asPlatform('an authorization code is redeemed before anyone is known', async () => {
      await this.db.sql.execute(sql`update authorization_code set sid = ${sid}::uuid where code_hash = ${hashOf(code)}`);
    });
  }
}

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');
