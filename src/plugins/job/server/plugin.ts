import { defineServerPlugin, type ServerPlugin } from '#server';
import { jobInfo, jobParameters, jobServer } from '../contract.ts';
import { jobCalendarMenu, jobInfoMenu, jobInstanceMenu, jobServerMenu, jobWorkflowMenu } from '../menus.ts';
import { jobInstance } from '../run-contract.ts';
import { AlertDeliveries } from './alert-deliveries.ts';
import { Engine } from './engine.ts';
import { Engines } from './engines.ts';
import { jobRoutes } from './job-routes.ts';
import { jobsOf, serversOf } from './jobs.ts';
import { addBuiltIn } from './processors/built-in.ts';
import { runRoutes } from './run-routes.ts';
import { serveStoredJobs } from './stored-jobs.ts';
import { syncRoutes } from './sync.ts';
import { timelineRoutes } from './timeline.ts';
import type { Pace } from './worker.ts';
import { workflowRoutes } from './workflow-routes.ts';

const followEvery = 3;
const alertEvery = 2;
const usual: Pace = { leaseSeconds: 15, atOnce: 20 };

/** Scheduled jobs: schedules, workers, workflows and the results of runs. */
export const jobPlugin = (pace = usual, workerName?: string, timeoutMs?: number): ServerPlugin =>
  defineServerPlugin({
    id: 'job',
    title: ['任务调度', 'Job scheduling'],
    optionalDependencies: ['transfers'],
    parameterDeclarations: jobParameters,
    menus: [jobServerMenu, jobInfoMenu, jobInstanceMenu, jobCalendarMenu, jobWorkflowMenu],

    routes(context) {
      const { serveCrud, every } = context;
      const engine = new Engine(context, pace, workerName);
      const servers = serversOf(context);
      const engines = new Engines(context, servers, engine, timeoutMs);
      const jobs = jobsOf(context, servers, engine.schedules);
      const alerts = new AlertDeliveries(context, jobs);

      addBuiltIn(context);
      serveCrud(jobServer, servers);
      serveCrud(jobInfo, jobs);
      serveStoredJobs(context, { servers, jobs, engines });
      syncRoutes(context, { servers, jobs, engines });
      jobRoutes(context, { servers, jobs, engines });
      timelineRoutes(context, jobs);
      workflowRoutes(context, { servers, workflows: engine.workflows });
      runRoutes(context, jobInstance, { engine, engines });
      engine.start();
      every(followEvery, () => engines.follow());
      every(alertEvery, () => alerts.send());
    },
  });

export default jobPlugin();
