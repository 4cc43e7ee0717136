import { sql } from 'drizzle-orm';
import { ApiError } from '#shared/errors';
import { registrationProblems } from '#shared/registration';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { accountStatus } from './account-status.ts';

/** Account that an identity provider vouches for. */
export interface ProvidedAccount {
  readonly account: string;
  readonly name: string;
  readonly email: string;
  /** Hash of a random password. */
  readonly passwordHash: string;
}

/** Creates an enabled account without roles and returns its id; throws for a name that is taken. Call it inside a transaction of its tenant. */
export async function createProvidedAccount(db: Database, { account, name, email, passwordHash }: ProvidedAccount): Promise<string> {
  const shortName = [...(name || account)].slice(0, 64).join('');
  const [row] = await queryRows<{ id: string }>(
    db,
    sql`insert into user_account (account, password_hash, name, real_name, email, status)
        values (${account}, ${passwordHash}, ${shortName}, ${shortName}, ${email || null}, ${accountStatus.enabled})
        on conflict (tenant_id, lower(account)) where is_deleted = 0 do nothing returning id::text as id`,
  );
  if (!row) throw new ApiError(registrationProblems.accountTaken, {}, { field: 'account' });
  return row.id;
}
