import { join } from 'node:path';
import { CrashLoopGuard } from '#shared/crash-loop-guard';
import { recycleDays } from '#shared/kernel-parameters';
import type { Manifest } from '#shared/manifest';
import type { Menu } from '#shared/menu-entry';
import { ServerBus } from '../base/bus.ts';
import type { Configuration } from '../base/configuration/configuration.ts';
import type { SecretKeys } from '../base/configuration/secret-key.ts';
import { Egress } from '../base/egress.ts';
import { StoredParameters } from '../base/stored-parameters.ts';
import { backupFinished } from '../data/embedded/embedded-copies.ts';
import type { Database } from '../data/index.ts';
import { ApiLog } from '../platform/audit/api-log.ts';
import { ErrorLog } from '../platform/audit/error-log.ts';
import { LogRetention } from '../platform/audit/log-retention.ts';
import { LogSink, storedOnly } from '../platform/audit/log-sink.ts';
import { LoginLog } from '../platform/audit/login-log.ts';
import { PostgresSystemLog } from '../platform/audit/postgres-system-log.ts';
import { storeHistory } from '../platform/audit/record-history.ts';
import { serverFacts } from '../platform/audit/server-facts.ts';
import { SourceMaps } from '../platform/audit/source-maps.ts';
import type { MakeBackup } from '../platform/backup/backup-report.ts';
import { Backups } from '../platform/backup/backups.ts';
import { CompatibleClients } from '../platform/bladex/compatible-clients.ts';
import { Evidence } from '../platform/evidence/evidence.ts';
import { destinationsOf, EvidenceStream } from '../platform/evidence/stream.ts';
import { witnessPath } from '../platform/evidence/witness.ts';
import { recordBackup } from '../platform/figures/backups.ts';
import { RecordFileLinks } from '../platform/files/record-links.ts';
import { Signatures } from '../platform/files/signatures.ts';
import { startFiles } from '../platform/files/start-files.ts';
import { HealthSources } from '../platform/health/health-sources.ts';
import type { App } from '../platform/http/app.ts';
import { Principals } from '../platform/http/authorize-call.ts';
import { Passwords } from '../platform/identity/passwords/passwords.ts';
import { SigningKeys } from '../platform/identity/signing/signing-keys.ts';
import { createSignInServices } from '../platform/identity/start-auth.ts';
import { LiveEvents } from '../platform/live/live-events.ts';
import { RecordEditors } from '../platform/live/record-editors.ts';
import { Metrics } from '../platform/metrics/metrics.ts';
import { PackageStore } from '../platform/packages/package-store.ts';
import { Explanations } from '../platform/permission/explanations.ts';
import { DictionaryLabels } from '../platform/references/dictionary-labels.ts';
import { ReferenceReaders } from '../platform/references/reference-reader.ts';
import { replicaFacts } from '../platform/replicas/replica-facts.ts';
import { Replicas } from '../platform/replicas/replicas.ts';
import { ServerState } from '../platform/replicas/server-report.ts';
import { SearchSources } from '../platform/search/search-sources.ts';
import { SmsOutbox } from '../platform/sms/outbox.ts';
import { Sms } from '../platform/sms/sms.ts';
import { PluginSwitches } from '../platform/switches/plugin-switches.ts';
import { openTraces, type Traces } from '../platform/traces/traces.ts';
import { InstalledPackages } from './packages/installed-packages.ts';
import { failureFile, failuresOfProcess } from './plugin-host/failure-file.ts';
import type { InstalledPlugin } from './plugin-host/plugin.ts';
import { PluginHost } from './plugin-host/plugin-host.ts';
import { mapsBeside } from './serving/console-files.ts';
import { GracefulShutdown } from './serving/graceful-shutdown.ts';

/** Everything that `boot` needs to build a server. */
export interface BootDeps {
  readonly app: App;
  readonly db: Database;
  readonly configuration: Configuration;
  readonly keys: SecretKeys;
  readonly manifest: Manifest;
  readonly installed: readonly InstalledPlugin[];
  /** Makes backups of this deployment. */
  readonly makeBackup: MakeBackup;
  /** Address of the module whose `servePlugin` the processes of contained plugins run. */
  readonly processModule: string;
  /** Groups of the menu, for pages that name theirs by code. */
  readonly menuGroups?: readonly Menu[];
  /** Factor by which interval tasks of plugins run more often; tests raise it so that they need not wait. */
  readonly timeScale?: number;
}

