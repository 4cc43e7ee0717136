import { sql } from 'drizzle-orm';
import { defineServerPlugin, endSessions, repositoryOf } from '#server';
import { OnlineUser } from '#shared/sessions';
import { onlineUsers } from '../contract.ts';
import { onlineMenu } from '../menus.ts';

/** Online users: who of the tenant is signed in, and whose session an administrator ends. */
export default defineServerPlugin({
  id: 'session',
  title: ['在线用户', 'Online users'],
  menus: [onlineMenu],

  routes({ serve, db }) {
    // No counter knows how many sessions have not run out; a condition has them counted.
    const online = repositoryOf(db, OnlineUser, { where: () => sql`true` });

    serve(onlineUsers.list, ({ input }) => online.page(input));
    serve(onlineUsers.kick, async ({ input }) => ({ count: await endSessions(db, sql`row_id in ${input.ids}`, 'kicked') }));
  },
});
