import { effectiveManifest } from '#shared/effective-manifest';
import type { LocalizedText } from '#shared/text';
import { IntervalTask } from '../base/interval-task.ts';
import { type Database, migrate } from '../data/index.ts';
import { markDatabase } from '../data/schema/development-mark.ts';
import { logStrayError, pluginAtFault, type StrayErrorKind } from '../platform/audit/stray-errors.ts';
import { createApp, passRequests } from '../platform/http/app.ts';
import { checkRoutes } from '../platform/http/route.ts';
import type { DeliveredConsole } from '../platform/packages/plugin-packages.ts';
import { declaredMenus } from '../platform/permission/declared-menus.ts';
import { seedMenus, updateSeededMenus } from '../platform/permission/seed-menus.ts';
import { invalidatePrincipals } from '../platform/principal/principal-cache.ts';
import { type BootstrapCredentials, seedFirstStart } from './first-start.ts';
import { kernelMigrations } from './kernel-migrations.ts';
import { type BootDeps, createServices, type KernelServices } from './kernel-services.ts';
import { installIncoming } from './packages/incoming-packages.ts';
import type { PackageSet } from './packages/installed-packages.ts';
import type { PluginHost } from './plugin-host/plugin-host.ts';
import { RouteTable } from './route-table.ts';
import { createSharedParts, type ServedParts, serveApp } from './serve-app.ts';
import { remoteListings } from './serving/delivered-consoles.ts';

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
/** Time after which new lines of logs and money are sealed. */
const sealSeconds = 60;
/** Time after which new seals are sent, and failed ones again. */
const sendSeconds = 10;
/** Interval at which a server looks for packages that a command has brought. */
const incomingSeconds = 2;

/** Migrates, seeds, starts the plugins and mounts every call. */
export async function boot(deps: BootDeps): Promise<BootedServer> {
  const { app, db } = deps;
  const services = await createServices(deps);
  const { bus, host, logRetention, logs, passwords, shutdown, sms, crashLoopGuard } = services;
  app.addHook('onClose', () => services.replicas.leave());
  const bootstrapCredentials = await startPlugins(deps, services);
  const table = new RouteTable(deps, services);
  table.refresh();
  const shared = createSharedParts(deps, services);
  const parts = { table, shared, deps, services };
  const consoles = services.packages.consoles();
  // The headers of the listening app name no console half of a package, because it was created before the database was open.
  if (consoles.length === 0) await serveApp(app, parts);
  else await app.ready().then(() => serveNewApp(parts, consoles));
  services.packages.setChange((packages) => changePlugins(parts, packages));
  await host.ready();
  void services.search.complete();
  const stopTasks = startTasks(deps, services);
  logRetention.start();
  logs.systemLogs.of('server').log({ level: 'info', event: 'server:started', data: { plugins: host.running.map(({ id }) => id), skipped: host.skipped } });
  const summary = {
    plugins: host.running.map(({ id }) => id),
    calls: table.routes.length,
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
      if (plugin !== undefined && kind === 'exception') crashLoopGuard.crashed(plugin);
      services.metrics.failed(plugin ?? 'server', kind);
      app.log.error({ err: error, plugin }, kind === 'exception' ? 'an uncaught exception stops this server' : 'unhandled promise rejection');
      logStrayError(logs.systemLogs.of(plugin ?? 'server'), plugin, error, kind);
    },
    async stop() {
      await shutdown.run();
      await app.close();
      await stopTasks();
      await sms.settle();
      await bus.settle();
      logRetention.stop();
      await services.search.stop();
      await host.stop();
      await logs.close();
      await db.close().finally(() => services.traces?.stop());
    },
  };
}

