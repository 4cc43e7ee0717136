import { sql } from 'drizzle-orm';
import { idArray, queryRows, type ServerContext } from '#server';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { userStatus } from '../contract.ts';
import type { PasswordEmails } from '../server-extension.ts';

/** Marks the passwords of accounts to which new ones can be e-mailed. */
export async function markMailable(
  db: ServerContext['db'],
  emails: PasswordEmails | undefined,
  passwords: readonly OneTimePassword[],
): Promise<OneTimePassword[]> {
  if (passwords.length === 0 || !(await emails?.isOffered(db.tenantId ?? ''))) return [...passwords];
  const ids = idArray(passwords.map(({ id }) => id));
  const reachable = await queryRows<{ id: string }>(
    db,
    sql`select id::text as id from user_account where id = any(${ids}) and status = ${userStatus.enabled} and coalesce(email, '') <> ''`,
  );
  const mailable = new Set(reachable.map(({ id }) => id));
  return passwords.map((one) => (mailable.has(one.id) ? { ...one, isMailable: true } : one));
}
