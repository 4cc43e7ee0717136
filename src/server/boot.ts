import { join } from 'node:path';
import { sql } from 'drizzle-orm';
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
import { ServerBus } from './bus.ts';
import type { Configuration } from './configuration.ts';
import { type Database, migrate } from './db/index.ts';
import { Egress } from './egress/egress.ts';
import { RecordLinks } from './files/record-links.ts';
import { fileRoutes } from './files/routes.ts';
import { Signatures } from './files/signatures.ts';
import { startFiles } from './files/start-files.ts';
import { type FirstSignIn, seedFirstStart } from './first-start.ts';
import { codesAsked } from './http/admission.ts';
import { describeApi } from './http/api-description.ts';
import type { App } from './http/app.ts';
import { buildOf, mapsBeside, serveConsole } from './http/console-files.ts';
import { Handling } from './http/handling.ts';
import { serveHealth } from './http/health.ts';
import { mountRoutes } from './http/mount.ts';
import { mountStream } from './http/mount-stream.ts';
import { RateLimits } from './http/rate-limits.ts';
import { checkRoutes, type Origin, type Route } from './http/route.ts';
import { inboxRoutes } from './inbox/inbox-routes.ts';
import { StoredInbox } from './inbox/stored-inbox.ts';
import { kernelMigrations } from './kernel-migrations.ts';
import { LiveEvents } from './live/live-events.ts';
import { startLive } from './live/start-live.ts';
import { declaredMenus, everybodysCodes, platformCodes } from './permission/declared-menus.ts';
import { Explanations } from './permission/explanations.ts';
import { GrantedMenus } from './permission/granted-menus.ts';
import { permissionRoutes } from './permission/routes.ts';
import { seedMenus } from './permission/seed-menus.ts';
import type { InstalledPlugin } from './plugin.ts';
import { PluginHost } from './plugin-host.ts';
import { preferenceRoutes } from './preferences/preference-routes.ts';
import { Round } from './round.ts';
import { rowsOf } from './rows.ts';
import type { SecretKeys } from './secret-key.ts';
import { SmsOutbox } from './sms/outbox.ts';
import { Sms } from './sms/sms.ts';
import { StartCounter } from './start-counter.ts';
import { StoredParameters } from './stored-parameters.ts';
import { contributionRoutes } from './switches/contribution-routes.ts';
import { offCodes } from './switches/off-codes.ts';
import { PluginSwitches } from './switches/plugin-switches.ts';
import { platformTenant } from './tenancy/identity.ts';
import { DictionaryWords } from './transfers/dictionary-words.ts';
import { ReferenceWords } from './transfers/reference-words.ts';
import { transferRoutes } from './transfers/routes.ts';
import { Transfers } from './transfers/transfers.ts';
import { viewRoutes, withFollowed } from './views/view-routes.ts';

/** What a server is made from. */
export interface BootParts {
  readonly app: App;
  readonly db: Database;
  readonly configuration: Configuration;
  readonly keys: SecretKeys;
  readonly manifest: Manifest;
  readonly installed: readonly InstalledPlugin[];
  /** How many times as often plugins do what they do every so often; tests do not wait. */
  readonly pace?: number;
}

/** A server that answers, though on no port yet. */
export interface Booted {
  readonly firstSignIn: FirstSignIn | undefined;
  readonly host: PluginHost;
  /** Answers what is under way, writes what is waiting, then lets go of the database. */
  stop(): Promise<void>;
}

/** A replica that missed the signal of a switched plugin is wrong for at most this long. */
const rereadSeconds = 30;

/** Migrates, seeds, starts the plugins and mounts every call. */
export async function boot({ app, db, configuration, keys, manifest, installed, pace = 1 }: BootParts): Promise<Booted> {
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
  const explanations = new Explanations(db);
  const switches = new PluginSwitches(db);
  const facts = serverFacts(configuration.mode);
  const usualLog = new UsualLog(db, app.log, facts);
  const passwords = new Passwords(keys.sm2);
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
    starts: new StartCounter(join(configuration.dataDirectory, 'plugin-starts.json'), process.env.MARQUEE_BUILD ?? '', app.log),
    egress: new Egress(configuration.egressAllow),
    pace,
  });
  const journal = usualLog.of('log');
  const apiLog = new ApiLog(db, app.log, facts, journal);
  const errorLog = new ErrorLog(db, app.log, facts, { journal, maps: new SourceMaps(mapsBeside(configuration.consoleDirectory)) });
  const loginLog = new LoginLog(db, app.log);
  const logKeeping = new LogKeeping({ db, parameters, journal, log: app.log });

  const planned = host.plan(installed);
  await migrate(db, [], kernelMigrations);
  await switches.read();
  const ready = await host.migrate(planned);
  await logKeeping.prepare();
  const firstSignIn = await seedFirstStart(db, passwords, { ...configuration, clientId: manifest.clientId });
  await host.start(ready);
  checkRoutes(host.routes);
  const declared = declaredMenus(host.running);
  await seedMenus(db, declared);

  const menus = new GrantedMenus(
    db,
    new Set([...declared.map(({ code }) => code), ...codesOf(host.routes)]),
    platformCodes(declared),
    everybodysCodes(declared),
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
    ...inboxRoutes(inbox),
    ...contributionRoutes(() => host.facts(), switches),
    ...host.routes,
  ];
  const routes: Route[] = [...served, ...viewRoutes(db, served)];
  references.readFrom(routes, (tenantId, userId) => identity.ofUser(tenantId, userId));
  explanations.readFrom({ menus, routes, plugins: host.running, switches, principalOf: (tenantId, userId) => identity.ofUser(tenantId, userId) });
  if (configuration.apiDocs) await describeApi(app, manifest);
  const identify = (origin: Origin) => identity.of(origin);
  const limits = new RateLimits(configuration.rates);
  mountRoutes(app, routes, {
    identify,
    limits,
    links,
    handling: new Handling(db, apiLog, errorLog),
    routeFor: (route, principal) => host.extensions.routeFor(route, principal),
  });
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
  const drain = serveReadiness(app, db);
  await serveConsole(app, routes, configuration);
  await app.ready();
  await transfers.start();
  const rereading = new Round(
    rereadSeconds,
    () => switches.read(),
    (error) => app.log.warn({ err: error }, 'what is switched off could not be read'),
  );
  logKeeping.start();
  usualLog.of('server').note({ level: 'info', event: 'server:started', data: { plugins: host.running.map(({ id }) => id), skipped: host.skipped } });
  const standing = {
    plugins: host.running.map(({ id }) => id),
    calls: routes.length,
    // Told where somebody reads it.
    get sm2PublicKey() {
      return passwords.publicKey;
    },
  };
  app.log.info(standing, 'the server is ready');

  return {
    firstSignIn,
    host,
    async stop() {
      drain();
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

function serveReadiness(app: App, db: Database): () => void {
  let draining = false;
  serveHealth(app, {
    get draining() {
      return draining;
    },
    check: async () => void (await db.read({ tenantId: platformTenant }, () => rowsOf(db, sql`select 1`))),
  });
  return () => {
    draining = true;
  };
}

/** Codes that calls ask for, whether or not a button bears them. */
const codesOf = (routes: readonly Route[]): string[] => routes.flatMap(({ call }) => codesAsked(call.who));
