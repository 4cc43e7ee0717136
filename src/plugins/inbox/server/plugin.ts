import { sql } from 'drizzle-orm';
import { defineServerPlugin, Inbox } from '#server';
import { inbox } from '../contract.ts';
import { removeSampleMessages, seedFirstSamples } from './sample-messages.ts';
import { StoredInbox } from './stored-inbox.ts';

/** Inbox: stores notifications for 180 days and serves each user their own. */
export default defineServerPlugin({
  id: 'inbox',
  title: ['通知中心', 'Inbox'],

  routes({ serve, share, every, db, live }) {
    const stored = new StoredInbox(db, live);
    share(Inbox, stored);

    serve(inbox.list, ({ input, principal, language }) => stored.list(principal, language, input));
    serve(inbox.unread, ({ principal }) => stored.unread(principal));
    serve(inbox.read, async ({ input, principal }) => {
      await stored.read(principal, input.ids);
      return null;
    });
    serve(inbox.readAll, async ({ input, principal }) => {
      await stored.readAll(principal, input.kind);
      return null;
    });
    serve(inbox.removeSamples, async ({ principal }) => {
      await stored.removeSamples(principal);
      return null;
    });

    every(3600, async () => {
      const old = sql`delete from inbox_message where create_time < now() - interval '180 days'`;
      await db.asPlatform('old notifications of all tenants are removed together', () => db.sql.execute(old));
    });
  },

  seed: async ({ db, hasSamples }) => {
    if (hasSamples) await seedFirstSamples(db);
  },

  start: async ({ db, hasSamples }) => {
    if (!hasSamples) await removeSampleMessages(db);
  },
});
