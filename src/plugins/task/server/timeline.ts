import { sql } from 'drizzle-orm';
import { currentActor, rowsOf, type ServerContext } from '#server';
import type { TaskStep, TimelineEntry } from '../contract.ts';

/** Writes down what became of tasks, in the name of whoever is at work. */
export async function noteSteps(db: ServerContext['db'], taskIds: readonly string[], kind: TaskStep): Promise<void> {
  if (taskIds.length === 0) return;
  await db.sql.execute(
    sql`insert into task_step (tenant_id, task_id, kind, user_id)
        select tenant_id, id, ${kind}, ${currentActor()?.userId ?? null}::bigint from task where id = any(${idArray(taskIds)})`,
  );
}

/** What became of a task, the latest first; without a name where the server did it by itself. */
export function stepsOf(db: ServerContext['db'], taskId: string): Promise<TimelineEntry[]> {
  return rowsOf<TimelineEntry>(
    db,
    sql`select s.id::text as id, s.kind, to_char(s.time, 'YYYY-MM-DD HH24:MI:SS') as time, coalesce(u.real_name, '') as "userName"
        from task_step s left join user_account u on u.id = s.user_id where s.task_id = ${taskId} order by s.id desc limit 200`,
  );
}

/** Ids as PostgreSQL takes many at once. */
export const idArray = (ids: readonly string[]) => sql`${`{${ids.join(',')}}`}::bigint[]`;
