import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import type { Log } from '../http/app.ts';
import type { Parameters } from '../parameters.ts';
import { rowsOf } from '../rows.ts';
import type { Journal } from './journal.ts';

const hour = 3_600_000;
const monthsPrepared = 3;
const daysKept = 180;
const leastDays = 7;

/** The logs that are spread by month, and the parameter that says for how many days each is kept. */
const logs = [
  { table: 'api_log', parameter: 'log.apiKeepDays' },
  { table: 'error_log', parameter: 'log.errorKeepDays' },
  { table: 'usual_log', parameter: 'log.usualKeepDays' },
] as const;

/** Makes the tables of the coming months before they are needed and drops those that are kept no longer, every hour. */
export class LogKeeping {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: { readonly db: Database; readonly parameters: Parameters; readonly journal: Journal; readonly log: Log }) {}

  /** The tables of the coming months are there when this is done. */
  async prepare(): Promise<void> {
    const { db } = this.parts;
    for (const { table } of logs)
      await db.asPlatform('log tables are made for all tenants together', () => rowsOf(db, sql`select prepare_log(${table}::regclass, ${monthsPrepared})`));
  }

  start(): void {
    this.timer = setInterval(() => void this.tend(), hour).unref();
    void this.tend();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  async tend(): Promise<void> {
    try {
      await this.prepare();
      for (const log of logs) await this.drop(log);
    } catch (error) {
      this.parts.log.warn({ err: error }, 'old log tables could not be dropped');
    }
  }

  private async drop({ table, parameter }: (typeof logs)[number]): Promise<void> {
    const { db, parameters, journal } = this.parts;
    const days = Math.max(leastDays, await parameters.whole(parameter, daysKept));
    const dropped = await db.asPlatform('old log tables hold entries of all tenants', async () => {
      // Whoever writes to the log does not wait for us: we come again in an hour.
      await rowsOf(db, sql`set local lock_timeout = '2s'`);
      return rowsOf<{ name: string }>(db, sql`select name from drop_old_log(${table}::regclass, ${days}) as name`);
    });
    if (dropped.length > 0) journal.note({ level: 'info', event: 'log:months-dropped', data: { days, tables: dropped.map(({ name }) => name) } });
  }
}
