import { hash, randomInt } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import type { ReplyOf } from '#shared/contract';
import { ApiError } from '#shared/errors';
import { type secondFactor, secondFactorProblems } from '#shared/second-factor';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { assertManageable } from '../../permission/manageable-accounts.ts';
import type { Principal } from '../../principal/principal.ts';
import { invalidatePrincipals } from '../../principal/principal-cache.ts';
import { findAccountById, isSecondFactorMissing } from '../accounts/accounts.ts';
import type { Reauth } from '../passwords/reauth.ts';

const period = 30;
/** Number of steps a clock may be off. */
const tolerance = 1;
const recoveryCodes = 10;
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

type SecondFactorOwner = Pick<Principal, 'tenantId' | 'userId'>;

/** Dependencies of `SecondFactors`. */
export interface SecondFactorsDeps {
  readonly db: Database;
  readonly proof: Reauth;
  /** Name that authenticator apps show beside the code. */
  readonly issuer: string;
}

/** Codes of authenticator apps and recovery codes. A code works once, even in simultaneous requests; secrets are stored encrypted, recovery codes as hashes. */
export class SecondFactors {
  constructor(private readonly deps: SecondFactorsDeps) {}

  async status(principal: SecondFactorOwner): Promise<ReplyOf<typeof secondFactor.status>> {
    const account = await findAccountById(this.deps.db, principal.tenantId, principal.userId);
    return this.inTenant(principal, async () => {
      const { userId } = principal;
      const [stored] = await queryRows<{ isEnrolled: boolean; recoveryCodesLeft: number; hasPasskey: boolean }>(
        this.deps.db,
        sql`select exists (select 1 from second_factor f where f.user_id = ${userId} and f.confirmed_at is not null) as "isEnrolled",
                   (select count(*)::integer from recovery_code c where c.user_id = ${userId}) as "recoveryCodesLeft",
                   exists (select 1 from passkey p where p.user_id = ${userId}) as "hasPasskey"`,
      );
      return { isEnrolled: false, recoveryCodesLeft: 0, hasPasskey: false, ...stored, isRequired: account?.requiresSecondFactor === true };
    });
  }

  async enrol(password: string, principal: Principal): Promise<{ secret: string; uri: string }> {
    const { db, proof } = this.deps;
    await proof.verify(password, principal);
    const totp = this.totp(new Secret({ size: 20 }), principal.account);
    const begun = await this.inTenant(principal, () =>
      queryRows(
        db,
        sql`insert into second_factor as held (tenant_id, user_id, secret) values (${principal.tenantId}, ${principal.userId}, ${db.encryption.encrypt(totp.secret.base32)})
            on conflict (user_id, tenant_id) do update set secret = excluded.secret, last_step = 0, create_time = now() where held.confirmed_at is null
            returning user_id`,
      ),
    );
    if (begun.length === 0) throw new ApiError(secondFactorProblems.alreadyEnrolled);
    return { secret: totp.secret.base32, uri: totp.toString() };
  }

  async confirm(code: string, principal: Principal): Promise<{ recoveryCodes: string[] }> {
    const { db, proof } = this.deps;
    if ((await this.status(principal)).isEnrolled) throw new ApiError(secondFactorProblems.alreadyEnrolled);
    await proof.withRateLimit(principal, async () => {
      if (!(await this.consumeTotp(principal, code, false))) throw new ApiError(secondFactorProblems.wrongCode);
    });
    return this.inTenant(principal, async () => {
      await queryRows(db, sql`update second_factor set confirmed_at = now() where user_id = ${principal.userId} and confirmed_at is null`);
      await invalidatePrincipals(db, { userId: principal.userId });
      return this.newCodes(principal);
    });
  }

  async disable(password: string, principal: Principal): Promise<void> {
    const { db, proof } = this.deps;
    await proof.verify(password, principal);
    await this.inTenant(principal, async () => {
      await queryRows(db, sql`delete from second_factor where user_id = ${principal.userId}`);
      await assertRequiredSecondFactor(db, principal);
    });
  }

