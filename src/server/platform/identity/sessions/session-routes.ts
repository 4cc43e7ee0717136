import { sql } from 'drizzle-orm';
import type { UserFacts } from '#shared/auth';
import { ApiError, problems } from '#shared/errors';
import { rolePreview } from '#shared/role-preview';
import { type OwnSession, ownSessions, unlockUsers } from '#shared/sessions';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { type Route, route } from '../../http/route.ts';
import { assertManageable } from '../../permission/manageable-accounts.ts';
import type { Principal } from '../../principal/principal.ts';
import { accountInSession } from '../accounts/accounts.ts';
import { beginPreview, endPreview } from '../accounts/role-preview.ts';
import { countedAs, type SignInFailures } from '../passwords/failures.ts';
import { reauthKey } from '../passwords/reauth.ts';
import { userFacts } from './replies.ts';
import type { Sessions } from './sessions.ts';

/** Dependencies of the session routes. */
export interface SessionRoutesDeps {
  readonly db: Database;
  readonly sessions: Sessions;
  readonly failures: SignInFailures;
}

/** Serves the calls for the user's own sessions and for unlocking accounts. */
export function sessionRoutes({ db, sessions, failures }: SessionRoutesDeps): Route[] {
  return [
    route(ownSessions.list, ({ principal }) => listOwn(db, principal)),
    route(ownSessions.end, async ({ input, principal }) => ({
      count: await sessions.endNumbered(principal.tenantId, input.ids, 'ended-elsewhere', principal.userId),
    })),
    route(ownSessions.endOthers, async ({ principal: { tenantId, userId, sessionId } }) => ({
      count: await sessions.endOthers(tenantId, userId, sessionId, 'ended-elsewhere'),
    })),
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
  ];
}

async function factsIn(db: Database, { tenantId, sessionId }: Principal): Promise<UserFacts> {
  const account = await accountInSession(db, tenantId, sessionId);
  if (!account) throw new ApiError(problems.unauthorized);
  return userFacts(account);
}

function listOwn(db: Database, { userId, sessionId }: Principal): Promise<OwnSession[]> {
  return queryRows<OwnSession>(
    db,
    sql`select row_id::text as id, device, address, to_char(create_time, 'YYYY-MM-DD HH24:MI:SS') as "createTime",
          to_char(last_used_at, 'YYYY-MM-DD HH24:MI:SS') as "lastUsedAt", id::text = ${sessionId} as "isCurrent"
        from session where user_id = ${userId} and revoked_at is null and expires_at > now()
        order by id::text = ${sessionId} desc, last_used_at desc, row_id desc limit 200`,
  );
}

/** Clears the failures of accounts; rejects accounts of another tenant or outside the caller's data scope as not found. */
async function unlock(db: Database, failures: SignInFailures, userIds: readonly string[], { tenantId }: Principal): Promise<void> {
  await assertManageable(db, userIds);
  const users = await queryRows<{ userId: string; account: string }>(
    db,
    sql`select id::text as "userId", account from user_account where id in ${userIds} and is_deleted = 0`,
  );
  await failures.forget(users.flatMap(({ userId, account }) => [countedAs(tenantId, account), reauthKey({ tenantId, userId })]));
}
