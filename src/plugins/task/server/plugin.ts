import { defineServerPlugin } from '#server';
import type { Crud } from '#shared/contract';
import { type Task, task } from '../contract.ts';
import { auditMenu, recordMenu, taskMenu } from '../menus.ts';
import { WorkPay } from '../server-extension.ts';
import { serveAudit } from './audit-routes.ts';
import { serveClaims } from './claim-routes.ts';
import { Claims } from './claims.ts';
import { seedClient } from './mini-app.ts';
import { TaskMoves } from './moves.ts';
import { QueueNews } from './queue-news.ts';
import { SubmissionPay } from './submission-pay.ts';
import { taskFigures } from './task-figures.ts';
import { copyOf, tasksOf } from './tasks.ts';
import { stepsOf } from './timeline.ts';

const [lookSeconds, tellSeconds] = [5, 2];

/** Tasks: what is to be done for advertisers, who claims a part of it, and whether the proof of it is good. */
export default defineServerPlugin({
  id: 'task',
  title: ['任务', 'Tasks'],
  needs: ['base-data', 'resource', 'miniapp'],
  menus: [taskMenu, auditMenu, recordMenu],
  seed: seedClient,

  routes(context) {
    const { serve, serveCrud, db, every } = context;
    const tasks = tasksOf(context);
    const moves = new TaskMoves(context, tasks);
    const claims = new Claims(context);
    const news = new QueueNews(context);

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

    serveClaims(context, claims, news);
    serveAudit(context, news);
    context.share(WorkPay, new SubmissionPay(db));
    context.figures.give(...taskFigures(context));
    every(lookSeconds, async () => {
      await moves.finishOverdue();
      await claims.freeOverdue();
    });
    every(tellSeconds, () => news.tell());
  },
});
