import { liveEvents } from '#shared/live';
import { onPrincipalsForgotten } from '../auth/principal-cache.ts';
import type { Database } from '../db/database.ts';
import type { App } from '../http/app.ts';
import type { StreamRoute } from '../http/route.ts';
import type { PluginSwitches } from '../switches/plugin-switches.ts';
import type { LiveEvents } from './live-events.ts';
import { LiveHub } from './live-hub.ts';

/** What listening consoles are served from. */
export interface LiveNeeds {
  readonly app: App;
  readonly db: Database;
  readonly events: LiveEvents;
  readonly switches: PluginSwitches;
  /** Where core plugins alone were started, the others. */
  readonly safe: readonly string[] | undefined;
  /** Names the console this server delivers. */
  readonly build: string;
}

/** Puts the live service together: the call consoles listen to. It ends with the app, which would wait for it for ever. */
export function startLive({ app, db, events, switches, safe, build }: LiveNeeds): StreamRoute {
  const { log } = app;
  const hub = new LiveHub(events, {
    build,
    safe: safe !== undefined,
    log,
    offIn: (tenantId) => safe ?? [...switches.offIn(tenantId).keys()],
    mayMissSignals: db.flavour === 'postgres',
  });
  const undoSwitches = switches.onChanged(() => hub.tellSwitched());
  const undo = onPrincipalsForgotten(db, (stale) => {
    hub.reviewStale(stale).catch((error) => log.warn({ err: error }, 'who listens could not be reviewed'));
  });
  app.addHook('preClose', async () => {
    undo();
    undoSwitches();
    hub.close();
  });
  return {
    call: liveEvents,
    open: ({ principal, origin, review }) => hub.open(principal, { after: origin.header('last-event-id'), since: origin.header('live-since') }, review),
  };
}
