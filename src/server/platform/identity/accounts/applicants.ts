import { type SQL, sql } from 'drizzle-orm';
import { signInMethodProblems } from '#shared/auth-problems';
import { ApiError } from '#shared/errors';
import { registrationProblems, registrationStatuses } from '#shared/registration';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { accountStatus } from './account-status.ts';

/** A new request for an account. */
export interface Applicant {
  readonly account: string;
  readonly name: string;
  /** Origin of the request: a source of identities, or `form`. */
  readonly source: string;
  readonly phone: string;
  readonly email: string;
  readonly oauthId?: string;
  readonly passwordHash: string;
}

/** Creates an account without roles that awaits approval, with its registration request, and returns its id. Call it inside a transaction of its tenant. */
export async function createApplicant(db: Database, { account, name, source, phone, email, oauthId, passwordHash }: Applicant): Promise<string> {
  const shortName = [...name].slice(0, 64).join('');
  const [row] = await queryRows<{ id: string }>(
    db,
    sql`insert into user_account (account, password_hash, name, real_name, phone, email, status)
        values (${account}, ${passwordHash}, ${shortName}, ${shortName}, ${phone || null}, ${email || null}, ${accountStatus.awaitingApproval})
        on conflict (tenant_id, lower(account)) where is_deleted = 0 do nothing returning id::text as id`,
  );
  if (!row) throw new ApiError(registrationProblems.accountTaken, {}, { field: 'account' });
  await db.sql.execute(
    sql`insert into registration (account, name, source, phone, email, user_id, oauth_id)
        values (${account}, ${shortName}, ${source}, ${phone || null}, ${email || null}, ${row.id}, ${oauthId ?? null})`,
  );
  return row.id;
}

/** A registration request that is pending or rejected. */
export interface RegistrationRequest {
  readonly isRefused: boolean;
  /** Reason for the rejection; '' if none was entered. */
  readonly reason: string;
  /** Hash of the password chosen in the request. */
  readonly passwordHash: string;
}

/**
 * Finds the latest registration request for an account name. Call it inside `read` together with the search for the account, so that response times do not reveal which
 * exists.
 */
export const registrationByName = (db: Database, account: string): Promise<RegistrationRequest | undefined> =>
  latestRegistration(db, sql`lower(r.account) = lower(${account})`);

/** Finds the latest registration request of an external identity. Call it inside `read`. */
export const registrationOfIdentity = (db: Database, oauthId: string): Promise<RegistrationRequest | undefined> =>
  latestRegistration(db, sql`r.oauth_id = ${oauthId}::bigint`);

async function latestRegistration(db: Database, condition: SQL): Promise<RegistrationRequest | undefined> {
  const { approved, refused } = registrationStatuses;
  const [request] = await queryRows<RegistrationRequest & { decision: number }>(
    db,
    sql`select r.decision, r.decision = ${refused} as "isRefused", coalesce(r.reason, '') as reason, u.password_hash as "passwordHash"
        from registration r join user_account u on u.id = r.user_id where ${condition} and r.is_deleted = 0 order by r.id desc limit 1`,
  );
  return request?.decision === approved ? undefined : request;
}

/** Returns the error for an applicant who has proved their identity. */
export function registrationError({ isRefused, reason }: RegistrationRequest): ApiError {
  if (!isRefused) return new ApiError(signInMethodProblems.awaitingApproval);
  return reason === '' ? new ApiError(registrationProblems.refused) : new ApiError(registrationProblems.rejectedWithReason, { reason });
}
