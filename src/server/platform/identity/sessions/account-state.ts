import { sql } from 'drizzle-orm';
import type { InputOf } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import type { AccountState, accountAccess } from '#shared/sessions';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { assertManageable } from '../../permission/manageable-accounts.ts';
import type { Principal } from '../../principal/principal.ts';
import { failureKey, type SignInFailures } from '../passwords/failures.ts';
import { reauthKey } from '../passwords/reauth.ts';
import { endSessions } from './sessions.ts';

interface StoredState {
  readonly account: string;
  readonly hasSecondFactor: boolean;
  readonly passwordUntil: string | null;
  readonly lastSignIn: AccountState['lastSignIn'] | null;
}

/** Returns the sign-in state of an account that the caller may manage. */
export async function accountState(db: Database, failures: SignInFailures, userId: string, caller: Principal): Promise<AccountState> {
  await assertManageable(db, [userId]);
  const [stored] = await queryRows<StoredState>(
    db,
    sql`select u.account, exists (select from second_factor f where f.user_id = u.id and f.confirmed_at is not null) as "hasSecondFactor",
          case when u.password_expired then to_char(u.password_expires_at, 'YYYY-MM-DD HH24:MI:SS') end as "passwordUntil",
          (select json_build_object('time', to_char(l.create_time, 'YYYY-MM-DD HH24:MI:SS'), 'address', l.address, 'device', l.device)
            from login_log l where l.user_id = u.id and l.outcome = 'granted' order by l.create_time desc limit 1) as "lastSignIn"
        from user_account u where u.id = ${userId}::bigint and u.is_deleted = 0`,
  );
  if (!stored) throw new ApiError(problems.notFound);
  const { account, hasSecondFactor, passwordUntil, lastSignIn } = stored;
  const lockedUntil = await failures.lockedUntil([failureKey(caller.tenantId, account), reauthKey({ tenantId: caller.tenantId, userId })]);
  return {
    hasSecondFactor,
    ...(lockedUntil && { lockedUntil }),
    ...(passwordUntil && { passwordUntil }),
    ...(lastSignIn && { lastSignIn }),
    ...(caller.codes.has('online') && { sessions: await sessionsOf(db, userId, caller.sessionId) }),
  };
}

/** Ends sessions of an account that the caller may manage, and returns their number. */
export async function endSessionsOf(db: Database, { userId, ids }: InputOf<typeof accountAccess.endSessions>, caller: Principal): Promise<{ count: number }> {
  await assertManageable(db, [userId]);
  const which = ids ? sql`user_id = ${userId}::bigint and row_id in ${ids}` : sql`user_id = ${userId}::bigint and id::text <> ${caller.sessionId}`;
  return { count: await endSessions(db, which, 'kicked') };
}

const sessionsOf = (db: Database, userId: string, current: string) =>
  queryRows<NonNullable<AccountState['sessions']>[number]>(
    db,
    sql`select row_id::text as id, device, address, to_char(create_time, 'YYYY-MM-DD HH24:MI:SS') as "createTime",
          to_char(last_used_at, 'YYYY-MM-DD HH24:MI:SS') as "lastUsedAt", id::text = ${current} as "isCurrent"
        from session where user_id = ${userId}::bigint and revoked_at is null and expires_at > now()
        order by last_used_at desc, row_id desc limit 200`,
  );
