import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';
import { runStates } from '../run-contract.ts';

/** The states are literals because the index of open runs is limited to these two. */
const open = sql.raw(`${runStates.waiting}, ${runStates.running}`);

/** Tells whether a round of the engine may find work: a due schedule or an open run. Usually neither exists, and this takes one statement instead of seven. */
export function isRoundDue(db: ServerContext['db']): Promise<boolean> {
  return db.asPlatform('checks schedules and runs of all tenants', async () => {
    const [found] = await queryRows<{ isDue: boolean }>(
      db,
      sql`select exists (select from job_schedule where next_fire <= clock_timestamp())
            or exists (select from job_workflow where next_fire <= clock_timestamp() and enable = 1 and is_deleted = 0)
            or exists (select from job_workflow_run where reopened)
            or exists (select from job_instance where state in (${open})) as "isDue"`,
    );
    return found?.isDue === true;
  });
}
