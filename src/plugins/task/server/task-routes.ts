import type { ServerContext } from '#server';
import type { Crud } from '#shared/contract';
import { type Task, task } from '../contract.ts';
import type { TaskMoves } from './moves.ts';
import { copyOf, type tasksOf } from './tasks.ts';
import { stepsOf } from './timeline.ts';

/** Serves the task list, its state transitions and the timeline of a task. */
export function serveTasks(context: ServerContext, tasks: ReturnType<typeof tasksOf>, moves: TaskMoves): void {
  const { serve, serveCrud, db } = context;
  serveCrud(task as unknown as Crud<typeof Task>, tasks);
  serve(task.publish, async ({ input }) => {
    await moves.publish(input.ids);
    return null;
  });
  serve(task.takeDown, async ({ input }) => {
    await moves.takeDown(input.ids);
    return null;
  });
  serve(task.copy, ({ input }) => copyOf(context, tasks, input.id));
  serve(task.timeline, async ({ input }) => {
    await tasks.detail(input.id);
    return stepsOf(db, input.id);
  });
}
