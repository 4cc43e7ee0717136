import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Configuration } from '../../base/configuration/configuration.ts';
import { prepareDataDirectory } from '../../base/configuration/data-directory.ts';
import { existingKeys } from '../../base/configuration/secret-key.ts';
import { lockDirectory } from '../../data/embedded/directory-lock.ts';
import { readableProblem, systemErrorOf } from '../../platform/backup/file-problem.ts';
import { witnessPath } from '../../platform/evidence/witness.ts';
import { DiskStore } from '../../platform/files/disk-store.ts';
import { embeddedDirectory, openConfigured } from '../open-configured.ts';
import type { ArchiveManifest, ArchiveTrailer } from './archive.ts';
import type { BackupDeps } from './make-backup.ts';
import { type LoadResult, type LoadTarget, loadArchive, type OpenArchive, openArchive } from './read-archive.ts';
import { type ArchivedSchema, assertKeys, assertVersion, schemaOf } from './restorable.ts';
import { hasContent, isEmpty, isUnfinished, markUnfinished, removeMarker } from './unfinished-restore.ts';
import { verifyArchive } from './verify-archive.ts';

/** A requested restore. */
export interface RestoreRequest {
  /** Archive to read. */
  readonly path: string;
  /** Restores into a temporary database only, and changes nothing else. */
  readonly isVerifying: boolean;
  /** Leaves out tables and plugins that this build does not have. */
  readonly leavesOutUnknown: boolean;
  readonly signal?: AbortSignal;
}

/** A restored or verified backup. */
export interface RestoreReport extends Pick<ArchiveTrailer, 'tables' | 'files'>, Pick<ArchiveManifest, 'createdAt' | 'version' | 'engine' | 'timeZone'> {
  /** Tables of the archive that were left out. */
  readonly skippedTables: readonly string[];
}

/** Restores an archive into an empty deployment, or verifies it. */
export async function restoreBackup({ configuration, installed, notify }: BackupDeps, request: RestoreRequest): Promise<RestoreReport> {
  const { path, isVerifying, leavesOutUnknown, signal } = request;
  const archive = await openArchive(path).catch((error: unknown) => {
    throw readableProblem(error, path);
  });
  try {
    const { manifest } = archive;
    assertVersion(manifest);
    assertOwnKey(manifest, configuration, isVerifying);
    const schema = schemaOf(manifest, installed, leavesOutUnknown);
    const { trailer, skippedTables } = isVerifying
      ? await verifyArchive(archive, schema, signal)
      : await restoreInto(configuration, notify, { archive, schema, signal });
    const { createdAt, version, engine, timeZone } = manifest;
    return { tables: trailer.tables, files: trailer.files, skippedTables, createdAt, version, engine, timeZone };
  } finally {
    archive.close();
  }
}

/** Compares the keys; only a verification works without one. */
function assertOwnKey(manifest: ArchiveManifest, configuration: Configuration, isOptional: boolean): void {
  const keys = existingKeys(configuration);
  if (keys !== undefined) assertKeys(manifest, keys);
  else if (!isOptional)
    throw new Error(
      `No key found. Copy secret.key of the deployment that was backed up into DATA_DIR ${resolve(configuration.dataDirectory)}, or set SECRET_KEY to its key.`,
    );
}

interface Loading {
  readonly archive: OpenArchive;
  readonly schema: ArchivedSchema;
  readonly signal: AbortSignal | undefined;
}

async function restoreInto(configuration: Configuration, notify: BackupDeps['notify'], loading: Loading): Promise<LoadResult> {
  const { dataDirectory } = configuration;
  prepareDataDirectory(dataDirectory);
  const unlock = await lockDirectory(dataDirectory);
  try {
    return await restoreLocked(configuration, notify, loading);
  } finally {
    await unlock();
  }
}

async function restoreLocked(configuration: Configuration, notify: BackupDeps['notify'], { archive, schema, signal }: Loading): Promise<LoadResult> {
  const { dataDirectory, databaseUrl } = configuration;
  const database = embeddedDirectory(dataDirectory);
  const [files, restoring] = [join(dataDirectory, 'files'), `${database}.restoring`];
  const isEmbedded = databaseUrl === undefined;
  if (isEmbedded && hasContent(database)) throw new Error(`${resolve(database)} contains a database. Restore into an empty DATA_DIR, or move it away.`);
  if (hasContent(files) && !isUnfinished(dataDirectory))
    throw new Error(`${resolve(files)} contains files. Restore into an empty DATA_DIR, or move them away.`);
  await rm(restoring, { recursive: true, force: true });
  try {
    const db = await openConfigured({ ...configuration, statementTimeout: 0 }, notify, { directory: restoring });
    let result: LoadResult;
    try {
      if (!(await isEmpty(db))) throw new Error('The database of DATABASE_URL is not empty. Restore into a new one, made with createdb.');
      await markUnfinished(dataDirectory);
      result = await loadOrDiscard(archive, { db, schema, signal, folder: files, isScratch: isEmbedded });
    } finally {
      await db.close();
    }
    if (isEmbedded) await rename(restoring, database);
    await removeMarker(dataDirectory);
    // The backup is older than what this server has seen.
    await rm(witnessPath(dataDirectory), { force: true });
    return result;
  } catch (error) {
    await rm(restoring, { recursive: true, force: true });
    if (isUnfinished(dataDirectory) && !hasContent(files)) await removeMarker(dataDirectory);
    throw systemErrorOf(error) ?? error;
  }
}

interface Restoring extends Omit<LoadTarget, 'files'> {
  /** Folder of the files. */
  readonly folder: string;
  /** True if the database is discarded after a failure, whatever it contains. */
  readonly isScratch: boolean;
}

/** Loads the rows and files; after a failure it removes the files, as the database does with the rows. */
async function loadOrDiscard(archive: OpenArchive, { folder, isScratch, ...target }: Restoring): Promise<LoadResult> {
  try {
    await rm(folder, { recursive: true, force: true });
    return await loadArchive(archive, { ...target, files: new DiskStore(folder) });
  } catch (error) {
    // A connection that is lost during the commit does not say whether it succeeded; the marker then lets the next start decide.
    if (isScratch || (await isEmpty(target.db).catch(() => false))) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