/** Starts the periodic work of the kernel; returns the function that ends it. */
function startTasks(
  { app, configuration, timeScale = 1 }: BootDeps,
  { compatibleClients, evidence, evidenceStream, packages, signingKeys, storage, switches }: KernelServices,
): () => Promise<void> {
  const every = (seconds: number, work: (signal: AbortSignal) => Promise<unknown>, failure: string) =>
    new IntervalTask(
      seconds,
      async (signal) => void (await work(signal)),
      (error) => app.log.warn({ err: error }, failure),
    );
  const reread = async () => {
    await switches.read();
    await compatibleClients.read();
    await packages.follow();
    await signingKeys.read();
  };
  const tasks = [
    every(rereadSeconds / timeScale, reread, 'could not reload disabled plugins, compatible clients, packages or signing keys'),
    every(sealSeconds, (signal) => evidence.seal(signal), 'could not seal the logs and the money'),
    every(sendSeconds, (signal) => evidenceStream.run(signal), 'could not send the seals of logs and money'),
    every(sweepSeconds, () => storage.files.sweep(), 'could not delete expired files'),
    every(sweepSeconds, () => signingKeys.maintain(), 'could not replace signing keys'),
    every(incomingSeconds, () => installIncoming(configuration.dataDirectory, packages), 'could not read the packages that a command has brought'),
  ];
  return async () => {
    for (const task of tasks) await task.stop();
  };
}

/** Migrates and seeds the database and starts the plugins. */
async function startPlugins(
  { app, db, configuration, manifest, installed, menuGroups }: BootDeps,
  services: KernelServices,
): Promise<BootstrapCredentials | undefined> {
  const { host, packages, replicas, switches, compatibleClients, logRetention, passwords } = services;
  const hasJoined = await replicas.join();
  await migrate(db, [], kernelMigrations);
  await markDatabase(db, configuration.mode);
  if (!hasJoined) await replicas.join();
  await switches.read();
  await compatibleClients.read();
  await services.signingKeys.start();
  const ready = await host.migrate(host.plan([...installed, ...(await packages.load())]));
  await logRetention.prepare();
  const bootstrapCredentials = await seedFirstStart(db, passwords, {
    ...configuration,
    clientId: manifest.clientId,
    isTerminal: process.stdout.isTTY === true,
  });
  await host.start(ready);
  await addDeclarations(db, services, menuGroups);
  if (configuration.mode === 'development') await updateSeededMenus(db, declaredMenus(host.running, menuGroups));
  if (configuration.filesBucket && !services.storage.files.stores.hasDirectory)
    app.log.error('FILES_BUCKET has no effect: the plugin storage, which opens buckets, does not run. Files are stored in DATA_DIR/files.');
  return bootstrapCredentials;
}

/** Writes what the running plugins declare and the database does not have yet: dictionaries, search terms and menus. */
async function addDeclarations(db: Database, { dictionaryLabels, host, search }: KernelServices, menuGroups: BootDeps['menuGroups']): Promise<void> {
  await dictionaryLabels.add(host.running.flatMap(({ dictionaries = [] }) => dictionaries));
  await search.register(host.listSearchSources());
  checkRoutes(host.routes);
  await seedMenus(db, declaredMenus(host.running, menuGroups));
}

/** Creates an app with all calls and these console halves, which takes over the requests of the listening one; that one answers those that it has received. */
async function serveNewApp(parts: ServedParts, consoles: readonly DeliveredConsole[]): Promise<void> {
  const { app, configuration, manifest } = parts.deps;
  const remotes = remoteListings(consoles, configuration.basePath);
  const nextApp = await createApp(configuration, effectiveManifest(manifest, { remotes }), app.log);
  await serveApp(nextApp, parts, consoles);
  passRequests(app, nextApp);
}

/** Changes the plugins of a running server, then its calls, menus and consoles. */
async function changePlugins(parts: ServedParts, { entries, consoles, isFinal }: PackageSet): Promise<ReadonlyMap<string, LocalizedText>> {
  const { deps, services, table, shared } = parts;
  const { db, installed } = deps;
  const failures = await services.host.change([...installed, ...entries]);
  if (failures.size > 0 && !isFinal) return failures;
  await addDeclarations(db, services, deps.menuGroups);
  table.refresh();
  await serveNewApp(parts, consoles);
  await invalidatePrincipals(db, { everyone: true });
  shared.hub.reconnect();
  void services.search.complete();
  return failures;
}
