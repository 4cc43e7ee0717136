import { ApiError } from '#shared/errors';
import { lockProblems } from '#shared/lock-problems';
import type { Database } from '../../../data/database/database.ts';
import type { Principal } from '../../principal/principal.ts';
import { findAccountById } from '../accounts/accounts.ts';
import type { SignInFailures } from './failures.ts';
import type { Passwords } from './passwords.ts';

type AccountIdentity = Pick<Principal, 'tenantId' | 'userId'>;

/** Dependencies of `Reauth`. */
export interface ReauthDeps {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly failures: SignInFailures;
}

/** Reauthenticates a signed-in user. Attempts are limited, so that an unattended screen cannot be used to guess passwords. */
export class Reauth {
  constructor(private readonly deps: ReauthDeps) {}

  /** Throws unless it is the user's password. */
  async verify(password: string, principal: AccountIdentity): Promise<void> {
    const { db, passwords } = this.deps;
    await this.withRateLimit(principal, async () => {
      const account = await findAccountById(db, principal.tenantId, principal.userId);
      if (!(await passwords.matches(passwords.read(password), account?.passwordHash))) throw new ApiError(lockProblems.wrongPassword);
    });
  }

  /** Rethrows errors of the attempt; after five failures only reports that there were too many. */
  async withRateLimit(whose: AccountIdentity, attempt: () => Promise<void>): Promise<void> {
    await this.deps.failures.runProof(reauthKey(whose), attempt);
  }
}

/** Builds the counter key for reauthentication, separate from failures at sign-in. */
export const reauthKey = ({ tenantId, userId }: AccountIdentity) => `${tenantId}#${userId}`;
