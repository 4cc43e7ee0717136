import { BladexAdapter } from '../platform/bladex/adapter.ts';
import { DisplayNames } from '../platform/bladex/display-names.ts';
import { evidenceGauges, evidenceHealth } from '../platform/evidence/evidence-gauges.ts';
import { addressCertificates } from '../platform/health/certificates.ts';
import { databaseHealth } from '../platform/health/database-health.ts';
import { serverHealth } from '../platform/health/server-health.ts';
import type { App } from '../platform/http/app.ts';
import type { StreamRoute } from '../platform/http/route.ts';
import type { LiveHub } from '../platform/live/live-hub.ts';
import { startLive } from '../platform/live/start-live.ts';
import type { DeliveredConsole } from '../platform/packages/plugin-packages.ts';
import { SharedRateLimits } from '../platform/rate-limits/shared-rate-limits.ts';
import { kernelGauges } from './kernel-gauges.ts';
import type { BootDeps, KernelServices } from './kernel-services.ts';
import type { RouteTable } from './route-table.ts';
import { describeApi, serveDescription } from './serving/api-description.ts';
import { buildOf, serveConsole } from './serving/console-files.ts';
import { settingsUnder } from './serving/console-page.ts';
import { remoteListings, serveDeliveredConsoles } from './serving/delivered-consoles.ts';
import { serveHealth } from './serving/health.ts';
import { mountRoutes } from './serving/mount.ts';
import { mountStream } from './serving/mount-stream.ts';
import { servePolicyReports } from './serving/policy-reports.ts';
import { servePublishedKeys } from './serving/published-keys.ts';
import { RequestPipeline } from './serving/request-pipeline.ts';
import { traceRequests } from './serving/request-work.ts';
import { serveMetrics } from './serving/serve-metrics.ts';

/** Parts that all apps of a server share. */
export interface SharedParts {
  readonly limits: SharedRateLimits;
  readonly liveRoute: StreamRoute;
  readonly hub: LiveHub;
}

/** Prepares what an app mounts beside the calls: limits, the event stream, metrics and the health screen of the kernel. */
export function createSharedParts({ app, db, configuration }: BootDeps, services: KernelServices): SharedParts {
  const { editors, evidence, evidenceStream, health, live, logs, metrics, replicas, switches, host } = services;
  const limits = new SharedRateLimits(db, configuration.rates, app.log);
  app.addHook('onClose', () => limits.stop());
  metrics.addGauges('kernel', [...kernelGauges(db, host), ...evidenceGauges(evidence, evidenceStream), ...(logs.sink?.gauges ?? [])]);
  health.register('kernel', [
    ...serverHealth(replicas),
    ...databaseHealth(db),
    evidenceHealth(evidence, evidenceStream),
    ...(['queues', 'backup'] as const).map((section) => ({ section, read: () => metrics.health(section) })),
    addressCertificates(configuration),
  ]);
  const skippedPlugins = configuration.safeMode ? host.skipped.map(({ id }) => id) : undefined;
  const built = buildOf(configuration.consoleDirectory);
  const build = () => [built, ...services.packages.consoles().map(({ digest }) => digest.slice(0, 12))].join('-');
  const { route: liveRoute, hub } = startLive({ app, db, events: live, editors, switches, metrics, skippedPlugins, build });
  return { limits, liveRoute, hub };
}

/** Everything that an app needs to serve; the same for each app of a server. */
export interface ServedParts {
  readonly table: RouteTable;
  readonly shared: SharedParts;
  readonly deps: BootDeps;
  readonly services: KernelServices;
}

/** Mounts the calls, the event stream, the health check and the console on an app, which then is ready for requests. */
export async function serveApp(
  app: App,
  { table, shared: { limits, liveRoute }, deps, services }: ServedParts,
  consoles: readonly DeliveredConsole[] = services.packages.consoles(),
): Promise<void> {
  const { db, configuration, manifest } = deps;
  const { editors, links, metrics, traces, dictionaryLabels, references, compatibleClients, host, shutdown, logs } = services;
  const { routes, identify } = table;
  shutdown.follow(app);
  if (configuration.apiDocs !== 'off') await describeApi(app, manifest, configuration.basePath);
  serveMetrics(app, metrics, configuration.metricsToken);
  traceRequests(app, traces, configuration.traces?.trustedCallers);
  mountRoutes(app, routes, {
    identify,
    limits,
    links,
    pipeline: new RequestPipeline(db, logs.apiLog, logs.errorLog, editors),
    routeFor: (route, principal) => host.extensions.routeFor(route, principal),
    bladex: new BladexAdapter(compatibleClients, new DisplayNames(db, dictionaryLabels, references)),
  });
  if (configuration.apiDocs !== 'off') serveDescription(app, configuration, { identify, limits });
  servePolicyReports(app, limits);
  servePublishedKeys(app, services.signingKeys);
  mountStream(app, liveRoute, { identify, limits });
  serveHealth(app, { isDraining: () => shutdown.hasBegun, check: () => db.check() });
  const pageSettings = settingsUnder(configuration.basePath, manifest, configuration.consoleSettings);
  serveDeliveredConsoles(app, consoles);
  const remotes = consoles.length > 0 ? { remotes: [...(pageSettings?.remotes ?? []), ...remoteListings(consoles, configuration.basePath)] } : undefined;
  const consoleSettings = traces || remotes ? { ...pageSettings, ...(traces ? { traces: true as const } : {}), ...remotes } : pageSettings;
  await serveConsole(app, routes, { ...configuration, consoleSettings });
  await app.ready();
}
