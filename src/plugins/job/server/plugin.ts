import { defineServerPlugin, type ServerPlugin } from '#server';
import type { Crud } from '#shared/contract';
import { type JobInfo, type JobServer, jobInfo, jobServer } from '../contract.ts';
import { jobInfoMenu, jobInstanceMenu, jobServerMenu } from '../menus.ts';
import { jobInstance } from '../run-contract.ts';
import { Engine } from './engine.ts';
import { jobRoutes } from './job-routes.ts';
import { jobsOf, serversOf } from './jobs.ts';
import { addBuiltIn } from './processors/built-in.ts';
import { runRoutes } from './run-routes.ts';
import type { Pace } from './worker.ts';

const usual: Pace = { leaseSeconds: 15, atOnce: 20 };

/** Scheduled jobs: what is done again and again, by whom, and what has become of it. */
export const jobPlugin = (pace = usual, workerName?: string): ServerPlugin =>
  defineServerPlugin({
    id: 'job',
    title: ['任务调度', 'Job scheduling'],
    menus: [jobServerMenu, jobInfoMenu, jobInstanceMenu],

    routes(context) {
      const { serveCrud, db } = context;
      const engine = new Engine(context, pace, workerName);
      const servers = serversOf(db);
      const jobs = jobsOf(context, servers, engine.schedules);

      addBuiltIn(context);
      serveCrud(jobServer as unknown as Crud<typeof JobServer>, servers);
      serveCrud(jobInfo as unknown as Crud<typeof JobInfo>, jobs);
      jobRoutes(context, { servers, jobs, engine });
      runRoutes(context, jobInstance, engine);
      engine.start();
    },
  });

export default jobPlugin();
