import { sql } from 'drizzle-orm';
import { Refusal } from '#shared/errors';
import { wayProblems } from '#shared/sign-in-ways';
import type { Database } from '../db/database.ts';
import { rowsOf } from '../rows.ts';

/** At most so often in so many seconds. */
export interface Rate {
  readonly kind: string;
  readonly subject: string;
  readonly most: number;
  readonly seconds: number;
}

/** Counts what anybody may ask for, before it is done, on all replicas together. */
export class AskedOften {
  constructor(private readonly db: Database) {}

  /** Throws, saying when to come back, at the first rate that is used up. */
  async count(rates: readonly Rate[]): Promise<void> {
    for (const { kind, subject, most, seconds } of rates) {
      const [row] = await this.db.asPlatform('requests are counted before anyone is known', () =>
        rowsOf<{ asked: number; wait: number }>(
          this.db,
          sql`insert into asked_count as known (kind, subject, asked, ends_at) values (${kind}, ${subject.slice(0, 160)}, 1, now() + make_interval(secs => ${seconds}))
              on conflict (kind, subject) do update set
                asked = case when known.ends_at <= now() then 1 else least(known.asked, ${most}) + 1 end,
                ends_at = case when known.ends_at <= now() then now() + make_interval(secs => ${seconds}) else known.ends_at end
              returning asked, ceil(extract(epoch from ends_at - now()))::integer as wait`,
        ),
      );
      if (row && row.asked > most) throw new Refusal(wayProblems.sendTooOften, { seconds: Math.max(1, row.wait) });
    }
  }
}
