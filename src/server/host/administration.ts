import { sql } from 'drizzle-orm';
import type { OneTimePassword } from '#shared/one-time-passwords';
import type { IntegerParameter } from '#shared/parameters';
import type { Keys } from '../base/configuration/secret-key.ts';
import type { Database } from '../data/database/database.ts';
import { queryRows } from '../data/database/rows.ts';
import { clearFailures, failureKey } from '../platform/identity/passwords/failures.ts';
import { assignOneTimePassword } from '../platform/identity/passwords/one-time-passwords.ts';
import { Passwords } from '../platform/identity/passwords/passwords.ts';
import { reauthKey } from '../platform/identity/passwords/reauth.ts';
import { removeSecondFactors } from '../platform/identity/sessions/second-factors.ts';
import { endSessions } from '../platform/identity/sessions/sessions.ts';
import { invalidatePrincipals } from '../platform/principal/principal-cache.ts';

/** The account of a password reset from the command line. */
export interface PasswordReset {
  readonly tenantId: string;
  readonly account: string;
  /** Also removes the account's second factors: the authenticator app and passkeys. */
  readonly secondFactor: boolean;
}

/** Answers every parameter with its default, so that the lifetime of the password needs no running server. */
const defaultParameters = { integer: async ({ preset }: IntegerParameter) => preset };

/**
 * Resets an account's password for an administrator at the server's command line and returns the new one-time password. Ends the sessions of the account and clears its
 * failed attempts. Returns undefined if the account does not exist.
 */
export async function resetFromCommandLine(
  db: Database,
  sm2Keys: Keys,
  { tenantId, account, secondFactor }: PasswordReset,
): Promise<OneTimePassword | undefined> {
  const issuedPassword = await db.write({ tenantId }, async () => {
    const [user] = await queryRows<{ id: string }>(
      db,
      sql`select id::text as id from user_account where tenant_id = ${tenantId} and lower(account) = lower(${account}) and is_deleted = 0`,
    );
    if (!user) return undefined;
    const password = await assignOneTimePassword({ db, passwords: new Passwords(sm2Keys), parameters: defaultParameters }, user.id);
    if (secondFactor) await removeSecondFactors(db, [user.id]);
    await endSessions(db, sql`user_id = ${user.id}::bigint`, 'password-changed');
    await invalidatePrincipals(db, { userId: user.id });
    return password;
  });
  if (!issuedPassword) return undefined;
  const failureKeys = [failureKey(tenantId, issuedPassword.account), reauthKey({ tenantId, userId: issuedPassword.id })];
  await db.asPlatform('counts failed sign-ins across tenants', () => clearFailures(db, failureKeys));
  return issuedPassword;
}
