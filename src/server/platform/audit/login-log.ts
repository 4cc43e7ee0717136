import { sql } from 'drizzle-orm';
import type { LoginOutcome } from '#shared/login-log';
import type { Log } from '../../base/log.ts';
import { platformTenant } from '../../data/context/identity.ts';
import type { Database } from '../../data/database/database.ts';
import { deviceOf } from '../http/device.ts';
import type { Origin } from '../http/route.ts';

const flushMilliseconds = 500;
/** Maximum number of waiting attempts per half second; further ones appear only in the server's own log. */
const capacity = 5000;

/** An attempt to sign in, as far as it identifies the account. */
export interface LoginAttempt {
  readonly tenantId: string;
  readonly account: string;
  readonly userId?: string | undefined;
  /** Grant type. */
  readonly way: string;
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
  private waiting: LoginRow[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
  ) {}

  record({ tenantId, account, userId, way, clientId, outcome }: LoginAttempt, { address, userAgent }: Origin): void {
    if (this.waiting.length >= capacity) {
      this.log.warn({ account, outcome, address }, 'sign-in attempts were dropped from the login log');
      return;
    }
    this.waiting.push({
      tenant: stored(tenantId, 12),
      account: stored(account, 64) || '-',
      outcome,
      way: stored(way, 32) || '-',
      address: stored(address, 64),
      device: deviceOf(userAgent),
      agent: stored(userAgent, 512),
      client: stored(clientId, 64) || '-',
      user: userId ?? null,
      at: new Date().toISOString(),
    });
    this.timer ??= setTimeout(() => void this.flush(), flushMilliseconds).unref();
  }

  /** Writes all waiting entries; awaited before the database closes. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { waiting } = this;
    this.waiting = [];
    if (waiting.length === 0) return;
    await this.write(waiting).catch((error) => this.log.error({ err: error, lost: waiting.length }, 'could not write the login log'));
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

/** Cleans and shortens text so that the database can store it. */
const stored = (text: string, longest: number) =>
  text
    .replace(/\0|\p{Surrogate}/gu, '')
    .trim()
    .slice(0, longest);
