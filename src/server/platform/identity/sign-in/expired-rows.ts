import { type SQL, sql } from 'drizzle-orm';
import type { Log } from '../../../base/log.ts';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { deletionEdge } from '../../evidence/deletion-edge.ts';
import type { Evidence } from '../../evidence/evidence.ts';

const hourMs = 3_600_000;
/** Logs that are deleted here, with the days for which their entries are kept. */
const logDays = { login_log: 180, personal_access: 1095 } as const;

/**
 * Deletes expired rows: sessions a month after their end, entries of the login log after half a year and of the personal data log after three years, and captchas,
 * counted failures and stored idempotent replies after their expiry.
 */
export class ExpiredRows {
  private sweptAt = 0;

  constructor(
    private readonly db: Database,
    private readonly log: Log,
    private readonly evidence: Pick<Evidence, 'recordPurge'>,
  ) {}

  /** Sweeps at most once an hour, without making the caller wait; called on every sign-in. */
  sweepIfDue(): void {
    if (Date.now() - this.sweptAt < hourMs) return;
    this.sweptAt = Date.now();
    this.sweep().catch((error) => this.log.warn({ err: error }, 'could not delete expired rows'));
  }

  /** Deletes the rows of each table. A failure holds up no other table; it is thrown at the end, with all others. */
  async sweep(): Promise<void> {
    const statements = [
      sql`delete from session where expires_at < now() - interval '30 days'`,
      sql`delete from captcha where expires_at < now()`,
      sql`delete from passkey_challenge where expires_at < now()`,
      sql`delete from sign_in_step where expires_at < now()`,
      sql`delete from login_failure where expires_at < now()`,
      sql`delete from idempotent_reply where create_time < now() - interval '24 hours'`,
      sql`delete from live_event where create_time < now() - interval '2 hours'`,
      sql`delete from asked_count where ends_at < now()`,
      sql`delete from sms_outbox where create_time < now() - interval '7 days'`,
      sql`delete from authorization_code where expires_at < now() - interval '1 day'`,
    ];
    const deletions = [
      ...statements.map((statement) => () => this.delete(statement)),
      ...Object.entries(logDays).map(
        ([table, days]) =>
          () =>
            this.deleteLog(table, days),
      ),
    ];
    const errors: unknown[] = [];
    for (const run of deletions) await run().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${deletions.length} tables still have expired rows`);
  }

  private async delete(statement: SQL): Promise<void> {
    await this.db.asPlatform('deletes expired rows of all tenants', () => queryRows(this.db, statement));
  }

  private async deleteLog(table: string, days: number): Promise<void> {
    const edge = await deletionEdge(this.db, 'day', days);
    await this.evidence.recordPurge({ tables: [table], before: edge });
    await this.delete(sql`delete from ${sql.identifier(table)} where create_time < to_timestamp(${edge / 1000})`);
  }
}
