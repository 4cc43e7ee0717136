import { IntervalTask } from '../base/interval-task.ts';
import { memoize } from '../base/memoize.ts';
import { migrate } from '../data/index.ts';
import { markDatabase } from '../data/schema/development-mark.ts';
import { logStrayError, pluginAtFault, type StrayErrorKind } from '../platform/audit/stray-errors.ts';
import { BladexAdapter } from '../platform/bladex/adapter.ts';
import { DisplayNames } from '../platform/bladex/display-names.ts';
import { fileRoutes } from '../platform/files/routes.ts';
import { addressCertificates } from '../platform/health/certificates.ts';
import { databaseHealth } from '../platform/health/database-health.ts';
import { serverHealth } from '../platform/health/server-health.ts';
import { requiredCodes } from '../platform/http/authorize-call.ts';
import { checkRoutes, type Origin, type Route } from '../platform/http/route.ts';
import { startAuth } from '../platform/identity/start-auth.ts';
import { startLive } from '../platform/live/start-live.ts';
import { codesWith, type DeclaredMenu, declaredMenus } from '../platform/permission/declared-menus.ts';
import { GrantedMenus, permissionRoutes } from '../platform/permission/granted-menus.ts';
import { seedMenus } from '../platform/permission/seed-menus.ts';
import { preferenceRoutes } from '../platform/preferences/preference-routes.ts';
import { viewRoutes, withFollowed } from '../platform/preferences/view-routes.ts';
import { SharedRateLimits } from '../platform/rate-limits/shared-rate-limits.ts';
import { archivedNameRoutes } from '../platform/references/archived-names.ts';
import { relatedListRoutes } from '../platform/references/related-lists.ts';
import { searchRoutes } from '../platform/search/find-records.ts';
import type { DisabledReason } from '../platform/switches/switchable-plugins.ts';
import { browserSpanRoute } from '../platform/traces/browser-spans.ts';
import { type BootstrapCredentials, forgetFirstPassword, seedFirstStart } from './first-start.ts';
import { kernelGauges } from './kernel-gauges.ts';
import { kernelMigrations } from './kernel-migrations.ts';
import { type BootDeps, createServices, type KernelServices } from './kernel-services.ts';
import type { PluginHost } from './plugin-host.ts';
import { describeApi, serveDescription } from './serving/api-description.ts';
import { buildOf, serveConsole } from './serving/console-files.ts';
import { settingsUnder } from './serving/console-page.ts';
import { serveHealth } from './serving/health.ts';
import { mountRoutes } from './serving/mount.ts';
import { mountStream } from './serving/mount-stream.ts';
import { servePolicyReports } from './serving/policy-reports.ts';
import { RequestPipeline } from './serving/request-pipeline.ts';
import { traceRequests } from './serving/request-work.ts';
import { serveMetrics } from './serving/serve-metrics.ts';

/** A server that is ready to answer but does not listen on a port yet. */
export interface BootedServer {
  readonly bootstrapCredentials: BootstrapCredentials | undefined;
  readonly host: PluginHost;
  /** Logs an uncaught error under its plugin; an error that ends the process counts towards leaving that plugin out of the next starts. */
  strayError(error: unknown, kind: StrayErrorKind): void;
  /** Finishes running requests, writes pending log entries, then closes the database. */
  stop(): Promise<void>;
}

/** Maximum time a replica acts on an outdated plugin state after it has missed the signal. */
const rereadSeconds = 30;
const sweepSeconds = 600;

