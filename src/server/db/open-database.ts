import type { MemoryFS } from '@electric-sql/pglite';
import { ConnectedDatabase } from './connected-database.ts';
import type { Database } from './database.ts';
import { dumpDatabase, embeddedDriver } from './embedded-driver.ts';
import { type Log, silent } from './log.ts';
import { postgresDriver } from './postgres-driver.ts';

/** Where the rows are and how times read. */
export interface DatabaseOptions {
  /** `postgres://…`; absent, PostgreSQL runs inside this process. */
  readonly url?: string | undefined;
  /** Where the embedded database keeps its files; absent, it lives in memory. */
  readonly dataDirectory?: string | undefined;
  /** The path of what `writeTemplate` wrote, or its files for a database in memory; used when the embedded database is a fresh one. */
  readonly template?: string | MemoryFS | undefined;
  /** The deployment's zone: times without one are read and given in it. */
  readonly timeZone: string;
  /** Connections to a PostgreSQL server; 10 unless said. */
  readonly poolSize?: number;
  readonly log?: Log;
}

/** Opens the deployment's database; refuses when it cannot be reached, cannot keep tenants apart or is open elsewhere. */
export async function openDatabase({ url, dataDirectory, template, timeZone, poolSize = 10, log = silent }: DatabaseOptions): Promise<Database> {
  const driver = url ? await postgresDriver({ url, timeZone, poolSize, log }) : await embeddedDriver({ directory: dataDirectory, timeZone, template });
  return new ConnectedDatabase(driver, log);
}

/** Writes what `template` takes: an embedded database as `fill` leaves it, empty unless said, so that a fresh one need not be initialised. */
export function writeTemplate(path: string, fill: (db: Database) => Promise<unknown> = async () => undefined): Promise<void> {
  return dumpDatabase(path, async (driver) => void (await fill(new ConnectedDatabase(driver, silent))));
}
