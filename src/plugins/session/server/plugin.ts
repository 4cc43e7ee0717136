import { sql } from 'drizzle-orm';
import { assertManageable, defineServerPlugin, endSessions, idArray, queryRows, repositoryOf, route, runBatch } from '#server';
import { OnlineUser } from '#shared/sessions';
import { onlineUsers } from '../contract.ts';
import { onlineMenu } from '../menus.ts';

/** Online users: the tenant's sessions, which administrators can end. */
export default defineServerPlugin({
  id: 'session',
  title: ['在线用户', 'Online users'],
  menus: [onlineMenu],

  setup({ db }) {
    // The stored row counts include expired sessions; any condition makes the list count its rows.
    const online = repositoryOf(db, OnlineUser, { where: () => sql`true` });

    return {
      routes: [
        route(onlineUsers.list, ({ input }) => online.page(input)),
        route(onlineUsers.kick, async (request) => {
          let count = 0;
          const result = await runBatch(db, OnlineUser, request, async (ids) => {
            const isChosen = sql`row_id = any(${idArray(ids)})`;
            const users = await queryRows<{ id: string }>(db, sql`select distinct user_id::text as id from session where ${isChosen} and revoked_at is null`);
            await assertManageable(
              db,
              users.map(({ id }) => id),
            );
            count += await endSessions(db, isChosen, 'kicked');
          });
          return { count, ...result };
        }),
      ],
    };
  },
});
