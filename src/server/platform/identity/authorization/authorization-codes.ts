import { hash, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';

const lifeSeconds = 60;
const codePattern = /^mc_[\w-]{43}$/;

/** Account a code signs in, and the client and address that may redeem it. */
export interface CodeGrant {
  readonly tenantId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** PKCE challenge, S256; '' without. */
  readonly challenge: string;
}

/** True for text in the format of our codes, which another issuer's codes do not have. */
export const isOwnCode = (code: string): boolean => codePattern.test(code);

/** Authorization codes, stored as hashes; each is valid for one minute and for one use. */
export class AuthorizationCodes {
  constructor(private readonly db: Database) {}

  async issue({ tenantId, userId, clientId, redirectUri, challenge }: CodeGrant): Promise<string> {
    const code = `mc_${randomBytes(32).toString('base64url')}`;
    await this.db.asPlatform('redeems an authorization code before sign-in', async () => {
      await this.db.sql.execute(
        sql`insert into authorization_code (code_hash, tenant_id, user_id, client_id, redirect_uri, challenge, expires_at)
            values (${hash('sha256', code)}, ${tenantId}, ${userId}, ${clientId}, ${redirectUri}, ${challenge || null}, now() + make_interval(secs => ${lifeSeconds}))`,
      );
    });
    return code;
  }

  /** Redeems a code and returns what it grants; a code used before returns the session it began instead. */
  async redeem(code: string): Promise<{ readonly granted?: CodeGrant; readonly began?: { tenantId: string; sid: string } }> {
    return this.db.asPlatform('redeems an authorization code before sign-in', async () => {
      const [granted] = await queryRows<CodeGrant>(
        this.db,
        sql`update authorization_code set used_at = now() where code_hash = ${hash('sha256', code)} and used_at is null and expires_at > now()
            returning tenant_id as "tenantId", user_id::text as "userId", client_id as "clientId", redirect_uri as "redirectUri", coalesce(challenge, '') as challenge`,
      );
      if (granted) return { granted };
      const [used] = await queryRows<{ tenantId: string; sid: string }>(
        this.db,
        sql`select tenant_id as "tenantId", sid::text as sid from authorization_code where code_hash = ${hash('sha256', code)} and sid is not null`,
      );
      return used ? { began: used } : {};
    });
  }

  async began(code: string, sid: string): Promise<void> {
    await this.db.asPlatform('redeems an authorization code before sign-in', async () => {
      await this.db.sql.execute(sql`update authorization_code set sid = ${sid}::uuid where code_hash = ${hash('sha256', code)}`);
    });
  }
}
