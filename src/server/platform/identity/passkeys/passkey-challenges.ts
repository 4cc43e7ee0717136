import { hash, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import type { RelyingParty } from './relying-parties.ts';

const expiryMinutes = 5;

/** The one use for which a challenge is valid. */
export interface ChallengeBinding {
  readonly purpose: 'register' | 'sign-in' | 'second-factor' | 'proof';
  /** Session or sign-in step that the challenge belongs to; empty for a sign-in by a passkey alone. */
  readonly subject: string;
}

/** Challenge that an authenticator has to sign, with the relying party for which it is valid. */
export interface Challenge extends RelyingParty {
  readonly challenge: string;
  /** WebAuthn user handle, which a new passkey stores to name its account. */
  readonly userHandle?: string;
}

/** Challenges of passkeys: each has a token, works once, and expires after five minutes. */
export class PasskeyChallenges {
  constructor(private readonly db: Database) {}

  /** Stores the challenge and returns its token. */
  async begin({ purpose, subject }: ChallengeBinding, { challenge, id: relyingPartyId, origin, userHandle = '' }: Challenge): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.acrossTenants(() =>
      queryRows(
        this.db,
        sql`insert into passkey_challenge (token_hash, purpose, subject, challenge, user_handle, rp_id, origin, expires_at)
            values (${hash('sha256', token)}, ${purpose}, ${subject}, ${challenge}, ${userHandle}, ${relyingPartyId}, ${origin}, now() + make_interval(mins => ${expiryMinutes}))`,
      ),
    );
    return token;
  }

  /** Deletes the challenge and returns it; undefined for a token that is unknown, used, expired or bound to something else. */
  async consume(token: string, { purpose, subject }: ChallengeBinding): Promise<Challenge | undefined> {
    const [found] = await this.acrossTenants(() =>
      queryRows<Challenge>(
        this.db,
        sql`delete from passkey_challenge where token_hash = ${hash('sha256', token)} and purpose = ${purpose} and subject = ${subject} and expires_at > now()
            returning challenge, rp_id as id, origin, user_handle as "userHandle"`,
      ),
    );
    return found;
  }

  private acrossTenants<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.db.asPlatform('stores challenges of passkeys before a tenant is known', work);
  }
}