/** Migrates, seeds, starts the plugins and mounts every call. */
export async function boot(deps: BootDeps): Promise<BootedServer> {
  const { app, db } = deps;
  const services = await createServices(deps);
  const { bus, compatibleClients, host, logKeeping, logs, passwords, shutdown, sms, starts, switches } = services;
  app.addHook('onClose', () => services.replicas.leave());
  const bootstrapCredentials = await startPlugins(deps, services);
  const served = collectRoutes(deps, services);
  await mountAll(deps, services, served);
  await host.ready();
  void services.search.complete();
  const rereading = new IntervalTask(
    rereadSeconds / (deps.timeScale ?? 1),
    async () => {
      await switches.read();
      await compatibleClients.read();
    },
    (error) => app.log.warn({ err: error }, 'could not reload disabled plugins or compatible clients'),
  );
  const sweeping = new IntervalTask(
    sweepSeconds,
    () => services.storage.files.sweep(),
    (error) => app.log.warn({ err: error }, 'could not delete expired files'),
  );
  logKeeping.start();
  logs.usualLog.of('server').log({ level: 'info', event: 'server:started', data: { plugins: host.running.map(({ id }) => id), skipped: host.skipped } });
  const summary = {
    plugins: host.running.map(({ id }) => id),
    calls: served.routes.length,
    // Computed only if the log level includes this line.
    get sm2PublicKey() {
      return passwords.publicKey;
    },
  };
  app.log.info(summary, 'the server is ready');

  return {
    bootstrapCredentials,
    host,
    strayError(error, kind) {
      const plugin = pluginAtFault(error);
      if (plugin !== undefined && kind === 'exception') starts.crashed(plugin);
      services.metrics.failed(plugin ?? 'server', kind);
      app.log.error({ err: error, plugin }, kind === 'exception' ? 'an uncaught exception stops this server' : 'unhandled promise rejection');
      logStrayError(logs.usualLog.of(plugin ?? 'server'), plugin, error, kind);
    },
    async stop() {
      await shutdown.run();
      await app.close();
      await rereading.stop();
      await sweeping.stop();
      await sms.settle();
      await bus.settle();
      logKeeping.stop();
      await services.search.stop();
      await host.stop();
      await logs.close();
      await db.close().finally(() => services.traces?.stop());
    },
  };
}

/** Migrates and seeds the database and starts the plugins. */
async function startPlugins(
  { app, db, configuration, manifest, installed, menuGroups }: BootDeps,
  services: KernelServices,
): Promise<BootstrapCredentials | undefined> {
  const { host, replicas, switches, compatibleClients, logKeeping, passwords } = services;
  const planned = host.plan(installed);
  const hasJoined = await replicas.join();
  await migrate(db, [], kernelMigrations);
  await markDatabase(db, configuration.mode);
  if (!hasJoined) await replicas.join();
  await switches.read();
  await compatibleClients.read();
  const ready = await host.migrate(planned);
  await logKeeping.prepare();
  const bootstrapCredentials = await seedFirstStart(db, passwords, {
    ...configuration,
    clientId: manifest.clientId,
    isTerminal: process.stdout.isTTY === true,
  });
  await host.start(ready);
  await services.dictionaryLabels.add(host.running.flatMap(({ dictionaries = [] }) => dictionaries));
  if (configuration.filesBucket && !services.storage.files.stores.hasDirectory)
    app.log.error('FILES_BUCKET has no effect: the plugin storage, which opens buckets, does not run. Files are stored in DATA_DIR/files.');
  await services.search.register(host.searched());
  checkRoutes(host.routes);
  await seedMenus(db, declaredMenus(host.running, menuGroups));
  return bootstrapCredentials;
}

