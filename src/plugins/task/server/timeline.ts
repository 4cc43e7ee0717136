import { sql } from 'drizzle-orm';
import { currentActor, idArray, queryRows, type ServerContext } from '#server';
import type { TimelineEntry, TimelineKind } from '../contract.ts';

/** Appends to the timelines of tasks, in the name of the current user. */
export async function appendTimeline(db: ServerContext['db'], taskIds: readonly string[], kind: TimelineKind): Promise<void> {
  if (taskIds.length === 0) return;
  await db.sql.execute(
    sql`insert into task_step (tenant_id, task_id, kind, user_id)
        select tenant_id, id, ${kind}, ${currentActor()?.userId ?? null}::bigint from task where id = any(${idArray(taskIds)})`,
  );
}

/** Returns the timeline of a task, the latest entry first; entries that the server added have an empty `userName`. */
export function timelineOf(db: ServerContext['db'], taskId: string): Promise<TimelineEntry[]> {
  return queryRows<TimelineEntry>(
    db,
    sql`select s.id::text as id, s.kind, to_char(s.time, 'YYYY-MM-DD HH24:MI:SS') as time, coalesce(u.real_name, '') as "userName"
        from task_step s left join user_account u on u.id = s.user_id where s.task_id = ${taskId} order by s.id desc limit 200`,
  );
}
