import { Refusal } from '#shared/errors';
import { lockProblems } from '#shared/lock-problems';
import type { Database } from '../db/database.ts';
import { accountOf } from './accounts.ts';
import type { SignInFailures } from './failures.ts';
import type { Passwords } from './passwords.ts';
import type { Principal } from './principal.ts';

type Whose = Pick<Principal, 'tenantId' | 'userId'>;

/** What a proof takes. */
export interface ProofParts {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly failures: SignInFailures;
}

/** Has somebody who is signed in prove themselves once more. Attempts are counted, so that an unguarded screen is no place to guess at. */
export class OwnProof {
  constructor(private readonly parts: ProofParts) {}

  /** Throws unless the password is theirs. */
  async of(password: string, principal: Whose): Promise<void> {
    const { db, passwords } = this.parts;
    await this.limited(principal, async () => {
      const account = await accountOf(db, principal.tenantId, principal.userId);
      if (!(await passwords.matches(passwords.read(password), account?.passwordHash))) throw new Refusal(lockProblems.wrongPassword);
    });
  }

  /** Throws what the attempt throws, and nothing but that there were too many of them after five. */
  async limited(whose: Whose, attempt: () => Promise<void>): Promise<void> {
    const { failures } = this.parts;
    const subject = proofOf(whose);
    await failures.attemptOf(subject);
    await attempt();
    await failures.forget([subject]);
  }
}

/** How somebody's further proofs are counted, apart from their passwords at sign-in. */
export const proofOf = ({ tenantId, userId }: Whose) => `${tenantId}#${userId}`;
