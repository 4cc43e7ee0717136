import { sql } from 'drizzle-orm';
import { signInMethodProblems } from '#shared/auth-problems';
import { ApiError } from '#shared/errors';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';

/** Maximum number of requests of one subject within a window that begins with its first request. */
export interface RateLimit {
  readonly kind: string;
  readonly subject: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** Counts requests in fixed windows before they are served, on all replicas together. */
export class RateLimiter {
  constructor(private readonly db: Database) {}

  /** Counts one request against each limit; throws at the first that is used up, with the seconds until its window ends. */
  async consume(limits: readonly RateLimit[]): Promise<void> {
    for (const { kind, subject, max, windowSeconds } of limits) {
      const [row] = await this.db.asPlatform('counts requests before sign-in', () =>
        queryRows<{ asked: number; wait: number }>(
          this.db,
          sql`insert into asked_count as known (kind, subject, asked, ends_at) values (${kind}, ${subject.slice(0, 160)}, 1, now() + make_interval(secs => ${windowSeconds}))
              on conflict (kind, subject) do update set
                asked = case when known.ends_at <= now() then 1 else least(known.asked, ${max}) + 1 end,
                ends_at = case when known.ends_at <= now() then now() + make_interval(secs => ${windowSeconds}) else known.ends_at end
              returning asked, ceil(extract(epoch from ends_at - now()))::integer as wait`,
        ),
      );
      if (row && row.asked > max) throw new ApiError(signInMethodProblems.sendTooOften, { seconds: Math.max(1, row.wait) });
    }
  }
}
