import { sql } from 'drizzle-orm';
import { ContextVariable } from '../../base/context-variable.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import type { SystemLog } from './system-log.ts';

/** An unhandled rejection, or an uncaught exception that ends the server. */
export type StrayErrorKind = 'rejection' | 'exception';

const currentPlugin = new ContextVariable<string>();

/** Runs work of a plugin so that uncaught errors can be attributed to it, including errors from its timers and promises. */
export const asPlugin = <Result>(plugin: string, work: () => Result): Result => currentPlugin.run(plugin, work);

/** Returns the plugin responsible for an uncaught error: the one whose work was running, or else the one whose source files appear in the stack. */
export function pluginAtFault(error: unknown): string | undefined {
  const stack = error instanceof Error ? error.stack : undefined;
  return currentPlugin.get() ?? /[\\/]plugins[\\/]([\w-]+)[\\/]server[\\/]/.exec(stack ?? '')?.[1];
}

/** Writes an uncaught error to the system log of its plugin, which is also the source of the error counts. */
export function logStrayError(systemLog: SystemLog, plugin: string | undefined, error: unknown, kind: StrayErrorKind): void {
  systemLog.log({ level: 'error', event: `server:stray-${kind}`, data: { plugin: plugin ?? null, message: String(error) } });
}

/** Counts the uncaught errors of each plugin in the last seven days, across all servers and restarts. */
export async function strayErrorCounts(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db.asPlatform('counts plugin errors, which belong to no tenant', () =>
    queryRows<{ plugin: string; count: number }>(
      db,
      sql`select method_class as plugin, count(*)::integer as count from usual_log
          where log_id in ('server:stray-rejection', 'server:stray-exception') and create_time > now() - interval '7 days' group by method_class`,
    ),
  );
  return new Map(rows.map(({ plugin, count }) => [plugin, count]));
}
