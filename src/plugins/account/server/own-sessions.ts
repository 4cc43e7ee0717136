import { type SQL, sql } from 'drizzle-orm';
import { type Database, endSessions, type PluginRoute, type Principal, queryRows, route } from '#server';
import { type OwnSession, ownSessions } from '../contract.ts';

/** Serves the calls for the caller's own sessions on all devices. */
export function ownSessionRoutes(db: Database): PluginRoute[] {
  const end = async (which: SQL) => ({ count: await endSessions(db, which, 'ended-elsewhere') });

  return [
    route(ownSessions.list, ({ principal }) => sessionsOf(db, principal)),
    route(ownSessions.end, ({ input, principal: { userId } }) => end(sql`row_id in ${input.ids} and user_id = ${userId}`)),
    route(ownSessions.endOthers, ({ principal: { userId, sessionId } }) => end(sql`user_id = ${userId} and id::text <> ${sessionId}`)),
  ];
}

function sessionsOf(db: Database, { userId, sessionId }: Principal): Promise<OwnSession[]> {
  return queryRows<OwnSession>(
    db,
    sql`select row_id::text as id, device, address, to_char(create_time, 'YYYY-MM-DD HH24:MI:SS') as "createTime",
          to_char(last_used_at, 'YYYY-MM-DD HH24:MI:SS') as "lastUsedAt", id::text = ${sessionId} as "isCurrent"
        from session where user_id = ${userId} and revoked_at is null and expires_at > now()
        order by id::text = ${sessionId} desc, last_used_at desc, row_id desc limit 200`,
  );
}
