import { crudRoutes, defineServerPlugin, Processors, type ServerPlugin } from '#server';
import { jobInfo, jobParameters, jobServer } from '../contract.ts';
import { jobCalendarMenu, jobInfoMenu, jobInstanceMenu, jobServerMenu, jobWorkflowMenu } from '../menus.ts';
import { jobInstance } from '../run-contract.ts';
import { AlertDeliveries } from './alert-deliveries.ts';
import { Engine } from './engine.ts';
import { Engines } from './engines.ts';
import { jobRoutes } from './job-routes.ts';
import { jobsOf, serversOf } from './jobs.ts';
import { builtInProcessors } from './processors/built-in.ts';
import { runRoutes } from './run-routes.ts';
import { storedJobRoutes } from './stored-jobs.ts';
import { syncRoutes } from './sync.ts';
import { timelineRoutes } from './timeline.ts';
import type { WorkerSettings } from './worker.ts';
import { workflowRoutes } from './workflow-routes.ts';

const followSeconds = 3;
const alertSeconds = 2;
const defaultWorkerSettings: WorkerSettings = { leaseSeconds: 15, atOnce: 20 };

/** Scheduled jobs: schedules, workers, workflows and the results of runs. */
export const jobPlugin = (workerSettings = defaultWorkerSettings, workerName?: string, timeoutMs?: number): ServerPlugin =>
  defineServerPlugin({
    id: 'job',
    title: ['任务调度', 'Job scheduling'],
    optionalDependencies: ['transfers'],
    parameters: jobParameters,
    menus: [jobServerMenu, jobInfoMenu, jobInstanceMenu, jobCalendarMenu, jobWorkflowMenu],

    setup(kernel) {
      const context = { ...kernel, jobs: kernel.get(Processors).runBy('job') };
      const engine = new Engine(context, workerSettings, workerName);
      const servers = serversOf(context);
      const engines = new Engines(context, servers, engine, timeoutMs);
      const jobs = jobsOf(context, servers, engine.schedules);
      const alerts = new AlertDeliveries(context, jobs);

      return {
        routes: [
          crudRoutes(jobServer, servers),
          crudRoutes(jobInfo, jobs),
          ...storedJobRoutes(context, { servers, jobs, engines }),
          ...syncRoutes(context, { servers, jobs, engines }),
          ...jobRoutes(context, { servers, jobs, engines }),
          ...timelineRoutes(context, jobs),
          ...workflowRoutes(context, { servers, workflows: engine.workflows }),
          ...runRoutes(context, jobInstance, { engine, engines }),
        ],
        processors: builtInProcessors(context),
        tasks: [...engine.tasks(), { everySeconds: followSeconds, run: () => engines.follow() }, { everySeconds: alertSeconds, run: () => alerts.send() }],
        stop: () => engine.stop(),
      };
    },
  });

export default jobPlugin();
