import type { Repository, ServerContributions } from '#server';
import type { JobInfo, JobServer } from '../contract.ts';
import { AlertDeliveries } from './alert-deliveries.ts';
import { DeclaredJobs } from './declared-jobs.ts';
import type { Engine } from './engine.ts';
import type { Engines } from './engines.ts';
import type { JobPluginContext } from './paused-jobs.ts';

const seconds = { poll: 3, alert: 2, declared: 60 } as const;

interface BackgroundParts {
  readonly engine: Engine;
  readonly engines: Engines;
  readonly servers: Repository<typeof JobServer>;
  readonly jobs: Repository<typeof JobInfo>;
}

/** Work of the plugin outside requests. */
export function backgroundWork(context: JobPluginContext, { engine, engines, servers, jobs }: BackgroundParts): Pick<ServerContributions, 'ready' | 'tasks'> {
  const alerts = new AlertDeliveries(context, jobs);
  const declared = new DeclaredJobs(context, servers, jobs);
  return {
    ready: () => declared.add(),
    tasks: [
      ...engine.tasks(),
      { everySeconds: seconds.poll, run: () => engines.poll() },
      { everySeconds: seconds.alert, run: () => alerts.send() },
      { everySeconds: seconds.declared, run: () => declared.add() },
    ],
  };
}
