import { manifest as built, plugins } from '#deployment/server';
import { effectiveManifest } from '#shared/effective-manifest';
import { menuGroups } from '#shared/menu-groups';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { type Configuration, type Environment, readConfiguration } from './base/configuration/configuration.ts';
import { prepareDataDirectory } from './base/configuration/data-directory.ts';
import { deploymentKeys } from './base/configuration/secret-key.ts';
import type { Database } from './data/index.ts';
import { type PasswordReset, resetFromCommandLine } from './host/administration.ts';
import { backupProcess, serveBackupRequest } from './host/backup/backup-process.ts';
import { makeBackup } from './host/backup/make-backup.ts';
import { type RestoreReport, type RestoreRequest, restoreBackup } from './host/backup/restore-backup.ts';
import { assertRestoreFinished } from './host/backup/unfinished-restore.ts';
import { type BootedServer, boot } from './host/boot.ts';
import { type DescribedPlugin, describeDeployment } from './host/deployment-description.ts';
import { compareInDevelopment, type MigrationReport, migrateInDevelopment, type OwnedDifference } from './host/development/migrations.ts';
import { type BootstrapCredentials, finishFirstStart } from './host/first-start.ts';
import { openConfigured } from './host/open-configured.ts';
import { erasePersonOf, exportPersonTo, type PersonErasureReport, type PersonExportReport, type PersonRequest } from './host/personal-commands.ts';
import { type ResealReport, resealSecrets } from './host/reseal-secrets.ts';
import { openStartingServer } from './host/serving/starting-server.ts';
import { startProblem } from './host/start-problem.ts';
import type { BackupReport, BackupRequest, MakeBackup } from './platform/backup/backup-report.ts';
import { Evidence } from './platform/evidence/evidence.ts';
import { resignSeals } from './platform/evidence/resign.ts';
import { SealKeys } from './platform/evidence/seal.ts';
import type { VerificationReport, VerificationRequest } from './platform/evidence/verification.ts';
import { witnessPath } from './platform/evidence/witness.ts';
import { recordBackup } from './platform/figures/backups.ts';
import { createApp } from './platform/http/app.ts';
import { securityHeadersOf } from './platform/http/security-headers.ts';
import { type Rotation, rotateKeys } from './platform/identity/signing/stored-keys.ts';

/** A running server, as returned to its launcher. */
export interface StartedServer {
  /** URL of the server for a browser on this machine. */
  readonly address: string;
  /** Present only on the start that created the first account. */
  readonly bootstrapCredentials: BootstrapCredentials | undefined;
  /** Compares the tables with the entities that the plugins declare; for development. */
  tableDifferences(): Promise<OwnedDifference[]>;
  /** Stops the server as SIGTERM does, without ending the process. */
  stop(): Promise<void>;
}

/** Maximum time for running work after the server has stopped accepting connections. */
const stopTimeoutMs = 10_000;

/** Describes the plugins of this build without starting it. */
export const describedPlugins = (): DescribedPlugin[] => describeDeployment(plugins);

/** Resets a password while the server of an embedded database is stopped, or beside the servers of `DATABASE_URL`; rejects with a readable sentence on failure. */
export const resetPassword = (environment: Environment, request: PasswordReset): Promise<OneTimePassword | undefined> =>
  withDatabase(environment, (db, configuration) => {
    const keys = deploymentKeys(configuration);
    return resetFromCommandLine(db, keys.sm2, request);
  });

/** Encrypts all stored secrets, and signs all seals, with the current key; rejects with a readable sentence on failure. */
export const resealStoredSecrets = (environment: Environment): Promise<ResealReport> =>
  withDatabase(environment, async (db, configuration) => {
    const keys = deploymentKeys(configuration);
    db.encryption.setKey(...keys.encryption);
    const { resealed, unreadable } = await resealSecrets(db);
    const { unsigned } = await resignSeals(db, new SealKeys(keys.evidence));
    return { resealed, unreadable: unsigned > 0 ? new Map([...unreadable, ['evidence_seal.mac', unsigned]]) : unreadable };
  });

/** Compares the sealed rows of logs and of money with their seals, beside running servers of `DATABASE_URL`; rejects with a readable sentence on failure. */
export const verifyEvidence = (environment: Environment, request: VerificationRequest): Promise<VerificationReport> =>
  withDatabase(environment, (db, configuration) => {
    const tables = plugins.flatMap(({ plugin: { sealedTables = [] } }) => sealedTables);
    const evidence = new Evidence({
      db,
      keys: deploymentKeys(configuration).evidence,
      tables: () => tables,
      witnessPath: witnessPath(configuration.dataDirectory),
    });
    return evidence.verify(request);
  });

/** Replaces the key that signs access tokens, or revokes all of them; rejects with a readable sentence on failure. */
export const rotateSigningKey = (environment: Environment, request: { readonly isRevocation: boolean }): Promise<Rotation> =>
  withDatabase(environment, (db, configuration) => {
    db.encryption.setKey(...deploymentKeys(configuration).encryption);
    return rotateKeys(db, request.isRevocation);
  });

/** Writes everything about one person to a new ZIP archive; rejects with a readable sentence on failure. */
export const exportPerson = (environment: Environment, request: PersonRequest, path: string): Promise<PersonExportReport> =>
  withDatabase(environment, (db, configuration) => exportPersonTo({ db, configuration, plugins: plugins.map(({ plugin }) => plugin) }, request, path));

/** Says what the erasure of a person does, and erases them if it is confirmed; rejects with a readable sentence on failure. */
export const erasePerson = (environment: Environment, request: PersonRequest, isConfirmed: boolean): Promise<PersonErasureReport> =>
  withDatabase(environment, (db, configuration) => erasePersonOf({ db, configuration, plugins: plugins.map(({ plugin }) => plugin) }, request, isConfirmed));

