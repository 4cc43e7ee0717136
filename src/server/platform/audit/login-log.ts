import { sql } from 'drizzle-orm';
import type { LoginOutcome } from '#shared/login-log';
import type { Log } from '../../base/log.ts';
import { platformTenant } from '../../data/context/identity.ts';
import type { Database } from '../../data/database/database.ts';
import { deviceOf } from '../http/device.ts';
import type { Origin } from '../http/route.ts';
import { LogBuffer, storableText } from './log-buffer.ts';

/** An attempt to sign in, as far as it identifies the account. */
export interface LoginAttempt {
  readonly tenantId: string;
  readonly account: string;
  readonly userId?: string | undefined;
  /** Grant type. */
  readonly grantType: string;
  readonly clientId: string;
  readonly outcome: LoginOutcome;
}

interface LoginRow {
  readonly tenant: string;
  readonly account: string;
  readonly outcome: string;
  readonly way: string;
  readonly address: string;
  readonly device: string;
  readonly agent: string;
  readonly client: string;
  readonly user: string | null;
  readonly at: string;
}

/** The login log: every attempt to sign in, written later so that the response does not wait. An attempt at an unknown tenant belongs to the platform. */
export class LoginLog {
  private readonly buffer: LogBuffer<LoginRow>;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
  ) {
    const onFailed = (error: unknown, lost: number) => log.error({ err: error, lost }, 'could not write the login log');
    this.buffer = new LogBuffer({ capacity: 5000, flushIntervalMs: 500, write: (rows) => this.write(rows), onFailed });
  }

  /** Records an attempt; beyond 5,000 waiting ones, further attempts appear only in the server's own log. */
  record({ tenantId, account, userId, grantType, clientId, outcome }: LoginAttempt, { address, userAgent }: Origin): void {
    const isKept = this.buffer.add(() => ({
      tenant: shortened(tenantId, 12),
      account: shortened(account, 64) || '-',
      outcome,
      way: shortened(grantType, 32) || '-',
      address: shortened(address, 64),
      device: deviceOf(userAgent),
      agent: shortened(userAgent, 512),
      client: shortened(clientId, 64) || '-',
      user: userId ?? null,
      at: new Date().toISOString(),
    }));
    if (!isKept) this.log.warn({ account, outcome, address }, 'sign-in attempts were dropped from the login log');
  }

  flush(): Promise<void> {
    return this.buffer.flush();
  }

  private write(rows: readonly LoginRow[]): Promise<void> {
    return this.db.asPlatform('writes sign-in attempts of all tenants', async () => {
      await this.db.sql.execute(sql`
        insert into login_log (tenant_id, account, outcome, way, address, device, user_agent, client_id, user_id, create_user, create_time)
        select coalesce(t.tenant_id, ${platformTenant}), e.account, e.outcome, e.way, e.address, e.device, nullif(e.agent, ''), e.client, e."user", e."user",
          date_trunc('second', e.at)
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(
          tenant text, account text, outcome text, way text, address text, device text, agent text, client text, "user" bigint, at timestamptz)
        left join tenant t on t.tenant_id = e.tenant and t.is_deleted = 0`);
    });
  }
}

/** Shortens text to what the database can store. */
const shortened = (text: string, maxLength: number) => storableText(text).trim().slice(0, maxLength);
