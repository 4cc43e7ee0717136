import { sql } from 'drizzle-orm';
import { apiLogDays, errorLogDays, recordHistoryDays, systemLogDays } from '#shared/kernel-parameters';
import type { Log } from '../../base/log.ts';
import type { Parameters } from '../../base/parameters.ts';
import type { Database } from '../../data/database/database.ts';
import { queryRows } from '../../data/database/rows.ts';
import { deletionEdge } from '../evidence/deletion-edge.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { SystemLog } from './system-log.ts';

const intervalMs = 3_600_000;
const monthsPrepared = 3;

/** Logs partitioned by month, with the parameter for their retention in days. */
const logs = [
  { table: 'api_log', parameter: apiLogDays },
  { table: 'error_log', parameter: errorLogDays },
  { table: 'usual_log', parameter: systemLogDays },
  { table: 'record_change', parameter: recordHistoryDays },
] as const;

interface LogRetentionDeps {
  readonly db: Database;
  readonly parameters: Parameters;
  readonly evidence: Pick<Evidence, 'recordPurge'>;
  readonly systemLog: SystemLog;
  readonly log: Log;
}

/** Creates the partitions of the coming months and drops expired ones, every hour. */
export class LogRetention {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly deps: LogRetentionDeps) {}

  /** Creates the partitions of the coming months. */
  async prepare(): Promise<void> {
    const { db } = this.deps;
    for (const { table } of logs)
      await db.asPlatform('creates log partitions for all tenants', () => queryRows(db, sql`select prepare_log(${table}::regclass, ${monthsPrepared})`));
  }

  start(): void {
    this.timer = setInterval(() => void this.tick(), intervalMs).unref();
    void this.tick();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async tick(): Promise<void> {
    await this.prepare().catch((error) => this.deps.log.warn({ err: error }, 'could not create log partitions'));
    // A log that is in use for longer than the lock waits must not keep the partitions of the others.
    for (const log of logs) await this.drop(log).catch((error) => this.deps.log.warn({ err: error, table: log.table }, 'could not drop old log partitions'));
  }

  private async drop({ table, parameter }: (typeof logs)[number]): Promise<void> {
    const { db, evidence, parameters, systemLog } = this.deps;
    const days = await parameters.integer(parameter);
    await evidence.recordPurge({ tables: [table], before: await deletionEdge(db, 'month', days) });
    const dropped = await db.asPlatform('drops old log partitions of all tenants', async () => {
      // The lock times out so that log writers do not wait; the next attempt follows in an hour.
      await queryRows(db, sql`set local lock_timeout = '2s'`);
      return queryRows<{ name: string }>(db, sql`select name from drop_old_log(${table}::regclass, ${days}) as name`);
    });
    if (dropped.length > 0) systemLog.log({ level: 'info', event: 'log:months-dropped', data: { days, tables: dropped.map(({ name }) => name) } });
  }
}
