import { join } from 'node:path';
import { CrashLoopGuard } from '#shared/crash-loop-guard';
import type { Manifest } from '#shared/manifest';
import { ServerBus } from '../base/bus.ts';
import type { Configuration } from '../base/configuration/configuration.ts';
import type { SecretKeys } from '../base/configuration/secret-key.ts';
import { Egress } from '../base/egress.ts';
import { IntervalTask } from '../base/interval-task.ts';
import { RateLimits } from '../base/rate-limits.ts';
import { StoredParameters } from '../base/stored-parameters.ts';
import { type Database, migrate } from '../data/index.ts';
import { ApiLog } from '../platform/audit/api-log.ts';
import { ErrorLog } from '../platform/audit/error-log.ts';
import { LogKeeping } from '../platform/audit/log-keeping.ts';
import { LoginLog } from '../platform/audit/login-log.ts';
import { serverFacts } from '../platform/audit/server-facts.ts';
import { SourceMaps } from '../platform/audit/source-maps.ts';
import { noteStrayError, pluginAtFault, type StrayErrorKind } from '../platform/audit/stray-errors.ts';
import { UsualLog } from '../platform/audit/usual-log.ts';
import { BladexAdapter } from '../platform/bladex/adapter.ts';
import { CompatibleClients } from '../platform/bladex/compatible-clients.ts';
import { DisplayNames } from '../platform/bladex/display-names.ts';
import { RecordLinks } from '../platform/files/record-links.ts';
import { fileRoutes } from '../platform/files/routes.ts';
import { Signatures } from '../platform/files/signatures.ts';
import { startFiles } from '../platform/files/start-files.ts';
import type { App } from '../platform/http/app.ts';
import { requiredCodes } from '../platform/http/authorize-call.ts';
import { checkRoutes, type Origin, type Route } from '../platform/http/route.ts';
import { Passwords } from '../platform/identity/passwords/passwords.ts';
import { startAuth } from '../platform/identity/start-auth.ts';
import { inboxRoutes } from '../platform/inbox/inbox-routes.ts';
import { StoredInbox } from '../platform/inbox/stored-inbox.ts';
import { LiveEvents } from '../platform/live/live-events.ts';
import { startLive } from '../platform/live/start-live.ts';
import { declaredMenus, platformCodes, publicCodes } from '../platform/permission/declared-menus.ts';
import { Explanations } from '../platform/permission/explanations.ts';
import { GrantedMenus } from '../platform/permission/granted-menus.ts';
import { permissionRoutes } from '../platform/permission/routes.ts';
import { seedMenus } from '../platform/permission/seed-menus.ts';
import { preferenceRoutes } from '../platform/preferences/preference-routes.ts';
import { viewRoutes, withFollowed } from '../platform/preferences/view-routes.ts';
import { replicaFacts } from '../platform/replicas/replica-facts.ts';
import { Replicas } from '../platform/replicas/replicas.ts';
import { SmsOutbox } from '../platform/sms/outbox.ts';
import { Sms } from '../platform/sms/sms.ts';
import { PluginSwitches } from '../platform/switches/plugin-switches.ts';
import { DictionaryWords } from '../platform/transfers/dictionary-words.ts';
import { ReferenceWords } from '../platform/transfers/reference-words.ts';
import { transferRoutes } from '../platform/transfers/routes.ts';
import { Transfers } from '../platform/transfers/transfers.ts';
import { contributionRoutes } from './contribution-routes.ts';
import { type BootstrapCredentials, forgetFirstPassword, seedFirstStart } from './first-start.ts';
import { failureFile } from './failure-file.ts';
import { kernelMigrations } from './kernel-migrations.ts';
import { offCodes } from './off-codes.ts';
import type { InstalledPlugin } from './plugin.ts';
import { PluginHost } from './plugin-host.ts';
import { describeApi, serveDescription } from './serving/api-description.ts';
import { buildOf, mapsBeside, serveConsole } from './serving/console-files.ts';
import { GracefulShutdown } from './serving/graceful-shutdown.ts';
import { serveHealth } from './serving/health.ts';
import { mountRoutes } from './serving/mount.ts';
import { mountStream } from './serving/mount-stream.ts';
import { servePolicyReports } from './serving/policy-reports.ts';
import { RequestPipeline } from './serving/request-pipeline.ts';

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
  const inbox = new StoredInbox(db, live);
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
  const starts = new CrashLoopGuard(failureFile(join(configuration.dataDirectory, 'plugin-starts.json'), app.log), process.env.MARQUEE_BUILD ?? '');
  const host = new PluginHost({
    db,
    bus,
    usualLog,
    parameters,
    live,
    inbox,
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
    passwordChanged: (account) => forgetFirstPassword(configuration.dataDirectory, account),
  });
  const served = [
    ...authCalls,
    ...permissionRoutes(menus),
    ...preferenceRoutes(db, (kept, principal) => withFollowed(db, routes, kept, principal)),
    ...fileRoutes(storage, parameters),
    ...transferRoutes(transfers, files),
    ...inboxRoutes(inbox),
    ...contributionRoutes(() => host.facts(), switches),
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
    (error) => app.log.warn({ err: error }, 'could not load disabled plugins or compatible clients'),
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
      app.log.error({ err: error, plugin }, kind === 'exception' ? 'uncaught exception, the server is shutting down' : 'unhandled rejection');
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
