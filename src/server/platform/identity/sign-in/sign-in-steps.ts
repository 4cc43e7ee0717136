import { hash, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import type { Account } from '../accounts/accounts.ts';

const minutes = 5;
const maxAttempts = 5;

/** Account of a sign-in in progress. */
export interface Step {
  readonly tenantId: string;
  readonly userId: string;
  /** Record of the sign-in method of a plugin. */
  readonly signInId?: string | undefined;
}

/** Sign-ins between the password and the second factor; each has a token, valid for one sign-in, five attempts and five minutes. */
export class SignInSteps {
  constructor(private readonly db: Database) {}

  /** Creates the token that continues the sign-in. */
  async begin({ tenantId, userId }: Account, clientId: string, signInId?: string): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.db.write({ tenantId }, () =>
      queryRows(
        this.db,
        sql`insert into sign_in_step (token_hash, tenant_id, user_id, client_id, sign_in_id, expires_at)
            values (${hash('sha256', token)}, ${tenantId}, ${userId}, ${clientId}, ${signInId ?? null}, now() + make_interval(mins => ${minutes}))`,
      ),
    );
    return token;
  }

  /** Finds the account of a sign-in in progress, without counting an attempt. */
  async find(token: string): Promise<Step | undefined> {
    const [step] = await this.db.asPlatform('continues a sign-in before its tenant is known', () =>
      queryRows<Step>(
        this.db,
        sql`select tenant_id as "tenantId", user_id::text as "userId" from sign_in_step
            where token_hash = ${hash('sha256', token)} and expires_at > now() and attempts < ${maxAttempts}`,
      ),
    );
    return step;
  }

  /** Counts an attempt before it is checked; undefined for a token that is unknown, expired, issued to another client or tried too often. */
  async attempt(token: string, clientId: string): Promise<Step | undefined> {
    const [step] = await this.db.asPlatform('continues a sign-in before its tenant is known', () =>
      queryRows<Step>(
        this.db,
        sql`update sign_in_step set attempts = attempts + 1
            where token_hash = ${hash('sha256', token)} and client_id = ${clientId} and expires_at > now() and attempts < ${maxAttempts}
            returning tenant_id as "tenantId", user_id::text as "userId", sign_in_id::text as "signInId"`,
      ),
    );
    return step && { ...step, signInId: step.signInId ?? undefined };
  }

  /** Uses the token up; false if another request was faster. */
  async finish(token: string, { tenantId }: Step): Promise<boolean> {
    const spent = await this.db.write({ tenantId }, () =>
      queryRows(this.db, sql`delete from sign_in_step where token_hash = ${hash('sha256', token)} returning user_id`),
    );
    return spent.length > 0;
  }
}