  /** Removes the second factors of users of the caller's tenant, on behalf of an administrator. */
  async reset(userIds: readonly string[], principal: Principal): Promise<void> {
    const { db } = this.deps;
    await this.inTenant(principal, async () => {
      await assertManageable(db, userIds);
      await removeSecondFactors(db, userIds);
    });
  }

  async renewCodes(password: string, principal: Principal): Promise<{ recoveryCodes: string[] }> {
    await this.deps.proof.verify(password, principal);
    if (!(await this.status(principal)).isEnrolled) throw new ApiError(secondFactorProblems.notEnrolled);
    return this.inTenant(principal, () => this.newCodes(principal));
  }

  /** Tests a code of the app or a recovery code, and uses it up if it is right. */
  async consumeCode(whose: SecondFactorOwner, code: string): Promise<boolean> {
    const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '');
    if (/^\d{6}$/.test(plain)) return this.consumeTotp(whose, plain, true);
    const used = await this.inTenant(whose, () =>
      queryRows(this.deps.db, sql`delete from recovery_code where user_id = ${whose.userId} and code_hash = ${hash('sha256', plain)} returning user_id`),
    );
    return used.length > 0;
  }

  /** Tests a code of the app, confirmed or being set up, and uses it up if it is right. */
  async consumeTotp(whose: SecondFactorOwner, code: string, isConfirmed: boolean): Promise<boolean> {
    const { db } = this.deps;
    return this.inTenant(whose, async () => {
      const [factor] = await queryRows<{ secret: string }>(
        db,
        sql`select secret from second_factor where user_id = ${whose.userId} and (confirmed_at is not null) = ${isConfirmed}`,
      );
      if (!factor) throw new ApiError(secondFactorProblems.notEnrolled);
      const totp = this.totp(Secret.fromBase32(db.encryption.decrypt(factor.secret)), '');
      const timestamp = Date.now();
      const delta = totp.validate({ token: code.trim(), window: tolerance, timestamp });
      if (delta === null) return false;
      const step = totp.counter({ timestamp }) + delta;
      const updatedRows = await queryRows(
        db,
        sql`update second_factor set last_step = ${step} where user_id = ${whose.userId} and last_step < ${step} returning user_id`,
      );
      return updatedRows.length > 0;
    });
  }

  private async newCodes({ tenantId, userId }: SecondFactorOwner): Promise<{ recoveryCodes: string[] }> {
    const { db } = this.deps;
    const codes = Array.from({ length: recoveryCodes }, randomCode);
    await queryRows(db, sql`delete from recovery_code where user_id = ${userId}`);
    for (const code of codes) {
      await queryRows(
        db,
        sql`insert into recovery_code (tenant_id, user_id, code_hash) values (${tenantId}, ${userId}, ${hash('sha256', code.replace('-', ''))})`,
      );
    }
    return { recoveryCodes: codes };
  }

  private totp(secret: Secret, label: string): TOTP {
    return new TOTP({ issuer: this.deps.issuer, label, algorithm: 'SHA1', digits: 6, period, secret });
  }

  private inTenant<Result>({ tenantId }: SecondFactorOwner, work: () => Promise<Result>): Promise<Result> {
    return this.deps.db.write({ tenantId }, work);
  }
}

/** Removes the second factors of accounts: authenticator app, recovery codes and passkeys. Call it inside `write`. */
export async function removeSecondFactors(db: Database, userIds: readonly string[]): Promise<void> {
  await queryRows(db, sql`delete from second_factor where user_id in ${userIds}`);
  await queryRows(db, sql`delete from passkey where user_id in ${userIds}`);
  for (const userId of userIds) await invalidatePrincipals(db, { userId });
}

/** Throws if a role of the account requires a second factor and the transaction has removed the last one. */
export async function assertRequiredSecondFactor(db: Database, { tenantId, userId }: SecondFactorOwner): Promise<void> {
  const account = await findAccountById(db, tenantId, userId);
  if (account && isSecondFactorMissing(account)) throw new ApiError(secondFactorProblems.requiredByRole);
}

/** Generates two groups of six out of 31 characters: 59 bits. */
function randomCode(): string {
  const group = () => Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${group()}-${group()}`;
}