/** Records that a backup has been made and resolves to its time as text; rejects with a readable sentence on failure. */
export const backupRecorded = (environment: Environment): Promise<string> => withDatabase(environment, recordBackup);

/** Writes a backup into one file while servers run; rejects with a readable sentence on failure, and then leaves no file. */
export const backup = (environment: Environment, request: BackupRequest): Promise<BackupReport> =>
  withConfiguration(environment, (configuration) => makeBackup({ configuration, installed: plugins, notify: console.error }, request));

/** Makes the backup that the server requests of this process, which is one of `backupProcess`. */
export const backupRequested = (): Promise<void> => serveBackupRequest((request) => backup(process.env, request));

/** Restores a backup into an empty database and folder of files; rejects with a readable sentence on failure, and then has changed nothing. */
export const restore = (environment: Environment, request: RestoreRequest): Promise<RestoreReport> =>
  withConfiguration(environment, (configuration) => restoreBackup({ configuration, installed: plugins, notify: console.error }, request));

/** Applies the migrations of this build while the server of an earlier one runs; for development. */
export const migrateDatabase = (environment: Environment): Promise<MigrationReport> =>
  withDatabase(environment, (db, { dataDirectory }) => migrateInDevelopment(db, dataDirectory, plugins));

function withDatabase<Result>(environment: Environment, work: (db: Database, configuration: Configuration) => Promise<Result>): Promise<Result> {
  return withConfiguration(environment, async (configuration) => {
    const db = await openConfigured(configuration, console.error);
    try {
      return await work(db, configuration);
    } finally {
      await db.close();
    }
  });
}

async function withConfiguration<Result>(environment: Environment, work: (configuration: Configuration) => Promise<Result>): Promise<Result> {
  const configuration = readConfiguration(environment);
  try {
    return await work(configuration);
  } catch (error) {
    throw startProblem(error, configuration);
  }
}

/** Starts the server that an environment describes; rejects with a readable sentence if it cannot run. Ctrl-C and SIGTERM drain and end the process. */
export const startServer = (environment: Environment): Promise<StartedServer> =>
  withConfiguration(environment, (configuration) => startConfigured(configuration, backupProcess(import.meta.url, environment)));

async function startConfigured(configuration: Configuration, makeBackup: MakeBackup): Promise<StartedServer> {
  // The port is claimed before anything is written: a port in use must not leave a first start half done.
  const manifest = effectiveManifest(built, configuration.consoleSettings);
  const startingServer = await openStartingServer(configuration.host, configuration.port, {
    headers: securityHeadersOf(manifest).always,
    basePath: configuration.basePath,
  });
  let isStarting = true;
  const closeStartingServer = async () => {
    if (isStarting) await startingServer.close();
    isStarting = false;
  };
  try {
    // With an external PostgreSQL the server may run on a read-only disk, as long as it stores no files there.
    if (configuration.databaseUrl === undefined) prepareDataDirectory(configuration.dataDirectory);
    const app = await createApp(configuration, manifest);
    await assertRestoreFinished(configuration);
    const db = await openConfigured(configuration, (sentence) => app.log.warn(sentence), { log: app.log });
    let booted: BootedServer | undefined;
    try {
      const keys = deploymentKeys(configuration);
      booted = await boot({
        app,
        db,
        configuration,
        keys,
        manifest,
        installed: plugins,
        makeBackup,
        processModule: new URL('plugin-process.js', import.meta.url).href,
        menuGroups: Object.values(menuGroups),
      });
      await closeStartingServer();
      await app.listen({ host: configuration.host, port: startingServer.port });
    } catch (error) {
      await (booted ? booted.stop() : app.close().then(() => db.close()));
      throw error;
    }
    stopOnSignals(booted, configuration.drainSeconds * 1000 + stopTimeoutMs);
    finishFirstStart(configuration.dataDirectory);
    return {
      address: `http://localhost:${portOf(app)}${configuration.basePath}`,
      bootstrapCredentials: booted.bootstrapCredentials,
      tableDifferences: () => compareInDevelopment(db, configuration.dataDirectory, plugins),
      stop: booted.stop,
    };
  } finally {
    await closeStartingServer();
  }
}

function portOf(app: { server: { address(): string | { port: number } | null } }): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Signals that stop the server. Windows has no SIGTERM: closing a console window and Ctrl-Break take its role. Elsewhere a server may outlive its terminal (`nohup`). */
const endingSignals: readonly NodeJS.Signals[] = process.platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : ['SIGINT', 'SIGTERM'];

/** Exit code that asks the supervisor for a restart; `scripts/supervise.mjs` uses the same value. */
const restartCode = 75;

/**
 * A second signal, or the timeout, ends the process regardless of running work. An uncaught exception stops the server in order, to be restarted; an unhandled
 * rejection does not.
 */
function stopOnSignals({ stop, strayError }: BootedServer, withinMs: number): void {
  let stopping = false;
  const end = (code: number) => {
    stopping = true;
    setTimeout(() => process.exit(code || 1), withinMs).unref();
    stop().then(
      () => process.exit(code),
      (error) => {
        console.error(error);
        process.exit(code || 1);
      },
    );
  };
  for (const signal of endingSignals) process.on(signal, () => (stopping ? process.exit(1) : end(0)));
  process.on('unhandledRejection', (error) => strayError(error, 'rejection'));
  process.on('uncaughtException', (error) => {
    strayError(error, 'exception');
    if (!stopping) end(restartCode);
  });
}
