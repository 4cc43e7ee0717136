import { liveEvents } from '#shared/live';
import type { Database } from '../../data/database/database.ts';
import type { App } from '../http/app.ts';
import type { StreamRoute } from '../http/route.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { onPrincipalsInvalidated } from '../principal/principal-cache.ts';
import type { PluginSwitches } from '../switches/plugin-switches.ts';
import type { LiveEvents } from './live-events.ts';
import { LiveHub } from './live-hub.ts';
import type { RecordEditors } from './record-editors.ts';

/** Dependencies of `startLive`. */
export interface StartLiveDeps {
  readonly app: App;
  readonly db: Database;
  readonly events: LiveEvents;
  readonly editors: RecordEditors;
  readonly switches: PluginSwitches;
  readonly metrics: Metrics;
  /** Ids of the plugins that were not started because of safe mode; undefined outside of safe mode. */
  readonly skippedPlugins: readonly string[] | undefined;
  /** Returns the id of the console that this server delivers now. */
  readonly build: () => string;
}

/** Assembles the live service and its call. It ends with the app, which would otherwise wait for its streams forever. */
export function startLive({ app, db, events, editors, switches, metrics, skippedPlugins, build }: StartLiveDeps): { route: StreamRoute; hub: LiveHub } {
  const { log } = app;
  const hub = new LiveHub(events, {
    build,
    safe: skippedPlugins !== undefined,
    log,
    offIn: (tenantId) => skippedPlugins ?? [...switches.offIn(tenantId).keys()],
    mayMissSignals: db.engine === 'postgres',
    onHeartbeat: () => editors.sweep(),
  });
  metrics.addGauges('kernel', [
    { name: 'marquee_live_connections', help: 'Consoles that listen for live events on this server.', read: () => [{ value: hub.size }] },
  ]);
  editors.setDelivery((userId, name, payload) => hub.sendTo(userId, name, payload));
  const stopWatchingSwitches = switches.onChanged(() => hub.notifySwitched());
  const stopWatchingPrincipals = onPrincipalsInvalidated(db, (stale) => {
    hub.reviewStale(stale).catch((error) => log.warn({ err: error }, 'could not refresh the permissions of live connections'));
  });
  app.addHook('preClose', async () => {
    stopWatchingPrincipals();
    stopWatchingSwitches();
    hub.close();
  });
  const route: StreamRoute = {
    call: liveEvents,
    open: ({ principal, origin, review }) => hub.open(principal, { after: origin.header('last-event-id'), since: origin.header('live-since') }, review),
  };
  return { route, hub };
}
