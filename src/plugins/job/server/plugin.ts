import { crudRoutes, defineServerPlugin, Processors, type ServerPlugin } from '#server';
import { jobInfo, jobParameters, jobServer } from '../contract.ts';
import { jobCalendarMenu, jobHomeMenu, jobInfoMenu, jobInstanceMenu, jobServerMenu, jobWorkflowMenu } from '../menus.ts';
import { activityRoutes } from './activity.ts';
import { alertMail } from './alerts.ts';
import { backgroundWork } from './background-work.ts';
import { Engine } from './engine.ts';
import { Engines } from './engines.ts';
import { jobGauges } from './gauges.ts';
import { jobRoutes } from './job-routes.ts';
import { jobsOf, serversOf } from './jobs.ts';
import { builtInProcessors } from './processors/built-in.ts';
import { reportMail } from './processors/report-export.ts';
import { runRoutes } from './run-routes.ts';
import { syncRoutes } from './sync.ts';
import type { WorkerSettings } from './worker.ts';
import { workflowRoutes } from './workflow-routes.ts';

const defaultWorkerSettings: WorkerSettings = { leaseSeconds: 15, maxTasks: 20 };

/** Scheduled jobs: schedules, workers, workflows and the results of runs. */
export const jobPlugin = (workerSettings = defaultWorkerSettings, workerName?: string, timeoutMs?: number): ServerPlugin =>
  defineServerPlugin({
    id: 'job',
    title: ['定时作业', 'Scheduled jobs'],
    optionalDependencies: ['transfers'],
    parameters: jobParameters,
    mailKinds: [alertMail, reportMail],
    menus: [jobHomeMenu, jobServerMenu, jobInfoMenu, jobInstanceMenu, jobCalendarMenu, jobWorkflowMenu],
    setup(kernel) {
      const context = { ...kernel, jobs: kernel.get(Processors).runBy('job') };
      const engine = new Engine(context, workerSettings, workerName);
      const servers = serversOf(context);
      const engines = new Engines(context, servers, engine, timeoutMs);
      const jobs = jobsOf(context, servers, engine.schedules);
      engine.worker.readSecret = (tenantId, id) => kernel.db.read({ tenantId }, async () => (await jobs.decrypt(id, 'jobSecret')) ?? undefined);
      return {
        routes: [
          crudRoutes(jobServer, servers, { search: { fields: ['jobServerName', 'jobAppName'], subtitle: ['jobAppName'], actions: { jobserver_edit: true } } }),
          crudRoutes(jobInfo, jobs, {
            search: { fields: ['jobName', 'jobDescription'], subtitle: ['jobDescription'], actions: { jobinfo_edit: true, jobinfo_run: true } },
          }),
          ...syncRoutes(context, { servers, jobs, engines }),
          ...jobRoutes(context, { servers, jobs, engines }),
          ...activityRoutes(context, jobs, workerSettings.maxTasks),
          ...workflowRoutes(context, { servers, runs: engine.runs, workflows: engine.workflows }),
          ...runRoutes(context, { engine, engines, jobs }),
        ],
        processors: builtInProcessors(context),
        gauges: jobGauges(context),
        ...backgroundWork(context, { engine, engines, servers, jobs }),
        stop: () => engine.stop(),
      };
    },
  });

export default jobPlugin();
