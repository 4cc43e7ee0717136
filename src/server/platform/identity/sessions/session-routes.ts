import { sql } from 'drizzle-orm';
import type { UserFacts } from '#shared/auth';
import type { InputOf } from '#shared/contract';
import { ApiError, problems } from '#shared/errors';
import { rolePreview } from '#shared/role-preview';
import { resetSecondFactor, secondFactor } from '#shared/second-factor';
import { type AccountState, accountAccess, unlockUsers } from '#shared/sessions';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { type Route, route } from '../../http/route.ts';
import { assertManageable } from '../../permission/manageable-accounts.ts';
import type { Principal } from '../../principal/principal.ts';
import { findSessionAccount } from '../accounts/accounts.ts';
import { beginPreview, endPreview } from '../accounts/role-preview.ts';
import { failureKey, type SignInFailures } from '../passwords/failures.ts';
import { reauthKey } from '../passwords/reauth.ts';
import { userFacts } from './replies.ts';
import type { SecondFactors } from './second-factors.ts';
import { endSessions } from './sessions.ts';

/** Dependencies of `sessionRoutes`. */
export interface SessionRoutesDeps {
  readonly db: Database;
  readonly failures: SignInFailures;
  readonly secondFactors: SecondFactors;
}

/** Serves the calls for the role preview of a session, for unlocking accounts, and for second factors. */
export function sessionRoutes({ db, failures, secondFactors }: SessionRoutesDeps): Route[] {
  const withoutTransaction = { manualTransactions: true } as const;
  const setup = { ...withoutTransaction, allowMissingSecondFactor: true } as const;
  return [
    route(rolePreview.begin, async ({ input, principal }) => {
      await beginPreview(db, principal, input.roleIds);
      return factsIn(db, principal);
    }),
    route(
      rolePreview.end,
      async ({ principal }) => {
        await endPreview(db, principal);
        return factsIn(db, principal);
      },
      { allowPreview: true },
    ),
    route(unlockUsers, async ({ input, principal }) => unlock(db, failures, input.userIds, principal)),
    route(accountAccess.state, ({ input, principal }) => accountState(db, failures, input.userId, principal)),
    route(accountAccess.endSessions, ({ input, principal }) => endSessionsOf(db, input, principal)),
    route(secondFactor.status, ({ principal }) => secondFactors.status(principal), setup),
    route(secondFactor.enrol, ({ input, principal }) => secondFactors.enrol(input.password, principal), setup),
    route(secondFactor.confirm, ({ input, principal }) => secondFactors.confirm(input.code, principal), setup),
    route(secondFactor.disable, ({ input, principal }) => secondFactors.disable(input.password, principal), withoutTransaction),
    route(secondFactor.renewCodes, ({ input, principal }) => secondFactors.renewCodes(input.password, principal), withoutTransaction),
    route(resetSecondFactor, ({ input, principal }) => secondFactors.reset(input.userIds, principal)),
  ];
}

async function factsIn(db: Database, { tenantId, sessionId }: Principal): Promise<UserFacts> {
  const account = await findSessionAccount(db, tenantId, sessionId);
  if (!account) throw new ApiError(problems.unauthorized);
  return userFacts(account);
}

/** Clears the failed attempts of accounts and the locks of their providers. Accounts of another tenant or outside the data scope of the caller are not found. */
async function unlock(db: Database, failures: SignInFailures, userIds: readonly string[], { tenantId }: Principal): Promise<void> {
  await assertManageable(db, userIds);
  const users = await queryRows<{ userId: string; account: string }>(
    db,
    sql`select id::text as "userId", account from user_account where id in ${userIds} and is_deleted = 0`,
  );
  await queryRows(db, sql`update user_account set provider_locked = false where id in ${userIds} and is_deleted = 0 and provider_locked`);
  await failures.clear(users.flatMap(({ userId, account }) => [failureKey(tenantId, account), reauthKey({ tenantId, userId })]));
}

interface StoredState {
  readonly account: string;
  readonly hasSecondFactor: boolean;
  readonly isProviderLocked: boolean;
  readonly passwordUntil: string | null;
  readonly lastSignIn: AccountState['lastSignIn'] | null;
}

/** Returns the sign-in state of an account that the caller may manage. */
async function accountState(db: Database, failures: SignInFailures, userId: string, caller: Principal): Promise<AccountState> {
  await assertManageable(db, [userId]);
  const [stored] = await queryRows<StoredState>(
    db,
    sql`select u.account, u.provider_locked as "isProviderLocked", exists (select from second_factor f where f.user_id = u.id and f.confirmed_at is not null)
            or exists (select from passkey p where p.user_id = u.id) as "hasSecondFactor",
          case when u.password_expired then to_char(u.password_expires_at, 'YYYY-MM-DD HH24:MI:SS') end as "passwordUntil",
          (select json_build_object('time', to_char(l.create_time, 'YYYY-MM-DD HH24:MI:SS'), 'address', l.address, 'device', l.device)
            from login_log l where l.user_id = u.id and l.outcome = 'granted' order by l.create_time desc limit 1) as "lastSignIn"
        from user_account u where u.id = ${userId}::bigint and u.is_deleted = 0`,
  );
  if (!stored) throw new ApiError(problems.notFound);
  const { account, hasSecondFactor, isProviderLocked, passwordUntil, lastSignIn } = stored;
  const lockedUntil = await failures.lockedUntil([failureKey(caller.tenantId, account), reauthKey({ tenantId: caller.tenantId, userId })]);
  return {
    hasSecondFactor,
    ...(lockedUntil && { lockedUntil }),
    ...(isProviderLocked && { isProviderLocked }),
    ...(passwordUntil && { passwordUntil }),
    ...(lastSignIn && { lastSignIn }),
    ...(caller.codes.has('online') && { sessions: await sessionsOf(db, userId, caller.sessionId) }),
  };
}

/** Ends sessions of an account that the caller may manage, and returns their number. */
async function endSessionsOf(db: Database, { userId, ids }: InputOf<typeof accountAccess.endSessions>, caller: Principal): Promise<{ count: number }> {
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
