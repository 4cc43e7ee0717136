import { defineServerPlugin } from '#server';
import { taskParameters } from '../contract.ts';
import { auditMenu, recordMenu, taskMenu } from '../menus.ts';
import { PayoutListener } from '../server-extension.ts';
import { serveAudit } from './audit-routes.ts';
import { serveClaims } from './claim-routes.ts';
import { Claims } from './claims.ts';
import { seedClient } from './mini-app.ts';
import { TaskMoves } from './moves.ts';
import { QueueInvalidation } from './queue-invalidation.ts';
import { recountFigures } from './recount-figures.ts';
import { SubmissionPay } from './submission-pay.ts';
import { taskFigures } from './task-figures.ts';
import { serveTasks } from './task-routes.ts';
import { tasksOf } from './tasks.ts';

const [lookSeconds, tellSeconds] = [5, 2];

/** Tasks: work for advertisers, claims of workers, and the audit of submitted proof. */
export default defineServerPlugin({
  id: 'task',
  title: ['任务', 'Tasks'],
  parameterDeclarations: taskParameters,
  dependencies: ['base-data', 'resource', 'miniapp'],
  menus: [taskMenu, auditMenu, recordMenu],
  seed: seedClient,

  routes(context) {
    const { db, every } = context;
    const tasks = tasksOf(context);
    const moves = new TaskMoves(context, tasks);
    const claims = new Claims(context);
    const invalidation = new QueueInvalidation(context);

    serveTasks(context, tasks, moves);
    serveClaims(context, claims, invalidation);
    serveAudit(context, invalidation);
    context.share(PayoutListener, new SubmissionPay(db));
    context.jobs.processor('task:recount-figures', recountFigures(context));
    context.figures.register(...taskFigures(context));
    every(lookSeconds, async () => {
      await moves.finishOverdue();
      await claims.freeOverdue();
    });
    every(tellSeconds, () => invalidation.publish());
  },
});
