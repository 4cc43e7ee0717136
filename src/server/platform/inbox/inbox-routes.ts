import { inbox } from '#shared/inbox';
import { type Route, route } from '../http/route.ts';
import type { StoredInbox } from './stored-inbox.ts';

/** Serves the calls for the user's own inbox. */
export function inboxRoutes(stored: StoredInbox): Route[] {
  return [
    route(inbox.list, ({ input, principal, language }) => stored.list(principal, language, input)),
    route(inbox.unread, ({ principal }) => stored.unread(principal)),
    route(inbox.read, async ({ input, principal }) => {
      await stored.read(principal, input.ids);
      return null;
    }),
    route(inbox.readAll, async ({ input, principal }) => {
      await stored.readAll(principal, input.kind);
      return null;
    }),
    route(inbox.removeSamples, async ({ principal }) => {
      await stored.removeSamples(principal);
      return null;
    }),
  ];
}
