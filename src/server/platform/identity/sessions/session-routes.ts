import { sql } from 'drizzle-orm';
import type { UserFacts } from '#shared/auth';
import { ApiError, problems } from '#shared/errors';
import { rolePreview } from '#shared/role-preview';
import { resetSecondFactor, secondFactor } from '#shared/second-factor';
import { accountAccess, unlockUsers } from '#shared/sessions';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { type Route, route } from '../../http/route.ts';
import { assertManageable } from '../../permission/manageable-accounts.ts';
import type { Principal } from '../../principal/principal.ts';
import { accountInSession } from '../accounts/accounts.ts';
import { beginPreview, endPreview } from '../accounts/role-preview.ts';
import { failureKey, type SignInFailures } from '../passwords/failures.ts';
import { reauthKey } from '../passwords/reauth.ts';
import { accountState, endSessionsOf } from './account-state.ts';
import { userFacts } from './replies.ts';
import type { SecondFactors } from './second-factors.ts';

/** Dependencies of `sessionRoutes`. */
export interface SessionRoutesDeps {
  readonly db: Database;
  readonly failures: SignInFailures;
  readonly secondFactors: SecondFactors;
}

/** Serves the calls for the role preview of a session, for unlocking accounts, and for second factors. */
export function sessionRoutes({ db, failures, secondFactors }: SessionRoutesDeps): Route[] {
  const withoutTransaction = { manualTransactions: true } as const;
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
    route(secondFactor.status, ({ principal }) => secondFactors.status(principal), withoutTransaction),
    route(secondFactor.enrol, ({ input, principal }) => secondFactors.enrol(input.password, principal), withoutTransaction),
    route(secondFactor.confirm, ({ input, principal }) => secondFactors.confirm(input.code, principal), withoutTransaction),
    route(secondFactor.disable, ({ input, principal }) => secondFactors.disable(input.password, principal), withoutTransaction),
    route(secondFactor.renewCodes, ({ input, principal }) => secondFactors.renewCodes(input.password, principal), withoutTransaction),
    route(resetSecondFactor, ({ input, principal }) => secondFactors.reset(input.userIds, principal)),
  ];
}

async function factsIn(db: Database, { tenantId, sessionId }: Principal): Promise<UserFacts> {
  const account = await accountInSession(db, tenantId, sessionId);
  if (!account) throw new ApiError(problems.unauthorized);
  return userFacts(account);
}

/** Clears the failed attempts of accounts. Accounts of another tenant or outside the data scope of the caller are not found. */
async function unlock(db: Database, failures: SignInFailures, userIds: readonly string[], { tenantId }: Principal): Promise<void> {
  await assertManageable(db, userIds);
  const users = await queryRows<{ userId: string; account: string }>(
    db,
    sql`select id::text as "userId", account from user_account where id in ${userIds} and is_deleted = 0`,
  );
  await failures.clear(users.flatMap(({ userId, account }) => [failureKey(tenantId, account), reauthKey({ tenantId, userId })]));
}
