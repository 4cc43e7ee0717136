import { join } from 'node:path';
import type { Configuration } from '../base/configuration/configuration.ts';
import { type Log, silent } from '../base/log.ts';
import { ConnectedDatabase } from '../data/database/connected-database.ts';
import { sharedDriver } from '../data/embedded/shared-driver.ts';
import { type Database, openDatabase } from '../data/index.ts';
import { waitForDatabase } from '../data/open-database.ts';

/** Settings that describe a database. */
export type DatabaseSettings = Pick<Configuration, 'databaseUrl' | 'dataDirectory' | 'timeZone' | 'databaseWait' | 'databaseConnections' | 'statementTimeout'> &
  Partial<Pick<Configuration, 'databaseDirectUrl' | 'databaseReadUrl' | 'mode'>>;

/** Directory of the embedded database. */
export const embeddedDirectory = (dataDirectory: string): string => join(dataDirectory, 'database');

/**
 * Opens the database of a configuration: the PostgreSQL server of `databaseUrl`, otherwise the embedded database in `directory`. `notify` receives a sentence while it waits
 * for the server. In development it shares the embedded database that `npm run dev` has open.
 */
export async function openConfigured(
  settings: DatabaseSettings,
  notify: (sentence: string) => void,
  { directory = embeddedDirectory(settings.dataDirectory), log }: { readonly log?: Log; readonly directory?: string } = {},
): Promise<Database> {
  const {
    databaseUrl: url,
    databaseDirectUrl: directUrl,
    databaseReadUrl: readUrl,
    mode,
    timeZone,
    databaseWait,
    databaseConnections,
    statementTimeout,
  } = settings;
  const options = log ? { log } : {};
  if (url === undefined) {
    const shared = mode === 'development' ? await sharedDriver(directory) : undefined;
    return shared ? new ConnectedDatabase(shared, log ?? silent) : openDatabase({ ...options, dataDirectory: directory, timeZone });
  }
  const wait = () => notify(`The PostgreSQL of DATABASE_URL does not answer yet. Waiting up to ${databaseWait} s (DATABASE_WAIT).`);
  const server = { ...options, url, directUrl, readUrl, timeZone, poolSize: databaseConnections, statementSeconds: statementTimeout };
  return waitForDatabase(() => openDatabase(server), databaseWait, wait);
}
