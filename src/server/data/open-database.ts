import { setTimeout as pause } from 'node:timers/promises';
import type { MemoryFS } from '@electric-sql/pglite';
import { type Log, silent } from '../base/log.ts';
import { ConnectedDatabase } from './database/connected-database.ts';
import type { Database } from './database/database.ts';
import { postgresDriver } from './database/postgres-driver.ts';
import { identifierStatement, ReadReplica } from './database/read-replica.ts';
import { dumpDatabase, embeddedDriver } from './embedded/embedded-driver.ts';

/** Location of the database and its time zone. */
export interface DatabaseOptions {
  /** `postgres://…`; undefined runs PostgreSQL inside this process. */
  readonly url?: string | undefined;
  /** `postgres://…` of PostgreSQL itself if `url` is that of a pooler which assigns a connection to each transaction. */
  readonly directUrl?: string | undefined;
  /** `postgres://…` of a standby for reads that may be a moment old. */
  readonly readUrl?: string | undefined;
  /** Directory of the embedded database; undefined creates it in memory. */
  readonly dataDirectory?: string | undefined;
  /** Path of a file from `writeTemplate`, or its files for a database in memory; used when a new embedded database is created. */
  readonly template?: string | MemoryFS | undefined;
  /** The deployment's time zone: times without one are read and written in it. */
  readonly timeZone: string;
  /** Number of connections to a PostgreSQL server; 10 by default. */
  readonly poolSize?: number;
  /** Timeout of one statement on a PostgreSQL server in seconds; 60 by default, 0 for none. */
  readonly statementSeconds?: number;
  readonly log?: Log;
}

/** Opens the deployment's database; throws if it cannot be reached, cannot isolate tenants or is open elsewhere. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, directUrl, readUrl, dataDirectory, template, timeZone, poolSize = 10, statementSeconds = 60, log = silent } = options;
  const driver = url
    ? await postgresDriver({ url, directUrl, timeZone, poolSize, statementSeconds, log })
    : await embeddedDriver({ directory: dataDirectory, timeZone, template });
  const { value } = driver;
  if (readUrl === undefined || !value) return new ConnectedDatabase(driver, log);
  const primary = {
    position: () => value("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as value"),
    identifier: () => value(identifierStatement),
  };
  return new ConnectedDatabase(
    driver,
    log,
    new ReadReplica({ url: readUrl, isPooled: directUrl !== undefined, timeZone, poolSize, statementSeconds, log, primary }),
  );
}

/** Writes a file for `template`: an embedded database filled by `fill`, empty by default, so that a new one need not be initialized. It can be made from another template. */
export function writeTemplate(path: string, fill: (db: Database) => Promise<unknown> = async () => undefined, template?: MemoryFS): Promise<void> {
  return dumpDatabase(path, async (driver) => void (await fill(new ConnectedDatabase(driver, silent))), template);
}

/** Error codes of a PostgreSQL that is still starting, or of a network that cannot resolve it yet. */
const notReadyCodes = /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08...|57P0[123])$/;
const pauseMs = 500;

/**
 * Opens a database that may still be starting, with retries for the given number of seconds; calls `onWaiting` once when it begins to wait. Throws any other error, and the
 * last one after the timeout.
 */
export async function waitForDatabase(open: () => Promise<Database>, seconds: number, onWaiting: () => void): Promise<Database> {
  const end = performance.now() + seconds * 1000;
  let hasReported = false;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!notReadyCodes.test(codeOf(error)) || performance.now() + pauseMs > end) throw error;
      if (!hasReported) onWaiting();
      hasReported = true;
      await pause(pauseMs);
    }
  }
}

/** Returns the error code; if a host has several addresses and none answered, the code of the first. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return code ?? errors?.[0]?.code ?? '';
}
