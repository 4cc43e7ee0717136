import { sql } from 'drizzle-orm';
import { rowsOf, type ServerContext } from '#server';
import { timings } from '../contract.ts';
import { databaseNow } from './clock.ts';

/** Milliseconds by which two clocks may part without either having been put back. */
const drift = 1000;
/** Nothing that lasts is given longer from now on; what says so was written by another clock. */
const longest = "interval '1 minute'";

/**
 * Looks whether the database's clock was put back, and mends what it had written as if it were to come: a period that would only begin when the clock is
 * there again, a lease nobody renews, a worker last heard of in the future. Moments of a clock expression stay: theirs have been.
 */
export class ClockSteps {
  private known: { readonly clock: number; readonly since: number } | undefined;

  constructor(private readonly db: ServerContext['db']) {}

  /** On every replica, every few seconds; the first time in any case, for the clock may have been put back while nothing ran. */
  async tend(): Promise<void> {
    const { db, known } = this;
    const clock = await db.asPlatform('the clock all schedules go by is looked at', () => databaseNow(db));
    const since = performance.now();
    this.known = { clock, since };
    if (known && clock - known.clock > since - known.since - drift) return;
    await db.asPlatform('schedules and leases of all tenants follow a clock that was put back', () => this.mend());
  }

  private async mend(): Promise<void> {
    const { db } = this;
    const period = sql`make_interval(secs => case when j.time_expression_type in (${timings.fixedRate}, ${timings.fixedDelay}) then j.time_expression::float8 / 1000 end)`;
    await rowsOf(
      db,
      sql`update job_schedule s set next_fire = clock_timestamp() + ${period} from job_info j
          where j.id = s.job_info_id and s.next_fire > clock_timestamp() + ${period}
            and (coalesce(j.lifecycle, '') = '' or split_part(j.lifecycle, ',', 1)::timestamptz <= clock_timestamp())`,
    );
    await rowsOf(
      db,
      sql`update job_task set lease_until = clock_timestamp() + ${sql.raw(longest)} where state = 3 and lease_until > clock_timestamp() + ${sql.raw(longest)}`,
    );
    await rowsOf(db, sql`update job_task set ready_time = clock_timestamp() where state = 1 and ready_time > clock_timestamp() + ${sql.raw(longest)}`);
    await rowsOf(db, sql`update job_worker set seen_at = clock_timestamp() where seen_at > clock_timestamp() + ${sql.raw(longest)}`);
  }
}
