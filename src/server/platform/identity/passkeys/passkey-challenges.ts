import { hash, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import type { RelyingParty } from './relying-parties.ts';

const minutes = 5;

/** Use of a challenge, and the session or sign-in step to which it is bound; '' for a sign-in by a passkey alone. */
export interface ChallengeUse {
  readonly purpose: 'register' | 'sign-in' | 'second-factor' | 'proof';
  readonly subject: string;
}

/** Challenge that an authenticator has to sign, for one relying party. */
export interface Challenge extends RelyingParty {
  readonly challenge: string;
  /** Handle by which a new passkey knows its account. */
  readonly userHandle?: string;
}

/** Challenges of passkeys: each has a token, works once, and expires after five minutes. */
export class PasskeyChallenges {
  constructor(private readonly db: Database) {}

  /** Stores the challenge and returns its token. */
  async begin({ purpose, subject }: ChallengeUse, { challenge, id, origin, userHandle = '' }: Challenge): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.acrossTenants(() =>
      queryRows(
        this.db,
        sql`insert into passkey_challenge (token_hash, purpose, subject, challenge, user_handle, rp_id, origin, expires_at)
            values (${hash('sha256', token)}, ${purpose}, ${subject}, ${challenge}, ${userHandle}, ${id}, ${origin}, now() + make_interval(mins => ${minutes}))`,
      ),
    );
    return token;
  }

  /** Uses the challenge up and returns it; undefined for a token that is unknown, used, expired or bound to something else. */
  async consume(token: string, { purpose, subject }: ChallengeUse): Promise<Challenge | undefined> {
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
