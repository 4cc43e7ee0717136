import { sql } from 'drizzle-orm';
import { ApiError } from '#shared/errors';
import { registrationProblems } from '#shared/registration';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { accountStatus } from './account-status.ts';

/** Account that an identity provider vouches for. */
export interface ProvidedAccount {
  /** Source of the provider. */
  readonly source: string;
  readonly account: string;
  readonly name: string;
  readonly email: string;
  /** Hash of a random password. */
  readonly passwordHash: string;
}

/** Creates an enabled account without roles and returns its id; throws for a name that is taken. Call it inside a transaction of its tenant. */
export async function createProvidedAccount(db: Database, { source, account, name, email, passwordHash }: ProvidedAccount): Promise<string> {
  const shortName = [...(name || account)].slice(0, 64).join('');
  const [row] = await queryRows<{ id: string }>(
    db,
    sql`insert into user_account (account, password_hash, name, real_name, email, status, provided_by)
        values (${account}, ${passwordHash}, ${shortName}, ${shortName}, ${email || null}, ${accountStatus.enabled}, ${source})
        on conflict (tenant_id, lower(account)) where is_deleted = 0 do nothing returning id::text as id`,
  );
  if (!row) throw new ApiError(registrationProblems.accountTaken, {}, { field: 'account' });
  return row.id;
}

/**
 * Locks an account whose user has left the provider that has created it: no method signs it in until the provider or an administrator unlocks it. Returns false for an
 * account that was created otherwise. Call it inside a transaction of its tenant.
 */
export async function lockProvidedAccount(db: Database, userId: string, source: string): Promise<boolean> {
  const locked = await queryRows(db, sql`update user_account set provider_locked = true where id = ${userId}::bigint and provided_by = ${source} returning id`);
  return locked.length > 0;
}

/** Unlocks an account once its provider has verified its user again. Call it inside a transaction of its tenant. */
export async function unlockProvidedAccount(db: Database, userId: string, source: string): Promise<void> {
  await queryRows(db, sql`update user_account set provider_locked = false where id = ${userId}::bigint and provided_by = ${source} and provider_locked`);
}
