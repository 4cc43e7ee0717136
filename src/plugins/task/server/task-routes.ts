import type { ServerContext } from '#server';
import { crudRoutes, type PluginRoute, route } from '#server';
import { task } from '../contract.ts';
import type { TaskMoves } from './moves.ts';
import { copyOf, type tasksOf } from './tasks.ts';
import { stepsOf } from './timeline.ts';

/** Serves the task list, its state transitions and the timeline of a task. */
export function taskRoutes(context: ServerContext, tasks: ReturnType<typeof tasksOf>, moves: TaskMoves): PluginRoute[] {
  const { db } = context;

  return [
    crudRoutes(task, tasks),
    route(task.publish, ({ input }) => moves.publish(input.ids)),
    route(task.takeDown, ({ input }) => moves.takeDown(input.ids)),
    route(task.copy, ({ input }) => copyOf(context, tasks, input.id)),
    route(task.timeline, async ({ input }) => {
      await tasks.detail(input.id);
      return stepsOf(db, input.id);
    }),
  ];
}
