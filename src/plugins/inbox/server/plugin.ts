import { sql } from 'drizzle-orm';
import { Deployment, defineServerPlugin, Inbox, provide, route } from '#server';
import { inbox } from '../contract.ts';
import { removeSampleMessages, seedFirstSamples } from './sample-messages.ts';
import { StoredInbox } from './stored-inbox.ts';

/** Inbox: stores notifications for 180 days and serves each user their own. */
export default defineServerPlugin({
  id: 'inbox',
  title: ['通知中心', 'Inbox'],

  async seed({ db, get }) {
    if (get(Deployment).hasSamples) await seedFirstSamples(db);
  },

  setup({ db, live, get }) {
    const stored = new StoredInbox(db, live);

    return {
      services: [provide(Inbox, stored)],
      routes: [
        route(inbox.list, ({ input, principal, language }) => stored.list(principal, language, input)),
        route(inbox.unread, ({ principal }) => stored.unread(principal)),
        route(inbox.read, ({ input, principal }) => stored.read(principal, input.ids)),
        route(inbox.readAll, ({ input, principal }) => stored.readAll(principal, input.kind)),
        route(inbox.removeSamples, ({ principal }) => stored.removeSamples(principal)),
      ],
      tasks: [
        {
          everySeconds: 3600,
          run: async () => {
            const old = sql`delete from inbox_message where create_time < now() - interval '180 days'`;
            await db.asPlatform('old notifications of all tenants are removed together', () => db.sql.execute(old));
          },
        },
      ],
      async start() {
        if (!get(Deployment).hasSamples) await removeSampleMessages(db);
      },
    };
  },
});
