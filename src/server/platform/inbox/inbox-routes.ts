import { inbox } from '#shared/inbox';
import { type Route, route } from '../http/route.ts';
import type { StoredInbox } from './stored-inbox.ts';

/** Serves the calls for the user's own inbox. */
export function inboxRoutes(stored: StoredInbox): Route[] {
  return [
    route(inbox.list, ({ input, principal, language }) => stored.list(principal, language, input)),
    route(inbox.unread, ({ principal }) => stored.unread(principal)),
    route(inbox.read, ({ input, principal }) => stored.read(principal, input.ids)),
    route(inbox.readAll, ({ input, principal }) => stored.readAll(principal, input.kind)),
    route(inbox.removeSamples, ({ principal }) => stored.removeSamples(principal)),
  ];
}
