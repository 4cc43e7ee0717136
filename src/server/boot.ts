import { join } from 'node:path';
import type { Manifest } from '#shared/manifest';
import { ApiLog } from './audit/api-log.ts';
import { ErrorLog } from './audit/error-log.ts';
import { LogKeeping } from './audit/log-keeping.ts';
import { LoginLog } from './audit/login-log.ts';
import { serverFacts } from './audit/server-facts.ts';
import { SourceMaps } from './audit/source-maps.ts';
import { UsualLog } from './audit/usual-log.ts';
import { Passwords } from './auth/passwords.ts';
import { startAuth } from './auth/start-auth.ts';
import { BladexAdapter } from './bladex/adapter.ts';
import { CompatibleClients } from './bladex/compatible-clients.ts';
import { DisplayNames } from './bladex/display-names.ts';
import { ServerBus } from './bus.ts';
import type { Configuration } from './configuration.ts';
import { CrashLoopGuard } from './crash-loop-guard.ts';
import { type Database, migrate } from './db/index.ts';
import { Egress } from './egress/egress.ts';
import { RecordLinks } from './files/record-links.ts';
import { fileRoutes } from './files/routes.ts';
import { Signatures } from './files/signatures.ts';
import { startFiles } from './files/start-files.ts';
import { type BootstrapCredentials, seedFirstStart } from './first-start.ts';
import { describeApi, serveDescription } from './http/api-description.ts';
import type { App } from './http/app.ts';
import { requiredCodes } from './http/authorize-call.ts';
import { buildOf, mapsBeside, serveConsole } from './http/console-files.ts';
import { GracefulShutdown } from './http/graceful-shutdown.ts';
import { serveHealth } from './http/health.ts';
import { mountRoutes } from './http/mount.ts';
import { mountStream } from './http/mount-stream.ts';
import { servePolicyReports } from './http/policy-reports.ts';
import { RateLimits } from './http/rate-limits.ts';
import { RequestPipeline } from './http/request-pipeline.ts';
import { checkRoutes, type Origin, type Route } from './http/route.ts';
import { IntervalTask } from './interval-task.ts';
import { kernelMigrations } from './kernel-migrations.ts';
import { LiveEvents } from './live/live-events.ts';
import { startLive } from './live/start-live.ts';
import { declaredMenus, platformCodes, publicCodes } from './permission/declared-menus.ts';
import { Explanations } from './permission/explanations.ts';
import { GrantedMenus } from './permission/granted-menus.ts';
import { permissionRoutes } from './permission/routes.ts';
import { seedMenus } from './permission/seed-menus.ts';
import type { InstalledPlugin } from './plugin.ts';
import { PluginHost } from './plugin-host.ts';
import { preferenceRoutes } from './preferences/preference-routes.ts';
import { replicaFacts } from './replicas/replica-facts.ts';
import { Replicas } from './replicas/replicas.ts';
import type { SecretKeys } from './secret-key.ts';
import { SmsOutbox } from './sms/outbox.ts';
import { Sms } from './sms/sms.ts';
import { StoredParameters } from './stored-parameters.ts';
import { noteStrayError, pluginAtFault, type StrayErrorKind } from './stray-errors.ts';
import { offCodes } from './switches/off-codes.ts';
import { PluginSwitches } from './switches/plugin-switches.ts';
import { DictionaryWords } from './transfers/dictionary-words.ts';
import { ReferenceWords } from './transfers/reference-words.ts';
import { transferRoutes } from './transfers/routes.ts';
import { Transfers } from './transfers/transfers.ts';
import { viewRoutes, withFollowed } from './views/view-routes.ts';

/** Everything `boot` needs to build a server. */
export interface BootDeps {
  readonly app: App;
  readonly db: Database;
  readonly configuration: Configuration;
  readonly keys: SecretKeys;
  readonly manifest: Manifest;
  readonly installed: readonly InstalledPlugin[];
  /** Factor by which interval tasks of plugins run more often; tests raise it so that they need not wait. */
  readonly pace?: number;
}

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

