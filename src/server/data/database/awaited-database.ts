import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './database.ts';

/** Error codes of a PostgreSQL that is still starting, or of a network that cannot resolve it yet. */
const notYet = /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|08...|57P0[123])$/;
const pauseMs = 500;

/**
 * Opens a database that may still be starting, with retries for the given number of seconds; calls `said` once when it begins to wait. Throws any other error, and the
 * last one after the timeout.
 */
export async function awaitedDatabase(open: () => Promise<Database>, seconds: number, onWaiting: () => void): Promise<Database> {
  const end = performance.now() + seconds * 1000;
  let isSaid = false;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!notYet.test(codeOf(error)) || performance.now() + pauseMs > end) throw error;
      if (!isSaid) onWaiting();
      isSaid = true;
      await pause(pauseMs);
    }
  }
}

/** Returns the error code; if a host has several addresses and none answered, the code of the first. */
function codeOf(error: unknown): string {
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return code ?? errors?.[0]?.code ?? '';
}
