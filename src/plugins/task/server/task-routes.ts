import type { ServerContext } from '#server';
import { task } from '../contract.ts';
import type { TaskMoves } from './moves.ts';
import { copyOf, type tasksOf } from './tasks.ts';
import { stepsOf } from './timeline.ts';

/** Serves the task list, its state transitions and the timeline of a task. */
export function serveTasks(context: ServerContext, tasks: ReturnType<typeof tasksOf>, moves: TaskMoves): void {
  const { serve, serveCrud, db } = context;
  serveCrud(task, tasks);
  serve(task.publish, ({ input }) => moves.publish(input.ids));
  serve(task.takeDown, ({ input }) => moves.takeDown(input.ids));
  serve(task.copy, ({ input }) => copyOf(context, tasks, input.id));
  serve(task.timeline, async ({ input }) => {
    await tasks.detail(input.id);
    return stepsOf(db, input.id);
  });
}
