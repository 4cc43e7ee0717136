import { sql } from 'drizzle-orm';
import type { Database } from '../../../data/database/database.ts';
import { queryRows } from '../../../data/database/rows.ts';
import { expirySeconds } from '../../replicas/replica-facts.ts';

/** Hours without a server of an earlier version after which none is expected to come back. */
const absenceHours = 24;

/**
 * Tests whether a server that accepts no ES256 tokens runs, or ran within a day, and records it if it runs. Call it inside `asPlatform`. During that day, an upgrade can be
 * taken back without refusing a token.
 */
export async function seesEarlierServers(db: Database): Promise<boolean> {
  const [found] = await queryRows<{ runs: boolean; ran: boolean }>(
    db,
    sql`select
          exists (select from replica where seen_time > clock_timestamp() - make_interval(secs => ${expirySeconds})
            and not facts @> '{"tokenAlgorithms": ["ES256"]}'::jsonb) as runs,
          exists (select from earlier_server where seen_time > clock_timestamp() - make_interval(hours => ${absenceHours})) as ran`,
  );
  if (found?.runs)
    await queryRows(
      db,
      sql`insert into earlier_server (seen_time) values (clock_timestamp()) on conflict (id) do update set seen_time = excluded.seen_time returning id`,
    );
  return found === undefined || found.runs || found.ran;
}