/** Creates the services of the kernel. It neither reads nor writes the database. */
export async function createServices({ app, db, configuration, keys, manifest, installed, makeBackup, processModule, timeScale = 1 }: BootDeps) {
  const shutdown = new GracefulShutdown(configuration.drainSeconds);
  db.encryption.setKey(...keys.encryption);
  const metrics = new Metrics(app.log);
  const traces = await tracesOf(app, configuration, keys, metrics);
  const parameters = new StoredParameters(app.log);
  const bus = new ServerBus(db, app.log);
  const [live, editors, health] = [new LiveEvents(db), new RecordEditors(db), new HealthSources()];
  const sms = new Sms(app.log);
  if (configuration.smsOutbox) sms.register(new SmsOutbox(db));
  const signatures = new Signatures(...keys.file);
  const storage = startFiles({ db, signatures, parameters, directory: configuration.dataDirectory, basePath: configuration.basePath });
  const { files } = storage;
  const links = new RecordFileLinks(db, signatures, (key) => files.linkTo({ key, isPublic: false }));
  db.links = links;
  db.recycleDays = () => parameters.integer(recycleDays);
  db.storeChanges = (changes) => storeHistory(db, changes);
  const [dictionaryLabels, references, signingKeys] = [new DictionaryLabels(db), new ReferenceReaders(db), new SigningKeys({ db, parameters, log: app.log })];
  const [principals, compatibleClients, explanations] = [new Principals(), new CompatibleClients(db), new Explanations(db)];
  const switches = new PluginSwitches(db);
  const facts = serverFacts(configuration.mode);
  const logs = createLogs({ app, db, configuration }, facts);
  const passwords = new Passwords(keys.sm2, [manifest.product.name, ...manifest.product.title]);
  const signInServices = createSignInServices({ db, keys, log: app.log, configuration, isOff: (plugin, tenantId) => switches.isOff(plugin, tenantId) });
  const crashLoopGuard = createCrashLoopGuard(configuration, app);
  const registries = { signInServices, principals, dictionaryLabels, references, explanations, switches, signingKeys };
  const services = { ...registries, bus, metrics, parameters, live, sms, passwords, crashLoopGuard };
  const state = new ServerState({ db, configuration, plugins: () => host });
  const ownFacts = replicaFacts(facts.serverHost, keys, configuration, installed);
  const replicas = new Replicas({ db, own: ownFacts, allowed: configuration.rollingChange, state, log: app.log, timeScale });
  const evidenceServices = createEvidence({ db, configuration, keys }, () => host.running);
  const packages = createPackages({ app, db, configuration, installed, processModule }, logs.systemLogs);
  const host: PluginHost = new PluginHost({
    ...services,
    ...evidenceServices,
    health,
    packages,
    servers: replicas,
    traces,
    db,
    files,
    filesBucket: configuration.filesBucket,
    backups: new Backups(configuration.backupDirectory, makeBackup),
    systemLogs: logs.systemLogs,
    logDestination: logs.sink ?? storedOnly,
    consoleClient: manifest.clientId,
    secretKeys: keys.ofPlugin,
    log: app.log,
    safe: configuration.safeMode,
    samples: configuration.sampleNotifications,
    basePath: configuration.basePath,
    egress: new Egress(configuration.egressAllow),
    timeScale,
  });
  const logRetention = new LogRetention({ db, parameters, ...evidenceServices, systemLog: logs.systemLogs.of('log'), log: app.log });
  const search = new SearchSources(db, app.log);
  recordBackups(db, app);
  const records = { search, editors, storage, links };
  return { ...services, ...evidenceServices, ...records, health, packages, traces, compatibleClients, host, replicas, shutdown, logs, logRetention };
}

function createCrashLoopGuard({ mode, dataDirectory }: Configuration, { log }: App): CrashLoopGuard {
  const failures = mode === 'development' ? failuresOfProcess() : failureFile(join(dataDirectory, 'plugin-starts.json'), log);
  return new CrashLoopGuard(failures, process.env.MARQUEE_BUILD ?? '');
}

function createPackages(
  { app, db, configuration, installed, processModule }: Pick<BootDeps, 'app' | 'db' | 'configuration' | 'installed' | 'processModule'>,
  systemLogs: PostgresSystemLog,
): InstalledPackages {
  const { pluginKeys: keys, unsignedPlugins: unsigned, basePath } = configuration;
  const containment = { processModule, engine: db.engine, basePath, log: app.log };
  return new InstalledPackages({
    store: new PackageStore(db),
    ...{ keys, unsigned, containment },
    built: installed,
    log: app.log,
    systemLog: systemLogs.of('plugins'),
  });
}

/** Creates the service that seals logs and records of money, and the one that sends the seals elsewhere. */
function createEvidence({ db, configuration, keys }: Pick<BootDeps, 'db' | 'configuration' | 'keys'>, running: () => PluginHost['running']) {
  const evidence = new Evidence({
    db,
    keys: keys.evidence,
    tables: () => running().flatMap(({ sealedTables = [] }) => sealedTables),
    witnessPath: witnessPath(configuration.dataDirectory),
  });
  return { evidence, evidenceStream: new EvidenceStream(db, evidence.store, destinationsOf(configuration.evidence)) };
}

/** Records each backup that another process has made of the embedded database. */
function recordBackups(db: Database, { log }: App): void {
  const backupFailed = (error: unknown) => log.warn({ err: error }, 'could not record a backup for the setup checklist');
  db.onSignal(backupFinished, () => void recordBackup(db).catch(backupFailed));
}

/** Opens the traces of a deployment that records them. */
async function tracesOf({ log }: App, { traces }: Configuration, keys: SecretKeys, metrics: Metrics): Promise<Traces | undefined> {
  return traces && openTraces(traces, { log, key: keys.traces, onDropped: (spans) => metrics.spansDropped(spans) });
}

function createLogs({ app, db, configuration }: Pick<BootDeps, 'app' | 'db' | 'configuration'>, facts: ReturnType<typeof serverFacts>) {
  const { logSink, dataDirectory } = configuration;
  const sink = logSink && new LogSink(logSink, join(dataDirectory, 'log-sink'), app.log);
  const systemLogs = new PostgresSystemLog(db, app.log, facts, sink);
  const systemLog = systemLogs.of('log');
  const maps = new SourceMaps(mapsBeside(configuration.consoleDirectory));
  const logs = {
    systemLogs,
    apiLog: new ApiLog(db, app.log, facts, systemLog, sink),
    errorLog: new ErrorLog(db, app.log, facts, { systemLog, sink, maps }),
    loginLog: new LoginLog(db, app.log),
  };
  return {
    ...logs,
    sink,
    /** Writes the entries that wait; called before the database closes. */
    async close() {
      for (const log of [logs.apiLog, logs.errorLog, logs.loginLog, logs.systemLogs]) await log.flush();
      await sink?.stop();
    },
  };
}

/** Services of the kernel. */
export type KernelServices = Awaited<ReturnType<typeof createServices>>;
