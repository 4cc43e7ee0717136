import { sql } from 'drizzle-orm';
import { initialPasswordDays } from '#shared/kernel-parameters';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { ContextVariable } from '../../../base/context-variable.ts';
import type { Parameters } from '../../../base/parameters.ts';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { generatedPassword, type Passwords } from './passwords.ts';

/** Dependencies of `assignOneTimePassword`. */
export interface OneTimePasswordDeps {
  readonly db: Database;
  readonly passwords: Pick<Passwords, 'read' | 'hashGenerated'>;
  readonly parameters: Pick<Parameters, 'integer'>;
}

/**
 * Sets a generated password that expires after some days and must be changed at the first sign-in, and unlocks an account that its identity provider has locked. Returns undefined if there is no such account, or if `onlyNew` is
 * set and the account has a password. Call it inside `write`.
 */
export async function assignOneTimePassword(
  { db, passwords, parameters }: OneTimePasswordDeps,
  id: string,
  { onlyNew = false } = {},
): Promise<OneTimePassword | undefined> {
  const password = generatedPassword();
  const hash = await passwords.hashGenerated(passwords.read(password));
  const days = await parameters.integer(initialPasswordDays);
  const [account] = await queryRows<Omit<OneTimePassword, 'password'>>(
    db,
    sql`update user_account set password_hash = ${hash}, password_expired = true, password_expires_at = now() + make_interval(days => ${days}), provider_locked = false, update_time = now()
        where id = ${id}::bigint and is_deleted = 0 and (not ${onlyNew}::boolean or password_hash = '')
        returning id::text as id, account, real_name as "realName", to_char(password_expires_at, 'YYYY-MM-DD HH24:MI:SS') as "expiresAt"`,
  );
  return account && { ...account, password };
}

const collections = new ContextVariable<OneTimePassword[]>();

/** Runs `work` and returns its result with the passwords that were assigned to accounts meanwhile. */
export async function collectPasswords<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly passwords: readonly OneTimePassword[] }> {
  const passwords: OneTimePassword[] = [];
  return { result: await collections.run(passwords, work), passwords };
}

/** Passes a password to the surrounding `collectPasswords`; outside of one it is discarded. */
export function collectPassword(password: OneTimePassword): void {
  collections.get()?.push(password);
}
