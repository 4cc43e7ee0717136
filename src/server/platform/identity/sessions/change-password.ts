import { sql } from 'drizzle-orm';
import { authProblems, type updatePassword } from '#shared/auth';
import { signInProblems } from '#shared/auth-problems';
import type { InputOf } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import type { Database } from '../../../data/database/database.ts';
import type { Principal } from '../../principal/principal.ts';
import { invalidatePrincipals } from '../../principal/principal-cache.ts';
import { type Account, findAccountById } from '../accounts/accounts.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { Reauth } from '../passwords/reauth.ts';
import type { Sessions } from './sessions.ts';

/** Changes the user's own password. Hashes are computed between transactions, never inside one; every other session ends. */
export class ChangePassword {
  constructor(
    private readonly deps: {
      readonly db: Database;
      readonly passwords: Passwords;
      readonly sessions: Sessions;
      readonly proof: Reauth;
      readonly changed: (account: Account) => void;
    },
  ) {}

  async change(input: InputOf<typeof updatePassword>, principal: Principal): Promise<void> {
    const { db, passwords, sessions, proof } = this.deps;
    const { userId, tenantId, sessionId } = principal;
    if (input.id !== undefined && input.id !== userId) throw new ApiError(problems.forbidden);
    const next = passwords.read(input.newPassword);
    if (next.canonical !== passwords.read(input.newPassword1).canonical) throw new ApiError(signInProblems.confirmationDiffers);
    const account = await findAccountById(db, tenantId, userId);
    if (!account) throw new ApiError(problems.unauthorized);
    const old = passwords.read(input.oldPassword);
    await proof.withRateLimit(principal, async () => {
      if (!(await passwords.matches(old, account.passwordHash))) throw new ApiError(authProblems.wrongOldPassword);
    });
    if (old.canonical === next.canonical) throw new ApiError(signInProblems.samePassword);
    await passwords.assertStrong(next, [account.account, account.name, account.realName, account.phone, account.email, tenantId]);
    const hash = await passwords.hash(next);
    await db.write({ tenantId }, async () => {
      await db.sql.execute(
        sql`update user_account set password_hash = ${hash}, password_expired = false, password_expires_at = null, update_user = ${userId}, update_time = now() where id = ${userId}`,
      );
      await sessions.endOthers(tenantId, userId, sessionId, 'password-changed');
      await invalidatePrincipals(db, { userId });
    });
    this.deps.changed(account);
  }
}
