import { join } from 'node:path';
import type { Configuration } from '../base/configuration/configuration.ts';
import type { Log } from '../base/log.ts';
import { waitForDatabase } from '../data/database/open-database.ts';
import { type Database, openDatabase } from '../data/index.ts';

/** Settings that describe a database. */
export type DatabaseSettings = Pick<Configuration, 'databaseUrl' | 'dataDirectory' | 'timeZone' | 'databaseWait' | 'databaseConnections' | 'statementTimeout'>;

/** Directory of the embedded database. */
export const embeddedDirectory = (dataDirectory: string): string => join(dataDirectory, 'database');

/** Opens the database of a configuration, by default its own directory of an embedded one; `notify` receives a sentence while it waits for a server. */
export function openConfigured(
  { databaseUrl: url, dataDirectory, timeZone, databaseWait, databaseConnections, statementTimeout }: DatabaseSettings,
  notify: (sentence: string) => void,
  { directory = embeddedDirectory(dataDirectory), log }: { readonly log?: Log; readonly directory?: string } = {},
): Promise<Database> {
  const options = log ? { log } : {};
  if (url === undefined) return openDatabase({ ...options, dataDirectory: directory, timeZone });
  const wait = () => notify(`The PostgreSQL of DATABASE_URL does not answer yet. Waiting up to ${databaseWait} s (DATABASE_WAIT).`);
  const server = { ...options, url, timeZone, poolSize: databaseConnections, statementSeconds: statementTimeout };
  return waitForDatabase(() => openDatabase(server), databaseWait, wait);
}
