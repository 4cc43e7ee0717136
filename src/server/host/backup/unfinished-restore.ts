import { existsSync, readdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Configuration } from '../../base/configuration/configuration.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { type DatabaseSettings, embeddedDirectory, openConfigured } from '../open-configured.ts';

/** Marker of a restore that has not finished. The database appears in one step, so that it is complete as soon as it exists. */
const markerOf = (dataDirectory: string) => join(dataDirectory, 'restore.unfinished');

export const isUnfinished = (dataDirectory: string): boolean => existsSync(markerOf(dataDirectory));
export const markUnfinished = (dataDirectory: string): Promise<void> => writeFile(markerOf(dataDirectory), '', { mode: 0o600 });
export const removeMarker = (dataDirectory: string): Promise<void> => rm(markerOf(dataDirectory), { force: true });

/** Tests whether a folder has content. */
export const hasContent = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;

/** Tests whether a database has any table, view or sequence. */
export async function isEmpty(db: Database): Promise<boolean> {
  const [found] = await db.asPlatform('a restore needs an empty database', () =>
    queryRows(db, sql`select 1 from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f') limit 1`),
  );
  return found === undefined;
}

/** Throws if a restore into this deployment was interrupted, because a server would begin with an empty database. */
export async function assertRestoreFinished(configuration: DatabaseSettings & Pick<Configuration, 'dataDirectory'>): Promise<void> {
  const { dataDirectory } = configuration;
  if (!isUnfinished(dataDirectory)) return;
  if (await isDatabaseEmpty(configuration))
    throw new Error(
      `The restore into DATA_DIR ${resolve(dataDirectory)} was interrupted. Repeat it with npm run restore, or delete the file restore.unfinished and the folder files there to begin with an empty database.`,
    );
  await removeMarker(dataDirectory);
}

async function isDatabaseEmpty(configuration: DatabaseSettings): Promise<boolean> {
  if (configuration.databaseUrl === undefined) return !hasContent(embeddedDirectory(configuration.dataDirectory));
  const db = await openConfigured(configuration, () => undefined);
  try {
    return await isEmpty(db);
  } finally {
    await db.close();
  }
}
