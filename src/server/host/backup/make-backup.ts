import { createWriteStream, existsSync, statSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { kernelVersion } from '#shared/kernel-version';
import type { Configuration } from '../../base/configuration/configuration.ts';
import { existingKeys } from '../../base/configuration/secret-key.ts';
import { queryRows } from '../../data/database/rows.ts';
import { requestCopy } from '../../data/embedded/embedded-copies.ts';
import type { Database } from '../../data/index.ts';
import type { BackupReport, BackupRequest } from '../../platform/backup/backup-report.ts';
import { readableProblem } from '../../platform/backup/file-problem.ts';
import { recordBackup } from '../../platform/figures/backups.ts';
import { DiskStore } from '../../platform/files/disk-store.ts';
import { replicaFacts } from '../../platform/replicas/replica-facts.ts';
import { embeddedDirectory, openConfigured } from '../open-configured.ts';
import type { InstalledPlugin } from '../plugin-host/plugin.ts';
import type { ArchiveTrailer } from './archive.ts';
import { assertSeesAllRows } from './dump-database.ts';
import { checkArchive, openArchive } from './read-archive.ts';
import { schemaOf } from './restorable.ts';
import { verifyArchive } from './verify-archive.ts';
import { archiveOf, type DeploymentFacts } from './write-archive.ts';

/** Dependencies of both commands. */
export interface BackupDeps {
  readonly configuration: Configuration;
  readonly installed: readonly InstalledPlugin[];
  /** Shows a sentence to the operator. */
  readonly notify: (sentence: string) => void;
}

/** A database to read, and what ends with the backup. */
interface Source {
  readonly db: Database;
  /** Aborts when the source disappears. */
  readonly signal: AbortSignal | undefined;
  /** Records the backup for the setup checklist. */
  record(): Promise<unknown>;
  close(): Promise<void>;
}

/** Writes a backup under a temporary name, reads it again, and renames it when it is complete. */
export async function makeBackup({ configuration, installed, notify }: BackupDeps, { path, isVerified, signal }: BackupRequest): Promise<BackupReport> {
  const file = fileOf(path);
  const keys = existingKeys(configuration);
  if (keys === undefined) throw new Error('No key found: DATA_DIR contains no secret.key, and SECRET_KEY is not set.');
  const { plugins, keyFingerprint, fallbackFingerprints = [] } = replicaFacts('', keys, configuration, installed);
  const engine = configuration.databaseUrl === undefined ? 'embedded' : 'postgres';
  const facts = { version: kernelVersion, engine, timeZone: configuration.timeZone, keyFingerprint, fallbackFingerprints: [...fallbackFingerprints], plugins };
  // Two backups of one name must not write into one file.
  const part = `${file}.${process.pid}.part`;
  let stopping = signal;
  try {
    const source = await openSource(configuration, notify);
    try {
      stopping = AbortSignal.any([signal, source.signal].filter((one) => one !== undefined));
      const end = await write(part, source.db, new DiskStore(join(configuration.dataDirectory, 'files')), { facts, signal: stopping });
      await verify(part, isVerified ? installed : undefined, stopping);
      await rename(part, file);
      await source.record().catch((error: Error) => notify(`The backup was made, but could not be recorded for the setup checklist: ${error.message}`));
      return { path: file, bytes: (await stat(file)).size, keyFingerprint, tables: end.tables, files: end.files };
    } finally {
      await source.close();
    }
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw stopping?.aborted ? stopping.reason : readableProblem(error, file);
  }
}

function fileOf(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(path, `marquee-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.tar.gz`) : path;
  if (existsSync(file)) throw new Error(`${file} exists already. Choose another name.`);
  return file;
}

async function write(
  part: string,
  db: Database,
  files: DiskStore,
  { facts, signal }: { readonly facts: DeploymentFacts; readonly signal: AbortSignal },
): Promise<ArchiveTrailer> {
  return db.snapshot('a backup contains the rows of all tenants', async () => {
    const [table] = await queryRows<{ exists: boolean }>(db, sql`select to_regclass('schema_migration') is not null as exists`);
    if (!table?.exists) throw new Error('The database is empty: no server has been started on it yet.');
    await assertSeesAllRows(db);
    // Large files take longer than a database lets a transaction rest.
    await db.script('set local idle_in_transaction_session_timeout = 0');
    let end: ArchiveTrailer | undefined;
    async function* bytes() {
      end = yield* archiveOf(db, files, facts);
    }
    const target = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(bytes(), createGzip({ level: 3 }), target, { signal });
    if (!end) throw new Error('The archive has no end.');
    return end;
  });
}

/** Restores an archive by the migrations of the plugins, or only reads it. */
async function verify(path: string, installed: readonly InstalledPlugin[] | undefined, signal: AbortSignal): Promise<void> {
  const archive = await openArchive(path);
  try {
    if (!installed) await checkArchive(archive, signal);
    else await verifyArchive(archive, schemaOf(archive.manifest, installed, false), signal);
  } finally {
    archive.close();
  }
}

/** Opens PostgreSQL, the embedded database of a stopped server, or a copy that a running server makes of its own. */
async function openSource(configuration: Configuration, notify: BackupDeps['notify']): Promise<Source> {
  const directory = embeddedDirectory(configuration.dataDirectory);
  const copy = configuration.databaseUrl === undefined ? await requestCopy(directory) : undefined;
  const options = copy ? { directory: copy.directory } : {};
  try {
    const db = await openConfigured({ ...configuration, statementTimeout: 0 }, notify, options);
    const close = async () => {
      await db.close();
      await copy?.release();
    };
    return { db, signal: copy?.signal, record: () => (copy ? copy.finish() : recordBackup(db)), close };
  } catch (error) {
    await copy?.release();
    throw error;
  }
}
