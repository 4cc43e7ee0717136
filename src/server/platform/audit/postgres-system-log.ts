import { sql } from 'drizzle-orm';
import type { Log } from '../../base/log.ts';
import { currentActor } from '../../data/context/actor.ts';
import { platformTenant } from '../../data/context/identity.ts';
import type { Database } from '../../data/database/database.ts';
import { LogBuffer } from './log-buffer.ts';
import type { LogSink } from './log-sink.ts';
import { maskedText } from './masking.ts';
import type { ServerFacts } from './server-facts.ts';
import { linesDropped, SystemLog, type SystemLogEntry } from './system-log.ts';

/** The system log in PostgreSQL; beyond 1,000 waiting entries, further ones are counted, not stored. */
export class PostgresSystemLog {
  private readonly buffer: LogBuffer<SystemLogRow>;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly facts: ServerFacts,
    private readonly sink?: LogSink,
  ) {
    this.buffer = new LogBuffer({
      capacity: 1000,
      flushIntervalMs: 500,
      write: (rows) => this.write(rows),
      onDropped: (dropped) => this.add('log', { level: 'warn', event: linesDropped, data: { log: 'usual_log', dropped } }),
      onFailed: (error, lost) => log.error({ err: error, lost }, 'could not write the system log'),
    });
  }

  /** Returns the log writer of a module. */
  of(module: string): SystemLog {
    const log = (entry: SystemLogEntry) => this.add(module, entry);
    return new (class extends SystemLog {
      override log = log;
    })();
  }

  flush(): Promise<void> {
    return this.buffer.flush();
  }

  private add(module: string, { level, event, data = {}, tenant = platformTenant }: SystemLogEntry): void {
    this.buffer.add(() => {
      const text = maskedText(data);
      this.log[level]({ module, data: text }, event);
      const by = currentActor()?.userId ?? null;
      return { tenant, level, event: event.slice(0, 64), data: text, module, by, at: new Date().toISOString() };
    });
  }

  private async write(rows: readonly SystemLogRow[]): Promise<void> {
    const { serviceId, serverHost, serverIp, env } = this.facts;
    await this.sink?.add('usual_log', rows.map(sinkLine(this.facts)));
    if (this.sink?.isStored === false) return;
    await this.db.asPlatform('writes system log entries of all tenants', async () => {
      await this.db.sql.execute(sql`
        insert into usual_log (tenant_id, log_level, log_id, log_data, service_id, server_host, server_ip, env, method_class, create_user, create_by, create_time)
        select e.tenant, e.level, e.event, e.data, ${serviceId}, ${serverHost}, ${serverIp}, ${env}, e.module, e.by, u.account, date_trunc('second', e.at)
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(tenant text, level text, event text, data text, module text, by bigint, at timestamptz)
        left join user_account u on u.id = e.by`);
    });
  }
}

/** One entry as it is written. */
interface SystemLogRow {
  readonly tenant: string;
  readonly level: string;
  readonly event: string;
  readonly data: string;
  readonly module: string;
  readonly by: string | null;
  readonly at: string;
}

/** Names the values of an entry as the API does. */
const sinkLine =
  (facts: ServerFacts) =>
  ({ tenant, level, event, data, module, by, at }: SystemLogRow) => ({
    tenantId: tenant,
    logLevel: level,
    logId: event,
    logData: data,
    ...facts,
    methodClass: module,
    createUser: by,
    createTime: at,
  });