/** Migrates, seeds, starts the plugins and mounts every call. */
export async function boot({ app, db, configuration, keys, manifest, installed, pace = 1 }: BootDeps): Promise<BootedServer> {
  const shutdown = new GracefulShutdown(app, configuration.drainSeconds);
  db.seals.sealWith(keys.encryption);
  const parameters = new StoredParameters(app.log);
  const bus = new ServerBus(db, app.log);
  const live = new LiveEvents(db);
  const sms = new Sms(app.log);
  if (configuration.smsOutbox) sms.use(new SmsOutbox(db));
  const signatures = new Signatures(keys.file);
  const storage = startFiles({ db, signatures, parameters, directory: configuration.dataDirectory });
  const { files } = storage;
  const links = new RecordLinks(db, signatures, (key) => files.linkTo({ key, isPublic: false }));
  db.links = links;
  const words = new DictionaryWords(db);
  const references = new ReferenceWords(db);
  const transfers = new Transfers({ db, files, links, words, references, parameters, live, log: app.log });
  const compatibleClients = new CompatibleClients(db);
  const explanations = new Explanations(db);
  const switches = new PluginSwitches(db);
  const facts = serverFacts(configuration.mode);
  const usualLog = new UsualLog(db, app.log, facts);
  const passwords = new Passwords(keys.sm2, [manifest.product.name, ...manifest.product.title]);
  const starts = new CrashLoopGuard(join(configuration.dataDirectory, 'plugin-starts.json'), process.env.MARQUEE_BUILD ?? '', app.log);
  const host = new PluginHost({
    db,
    bus,
    usualLog,
    parameters,
    live,
    sms,
    passwords,
    consoleClient: manifest.clientId,
    log: app.log,
    files,
    transfers,
    words,
    explanations,
    switches,
    safe: configuration.safeMode,
    samples: configuration.sampleNotifications,
    starts,
    egress: new Egress(configuration.egressAllow),
    pace,
  });
  const journal = usualLog.of('log');
  const apiLog = new ApiLog(db, app.log, facts, journal);
  const errorLog = new ErrorLog(db, app.log, facts, { journal, maps: new SourceMaps(mapsBeside(configuration.consoleDirectory)) });
  const loginLog = new LoginLog(db, app.log);
  const logKeeping = new LogKeeping({ db, parameters, journal, log: app.log });

  const replicas = new Replicas({
    db,
    own: replicaFacts(facts.serverHost, keys, configuration, installed),
    allowed: configuration.rollingChange,
    log: app.log,
    pace,
  });
  app.addHook('onClose', () => replicas.leave());
  const planned = host.plan(installed);
  const hasJoined = await replicas.join();
  await migrate(db, [], kernelMigrations);
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
  checkRoutes(host.routes);
  const declared = declaredMenus(host.running);
  await seedMenus(db, declared);

  const menus = new GrantedMenus(
    db,
    new Set([...declared.map(({ code }) => code), ...codesOf(host.routes)]),
    platformCodes(declared),
    publicCodes(declared),
    offCodes(declared, host.routes, (tenantId) => switches.offIn(tenantId)),
  );
  const { identity, routes: authCalls } = startAuth({
    db,
    errorLog,
    loginLog,
    product: manifest.product.name,
    keys,
    passwords,
    parameters,
    menus,
    log: app.log,
    sms,
    configuration,
    manifest,
  });
  const served = [
    ...authCalls,
    ...permissionRoutes(menus),
    ...preferenceRoutes(db, (kept, principal) => withFollowed(db, routes, kept, principal)),
    ...fileRoutes(storage, parameters),
    ...transferRoutes(transfers, files),
    ...host.routes,
  ];
  const routes: Route[] = [...served, ...viewRoutes(db, served)];
  references.setRoutes(routes, (tenantId, userId) => identity.ofUser(tenantId, userId));
  explanations.setSources({ menus, routes, plugins: host.running, switches, principalOf: (tenantId, userId) => identity.ofUser(tenantId, userId) });
  if (configuration.apiDocs !== 'off') await describeApi(app, manifest);
  const identify = (origin: Origin, queryToken?: string) => identity.of(origin, queryToken);
  const limits = new RateLimits(configuration.rates);
  mountRoutes(app, routes, {
    identify,
    limits,
    links,
    handling: new RequestPipeline(db, apiLog, errorLog),
    routeFor: (route, principal) => host.extensions.routeFor(route, principal),
    bladex: new BladexAdapter(compatibleClients, new DisplayNames(db, words, references)),
  });
  if (configuration.apiDocs !== 'off') serveDescription(app, configuration.apiDocs, { identify, limits });
  servePolicyReports(app, limits);
  mountStream(
    app,
    startLive({
      app,
      db,
      events: live,
      switches,
      safe: configuration.safeMode ? host.skipped.map(({ id }) => id) : undefined,
      build: buildOf(configuration.consoleDirectory),
    }),
    {
      identify,
      limits,
    },
  );
  serveHealth(app, { isDraining: () => shutdown.hasBegun, check: () => db.check() });
  await serveConsole(app, routes, configuration);
  await app.ready();
  await transfers.start();
  const rereading = new IntervalTask(
    rereadSeconds,
    async () => {
      await switches.read();
      await compatibleClients.read();
    },
    (error) => app.log.warn({ err: error }, 'switched off plugins or compatible clients could not be read'),
  );
  logKeeping.start();
  usualLog.of('server').note({ level: 'info', event: 'server:started', data: { plugins: host.running.map(({ id }) => id), skipped: host.skipped } });
  const standing = {
    plugins: host.running.map(({ id }) => id),
    calls: routes.length,
    get sm2PublicKey() {
      return passwords.publicKey;
    },
  };
  app.log.info(standing, 'the server is ready');

  return {
    bootstrapCredentials,
    host,
    strayError(error, kind) {
      const plugin = pluginAtFault(error);
      if (plugin !== undefined && kind === 'exception') starts.crashed(plugin);
      app.log.error({ err: error, plugin }, kind === 'exception' ? 'an error that nobody caught ends this server' : 'a promise failed and nobody was told');
      noteStrayError(usualLog.of(plugin ?? 'server'), plugin, error, kind);
    },
    async stop() {
      await shutdown.run();
      await app.close();
      await transfers.stop();
      await rereading.stop();
      await sms.settle();
      await bus.settle();
      logKeeping.stop();
      await host.stop();
      for (const log of [apiLog, errorLog, loginLog, usualLog]) await log.flush();
      await db.close();
    },
  };
}

/** Collects the permission codes that calls require, including codes without a button. */
const codesOf = (routes: readonly Route[]): string[] => routes.flatMap(({ call }) => requiredCodes(call.who));
