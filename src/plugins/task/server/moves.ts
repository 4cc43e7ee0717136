import { and, sql } from 'drizzle-orm';
import { ApiError, hasId, notDeleted, problems, queryRows, type Repository, recordChange, type ServerContext } from '#server';
import type { Problem } from '#shared/errors';
import { Task, type TaskRow, type TaskStep, TasksPublishing, taskMoves, taskProblems, taskStates } from '../contract.ts';
import { refuseWrongParts } from './references.ts';
import { taskState } from './states.ts';
import { standing } from './tasks.ts';
import { appendTimeline } from './timeline.ts';

interface Move {
  readonly from: readonly number[];
  readonly to: TaskRow['status'];
  readonly step: TaskStep;
  /** Problem reported for a task in another state. */
  readonly refusal: Problem;
}

const publishing: Move = { from: taskMoves.publish, to: taskStates.published, step: 'published', refusal: taskProblems.notPublishable };
const takingDown: Move = { from: taskMoves.takeDown, to: taskStates.takenDown, step: 'takenDown', refusal: taskProblems.notTakable };

/** Moves tasks from state to state, all or none. A request that comes too late is refused with the current state. */
export class TaskMoves {
  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'applyFilters'>,
    private readonly tasks: Repository<typeof Task>,
  ) {}

  private get db(): ServerContext['db'] {
    return this.context.db;
  }

  /** Publishes tasks after validating once more what claimers will see. */
  async publish(ids: readonly string[]): Promise<void> {
    const tasks = await this.move(ids, publishing);
    for (const task of tasks) {
      if (task.isOver) throw new ApiError(taskProblems.isOver, { title: task.title });
      if (task.claimed >= task.quantity) throw new ApiError(taskProblems.isFull);
      await refuseWrongParts(this.db, task);
    }
    await this.context.applyFilters(TasksPublishing, tasks);
  }

  async takeDown(ids: readonly string[]): Promise<void> {
    await this.move(ids, takingDown);
  }

  /** Finishes tasks of all tenants whose end time has passed. */
  async finishOverdue(): Promise<void> {
    await this.db.asPlatform('ends expired tasks of all tenants', async () => {
      const over = await queryRows<{ id: string }>(
        this.db,
        sql`update task set status = ${taskStates.finished} where id in (
              select id from task where status = ${taskState.published} and is_deleted = 0 and end_time <= now() order by end_time limit 100 for update skip locked)
            returning id::text as id`,
      );
      await appendTimeline(
        this.db,
        over.map(({ id }) => id),
        'finished',
      );
    });
  }

  private async move(ids: readonly string[], { from, to, step, refusal }: Move): Promise<(TaskRow & { isOver: boolean })[]> {
    const uniqueIds = [...new Set(ids)];
    const before = await this.held(uniqueIds);
    const elsewhere = before.find(({ status }) => !from.includes(status));
    if (elsewhere) throw standing(refusal, elsewhere);
    const { table } = this.tasks;
    const isMovable = and(hasId(table, uniqueIds), sql`${table.status} in ${from}`);
    const updateTime = sql`date_trunc('second', now())`;
    await this.db.sql.update(table).set({ status: to, updateTime }).where(isMovable);
    await appendTimeline(this.db, uniqueIds, step);
    for (const task of before) recordChange({ entity: Task.name, id: task.id, before: { status: task.status }, after: { status: to } });
    return before;
  }

  /** Locks the tasks with these ids until the transaction ends. */
  private async held(ids: readonly string[]): Promise<(TaskRow & { isOver: boolean })[]> {
    const { table } = this.tasks;
    const isOver = sql<boolean>`coalesce(${table.endTime} <= now(), false)`;
    const where = and(hasId(table, ids), notDeleted(table));
    const over = await this.db.sql.select({ id: table.id, isOver }).from(table).where(where).orderBy(table.id).for('update');
    const rows = await this.tasks.list(hasId(table, ids));
    if (rows.length !== ids.length) throw new ApiError(problems.notFound);
    return rows.map((row) => ({ ...row, isOver: over.find(({ id }) => id === row.id)?.isOver === true }));
  }
}
