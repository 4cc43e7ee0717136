import { sql } from 'drizzle-orm';
import { undoSeconds } from '#plugins/task/contract';
import { addedValue, queryRows, type ServerContext, visibleRows } from '#server';
import type { Settled, Summary } from '../contract.ts';
import { TaskPoints } from '../task-points.ts';

/** Awards points for approved submissions and reports the sums. */
export class Awards {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly pointsPerYuan: number,
  ) {}

  /**
   * Awards points for all submissions of these tasks (of every task by default) that are finally approved and have none yet. Concurrent calls award each submission
   * once.
   */
  async settle(taskIds?: readonly string[]): Promise<Settled> {
    const within = taskIds ? sql`and task_id = any(${`{${taskIds.join(',')}}`}::bigint[])` : sql``;
    const given = await queryRows<{ points: number }>(
      this.db,
      sql`insert into loyalty_award (submission_id, member_id, member_name, task_id, task_title, points)
          select id, user_id, nick_name, task_id, task_title,
            coalesce(${addedValue(TaskPoints, 'points', sql`task_submission.task_id`)}, greatest(1, amount * ${this.pointsPerYuan} / 100))
          from task_submission
          where audit_status = 1 and audit_time <= now() - make_interval(secs => ${undoSeconds}) and is_deleted = 0 ${within}
          on conflict (submission_id, tenant_id) do nothing returning points`,
    );
    return { awards: given.length, points: given.reduce((sum, { points }) => sum + points, 0) };
  }

  async summary(): Promise<Summary> {
    const month = sql`create_time >= date_trunc('month', now()) and is_deleted = 0 and ${visibleRows(this.db, 'loyalty_award')}`;
    const [sum] = await queryRows<{ points: number }>(this.db, sql`select coalesce(sum(points), 0)::integer as points from loyalty_award where ${month}`);
    const leaders = await queryRows<Summary['leaders'][number]>(
      this.db,
      sql`select member_id::text as "memberId", max(member_name) as "memberName", sum(points)::integer as points
          from loyalty_award where ${month} group by member_id order by points desc, member_id limit 3`,
    );
    return { points: sum?.points ?? 0, leaders };
  }
}