/** Collects the calls of the kernel and of the running plugins, and the function that identifies a caller. */
function collectRoutes(deps: BootDeps, services: KernelServices) {
  const { db, configuration, manifest, menuGroups } = deps;
  const { parameters, storage, principals, references, explanations, switches, host, editors, search, traces } = services;
  const declared = declaredMenus(host.running, menuGroups);
  const menus = new GrantedMenus(
    db,
    new Set([...declared.map(({ code }) => code), ...codesOf(host.routes)]),
    codesWith('isPlatformOnly', declared),
    codesWith('isForEveryone', declared),
    offCodes(declared, host.routes, (tenantId) => switches.offIn(tenantId)),
    codesWith('isGroup', declared),
  );
  const { identity, routes: authCalls } = startAuth({
    ...deps,
    ...services,
    ...services.logs,
    menus,
    product: manifest.product.name,
    log: deps.app.log,
    passwordChanged: (account) => forgetFirstPassword(configuration.dataDirectory, account),
  });
  const served = [
    ...authCalls,
    ...permissionRoutes(menus),
    ...preferenceRoutes(db, (preferences, principal) => withFollowed(db, routes, preferences, principal)),
    ...archivedNameRoutes(db),
    ...searchRoutes({ db, sources: search, references, routes: () => routes }),
    ...fileRoutes(storage, parameters),
    editors.route,
    ...(traces ? [browserSpanRoute(traces, () => ({ calls: routes.map(({ call }) => call), pages: declared.map(({ path }) => path) }))] : []),
    ...host.routes,
  ];
  const routes: Route[] = [...served, ...viewRoutes(db, served), ...relatedListRoutes(db, served)];
  references.setRoutes(routes);
  editors.setRoutes(routes);
  principals.setSource((tenantId, userId) => identity.ofUser(tenantId, userId));
  explanations.setSources({ menus, routes, plugins: host.running, switches, principalOf: (tenantId, userId) => principals.find(tenantId, userId) });
  return { routes, identify: (origin: Origin, queryToken?: string) => identity.of(origin, queryToken) };
}

/** Mounts the calls, the event stream, the health check and the console. */
async function mountAll(deps: BootDeps, services: KernelServices, { routes, identify }: ReturnType<typeof collectRoutes>): Promise<void> {
  const { app, db, configuration, manifest } = deps;
  const { live, editors, health, links, metrics, traces, replicas, dictionaryLabels, references, compatibleClients, switches, host, shutdown, logs } = services;
  if (configuration.apiDocs !== 'off') await describeApi(app, manifest, configuration.basePath);
  const limits = new SharedRateLimits(db, configuration.rates, app.log);
  app.addHook('onClose', () => limits.stop());
  metrics.addGauges([...kernelGauges(db, host), ...(logs.sink?.gauges ?? [])]);
  health.register(
    ...serverHealth(replicas),
    ...databaseHealth(db),
    ...(['queues', 'backup'] as const).map((section) => ({ section, read: () => metrics.health(section) })),
    addressCertificates(configuration),
  );
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
  const skippedPlugins = configuration.safeMode ? host.skipped.map(({ id }) => id) : undefined;
  mountStream(app, startLive({ app, db, events: live, editors, switches, metrics, skippedPlugins, build: buildOf(configuration.consoleDirectory) }), {
    identify,
    limits,
  });
  serveHealth(app, { isDraining: () => shutdown.hasBegun, check: () => db.check() });
  const pageSettings = settingsUnder(configuration.basePath, manifest, configuration.consoleSettings);
  await serveConsole(app, routes, { ...configuration, consoleSettings: traces ? { ...pageSettings, traces: true } : pageSettings });
  await app.ready();
}

/** Collects the permission codes that calls require, including codes without a button. */
const codesOf = (routes: readonly Route[]): string[] => routes.flatMap(({ call }) => requiredCodes(call.access));

/** Returns the codes that do not exist in a tenant because their plugins are disabled: pages and buttons, and codes only required by calls of such plugins. */
export function offCodes(
  declared: readonly DeclaredMenu[],
  routes: readonly Route[],
  offIn: (tenantId: string) => ReadonlyMap<string, DisabledReason>,
): (tenantId: string) => ReadonlySet<string> {
  const owners = new Map(declared.map(({ code, plugin }) => [code, new Set([plugin])]));
  const isDeclared = new Set(owners.keys());
  for (const { call, plugin } of routes)
    for (const code of requiredCodes(call.access)) if (!isDeclared.has(code)) owners.set(code, (owners.get(code) ?? new Set()).add(plugin));
  const codesOff = memoize(
    (off: ReadonlyMap<string, DisabledReason>) =>
      new Set([...owners].filter(([, plugins]) => [...plugins].every((plugin) => off.has(plugin))).map(([code]) => code)),
  );
  return (tenantId) => codesOff(offIn(tenantId));
}
