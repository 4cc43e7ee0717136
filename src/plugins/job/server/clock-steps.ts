import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';
import { scheduleTypes } from '../contract.ts';
import { databaseNow } from './clock.ts';
import { stateSql } from './state-sql.ts';

/** Tolerated difference between the progress of the two clocks. */
const toleranceMs = 1000;
/** Duration of the corrections after a step, because work that read the clock before the step can write such a time later. */
const correctionMs = 60_000;
/** Maximum distance of a lease or delay from now; anything later was written before the clock was set back. */
const maxAhead = "interval '1 minute'";

/**
 * Detects that the database's clock was set back and corrects times that are now in the future: the next run of a fixed period, leases that would block tasks, and the last
 * heartbeat of workers. Times of cron expressions stay, because those have already run.
 */
export class ClockSteps {
  private last: { readonly clock: number; readonly since: number } | undefined;
  private correctsUntil = 0;

  constructor(private readonly db: ServerContext['db']) {}

  /** Runs on every replica every few seconds; the first call always corrects, because the clock may have been set back while nothing ran. */
  async tick(): Promise<void> {
    const { db, last } = this;
    const clock = await db.asPlatform('checks the clock that all schedules use', () => databaseNow(db));
    const since = performance.now();
    this.last = { clock, since };
    if (!last || clock - last.clock <= since - last.since - toleranceMs) this.correctsUntil = since + correctionMs;
    if (since > this.correctsUntil) return;
    await db.asPlatform('adjusts schedules and leases of all tenants after the clock was set back', () => this.correct());
  }

  private async correct(): Promise<void> {
    const { db } = this;
    const period = sql`make_interval(secs => case when j.time_expression_type in (${scheduleTypes.fixedRate}, ${scheduleTypes.fixedDelay}) then j.time_expression::float8 / 1000 end)`;
    await queryRows(
      db,
      sql`update job_schedule s set next_fire = clock_timestamp() + ${period} from job_info j
          where j.id = s.job_info_id and s.next_fire > clock_timestamp() + ${period}
            and (coalesce(j.lifecycle, '') = '' or split_part(j.lifecycle, ',', 1)::timestamptz <= clock_timestamp())`,
    );
    await queryRows(
      db,
      sql`update job_task set lease_until = clock_timestamp() + ${sql.raw(maxAhead)} where state = ${stateSql.running} and lease_until > clock_timestamp() + ${sql.raw(maxAhead)}`,
    );
    await queryRows(
      db,
      sql`update job_task set ready_time = clock_timestamp() where state = ${stateSql.waiting} and ready_time > clock_timestamp() + ${sql.raw(maxAhead)}`,
    );
    await queryRows(db, sql`update job_worker set seen_at = clock_timestamp() where seen_at > clock_timestamp() + ${sql.raw(maxAhead)}`);
  }
}
