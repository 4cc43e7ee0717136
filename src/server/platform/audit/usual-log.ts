import { sql } from 'drizzle-orm';
import type { Log } from '../../base/log.ts';
import { currentActor } from '../../data/context/actor.ts';
import { platformTenant } from '../../data/context/identity.ts';
import type { Database } from '../../data/database/database.ts';
import { maskedText } from './masking.ts';
import type { ServerFacts } from './server-facts.ts';
import { linesDropped, SystemLog, type SystemLogEntry } from './system-log.ts';

const flushMilliseconds = 500;
/** Maximum number of waiting entries per half second; further ones are counted, not stored. */
const capacity = 1000;

/** The system log in PostgreSQL. */
export class UsualLog {
  private waiting: object[] = [];
  private timer: NodeJS.Timeout | undefined;
  private dropped = 0;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly facts: ServerFacts,
  ) {}

  /** Returns the log writer of a module. */
  of(module: string): SystemLog {
    const note = (entry: SystemLogEntry) => this.add(module, entry);
    return new (class extends SystemLog {
      override log = note;
    })();
  }

  /** Writes all waiting entries; awaited before the database closes. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { dropped } = this;
    this.dropped = 0;
    if (dropped > 0) this.append('log', { level: 'warn', event: linesDropped, data: { log: 'usual_log', dropped } });
    const { waiting } = this;
    this.waiting = [];
    if (waiting.length === 0) return;
    await this.write(waiting).catch((error) => this.log.error({ err: error, lost: waiting.length }, 'could not write the system log'));
  }

  private add(module: string, entry: SystemLogEntry): void {
    if (this.waiting.length < capacity) this.append(module, entry);
    else this.dropped += 1;
    this.timer ??= setTimeout(() => void this.flush(), flushMilliseconds).unref();
  }

  private append(module: string, { level, event, data = {}, tenant = platformTenant }: SystemLogEntry): void {
    const text = maskedText(data);
    this.log[level]({ module, data: text }, event);
    const by = currentActor()?.userId ?? null;
    this.waiting.push({ tenant, level, event: event.slice(0, 64), data: text, module, by, at: new Date().toISOString() });
  }

  private write(rows: readonly object[]): Promise<void> {
    const { serviceId, serverHost, serverIp, env } = this.facts;
    return this.db.asPlatform('writes system log entries of all tenants', async () => {
      await this.db.sql.execute(sql`
        insert into usual_log (tenant_id, log_level, log_id, log_data, service_id, server_host, server_ip, env, method_class, create_user, create_by, create_time)
        select e.tenant, e.level, e.event, e.data, ${serviceId}, ${serverHost}, ${serverIp}, ${env}, e.module, e.by, u.account, date_trunc('second', e.at)
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(tenant text, level text, event text, data text, module text, by bigint, at timestamptz)
        left join user_account u on u.id = e.by`);
    });
  }
}
