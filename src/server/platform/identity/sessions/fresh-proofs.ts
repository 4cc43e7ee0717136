import { sql } from 'drizzle-orm';
import type { InputOf, ReplyOf } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { lockProblems } from '#shared/lock-problems';
import { type freshProof, freshProofProblems, secondFactorProblems } from '#shared/second-factor';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import type { Origin } from '../../http/route.ts';
import type { Principal } from '../../principal/principal.ts';
import { invalidatePrincipals } from '../../principal/principal-cache.ts';
import { findAccountById } from '../accounts/accounts.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Reauth } from '../passwords/reauth.ts';
import type { SecondFactors } from './second-factors.ts';

/** Dependencies of `FreshProofs`. */
export interface FreshProofsDeps {
  readonly db: Database;
  readonly passwords: Passwords;
  readonly secondFactors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly proof: Reauth;
}

const challengeUse = ({ sessionId }: Principal) => ({ purpose: 'proof', subject: sessionId }) as const;

/** Proofs of identity within a session. Each is recorded in the session, for calls that require a fresh one. */
export class FreshProofs {
  constructor(private readonly deps: FreshProofsDeps) {}

  async methods({ tenantId, userId }: Principal): Promise<ReplyOf<typeof freshProof.methods>> {
    const account = await findAccountById(this.deps.db, tenantId, userId);
    if (!account) throw new ApiError(problems.unauthorized);
    const { passwordHash, secondFactors } = account;
    return { password: passwordHash !== '', totp: secondFactors.includes('totp'), passkey: secondFactors.includes('passkey') };
  }

  begin(principal: Principal, origin: Origin): Promise<ReplyOf<typeof freshProof.begin>> {
    return this.deps.passkeys.begin(challengeUse(principal), origin, principal);
  }

  /** Verifies the proof and records its time. Wrong ones are counted, and five of them lock further attempts. */
  async confirm(input: InputOf<typeof freshProof.confirm>, principal: Principal): Promise<void> {
    const { db, proof } = this.deps;
    const { tenantId, sessionId } = principal;
    await proof.withRateLimit(principal, () => this.verify(input, principal));
    await db.write({ tenantId }, async () => {
      await queryRows(db, sql`update session set proven_at = now() where id = ${sessionId}::uuid`);
      await invalidatePrincipals(db, { sessionId });
    });
  }

  private async verify({ password, code, attempt, credential }: InputOf<typeof freshProof.confirm>, principal: Principal): Promise<void> {
    const { db, passwords, secondFactors, passkeys } = this.deps;
    if (attempt && credential) {
      const claimed = await passkeys.claim({ attempt, credential }, challengeUse(principal), principal);
      return passkeys.verify(claimed, { requireUserVerification: false });
    }
    if (code) {
      if (!(await secondFactors.consumeTotp(principal, code, true))) throw new ApiError(secondFactorProblems.wrongCode);
      return;
    }
    if (!password) throw new ApiError(freshProofProblems.nothingGiven);
    const account = await findAccountById(db, principal.tenantId, principal.userId);
    if (!account?.passwordHash || !(await passwords.matches(passwords.read(password), account.passwordHash))) throw new ApiError(lockProblems.wrongPassword);
  }
}
