import { hash } from 'node:crypto';
import type { TokenInput } from '#shared/auth';
import type { ReplyOf } from '#shared/contract';
import { ApiError } from '#shared/errors';
import { type passkeys as passkeyCalls, passkeyProblems } from '#shared/passkeys';
import { secondFactorProblems } from '#shared/second-factor';
import type { Database } from '../../../data/database/database.ts';
import type { Origin } from '../../http/route.ts';
import { type Account, findAccountById } from '../accounts/accounts.ts';
import type { KnownDevices } from '../accounts/known-devices.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import { failureKey, type SignInFailures } from '../passwords/failures.ts';
import type { SignInSteps } from './sign-in-steps.ts';

const alone = { purpose: 'sign-in', subject: '' } as const;

/** Binds a challenge to a sign-in whose password was right. */
const secondFactorOf = (token: string) => ({ purpose: 'second-factor', subject: hash('sha256', token) }) as const;

/** Dependencies of `PasskeySignIn`. */
export interface PasskeySignInDeps {
  readonly db: Database;
  readonly passkeys: Passkeys;
  readonly steps: SignInSteps;
  readonly failures: SignInFailures;
  readonly devices: KnownDevices;
  /** Rejects a sign-in to a suspended or expired tenant. */
  readonly assertOpenTenant: (tenantId: string) => Promise<void>;
}

/** Signs in with a passkey, alone or as a second factor. */
export class PasskeySignIn {
  constructor(private readonly deps: PasskeySignInDeps) {}

  /** Begins a sign-in without an account name. */
  begin(origin: Origin): Promise<ReplyOf<typeof passkeyCalls.beginSignIn>> {
    return this.deps.passkeys.begin(alone, origin);
  }

  async beginSecondFactor(token: string, origin: Origin): Promise<ReplyOf<typeof passkeyCalls.beginSecondFactor>> {
    const { steps, passkeys } = this.deps;
    const step = await steps.find(token);
    if (!step) throw new ApiError(secondFactorProblems.tokenSpent);
    return passkeys.begin(secondFactorOf(token), origin, step);
  }

  /**
   * Returns the account of a passkey that has also verified its user, which makes it two factors. The locks after failed sign-ins apply as they do to passwords.
   */
  async identify({ attempt = '', credential = '' }: TokenInput, origin: Origin): Promise<Account> {
    const { db, passkeys, failures, devices, assertOpenTenant } = this.deps;
    const claimed = await passkeys.claim({ attempt, credential }, alone);
    const { tenantId, userId } = claimed.passkey;
    await assertOpenTenant(tenantId);
    const account = await findAccountById(db, tenantId, userId);
    if (!account) throw new ApiError(passkeyProblems.refused);
    const counted = failureKey(tenantId, account.account);
    const source = { address: origin.address, device: devices.deviceOf(counted, origin.header('cookie')) };
    await failures.runAttempt(counted, source, () => passkeys.verify(claimed, { requireUserVerification: true }));
    return account;
  }

  /** Verifies the second factor of a sign-in whose password was right. */
  async verifySecondFactor({ mfa_token = '', attempt = '', credential = '' }: TokenInput, account: Account): Promise<void> {
    const { passkeys } = this.deps;
    await passkeys.verify(await passkeys.claim({ attempt, credential }, secondFactorOf(mfa_token), account), { requireUserVerification: false });
  }
}
