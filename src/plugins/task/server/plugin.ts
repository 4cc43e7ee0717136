import { defineServerPlugin, provide } from '#server';
import { taskParameters } from '../contract.ts';
import { auditMenu, recordMenu, taskMenu } from '../menus.ts';
import { PayoutListener } from '../server-extension.ts';
import { taskEvents } from '../webhook-contract.ts';
import { auditRecords, auditRoutes } from './audit-routes.ts';
import { Claims, claimRoutes, seedClient } from './claims.ts';
import { approvedWork, tenantHoldings } from './deletion-checks.ts';
import { personalData } from './personal-data.ts';
import { QueueInvalidation } from './queue.ts';
import { recountFigures } from './recount-figures.ts';
import { SubmissionPay } from './submission-pay.ts';
import { taskFigures } from './task-figures.ts';
import { TaskTransitions, taskRoutes } from './task-transitions.ts';
import { tasksOf } from './tasks.ts';

const expirySeconds = 5;
const publishSeconds = 2;

/** Tasks: work for advertisers, claims of members, and the audit of submitted proof. */
export default defineServerPlugin({
  id: 'task',
  title: ['任务', 'Tasks'],
  parameters: taskParameters,
  dependencies: ['base-data', 'resource', 'miniapp'],
  personalData,
  menus: [taskMenu, auditMenu, recordMenu],
  webhookEvents: taskEvents,
  seed: seedClient,

  setup(context) {
    const { db } = context;
    const tasks = tasksOf(context);
    const transitions = new TaskTransitions(context, tasks);
    const claims = new Claims(context);
    const invalidation = new QueueInvalidation(context);

    return {
      routes: [...taskRoutes(context, tasks, transitions), ...claimRoutes(context, claims, invalidation), ...auditRoutes(context, invalidation)],
      searchSources: [auditRecords(db)],
      filters: [tenantHoldings(context)],
      references: [approvedWork(context)],
      services: [provide(PayoutListener, new SubmissionPay(db))],
      figures: taskFigures(context),
      tasks: [
        {
          everySeconds: expirySeconds,
          run: async () => {
            await transitions.finishOverdue();
            await claims.expireOverdue();
          },
        },
        { everySeconds: publishSeconds, run: () => invalidation.publish() },
      ],
      processors: { 'task:recount-figures': recountFigures(context) },
    };
  },
});
