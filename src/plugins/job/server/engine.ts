import { sql } from 'drizzle-orm';
import { type DeclaredTask, queryRows, type ServerContext } from '#server';
import { Alerts } from './alerts.ts';
import { ClockSteps } from './clock-steps.ts';
import { OverdueRuns } from './overdue-runs.ts';
import type { JobPluginContext } from './paused-jobs.ts';
import { RunLog } from './run-log.ts';
import { JobRuns } from './runs.ts';
import { Schedules } from './schedules.ts';
import { stateSql } from './state-sql.ts';
import { Worker, type WorkerSettings } from './worker.ts';
import { WorkflowJobs } from './workflow-jobs.ts';
import { Workflows } from './workflows.ts';

const fireSeconds = 0.5;
const logSeconds = 1;
const checkSeconds = 2;

/** Fires schedules and runs jobs on the replicas of this deployment; all state they share is in the database. */
export class Engine {
  readonly runs: JobRuns;
  readonly schedules: Schedules;
  readonly log: RunLog;
  readonly alerts: Alerts;
  readonly workflows: Workflows;
  readonly workflowJobs: WorkflowJobs;
  readonly worker: Worker;
  private readonly overdue: OverdueRuns;
  private readonly clockSteps: ClockSteps;

  constructor(
    private readonly context: JobPluginContext,
    private readonly workerSettings: WorkerSettings,
    workerName?: string,
  ) {
    const { db, jobs } = context;
    this.log = new RunLog(db);
    this.alerts = new Alerts(context);
    this.runs = new JobRuns(db, this.alerts);
    this.schedules = new Schedules(db, this.runs, jobs);
    this.workflows = new Workflows(db, this.runs);
    this.workflowJobs = new WorkflowJobs(db, this.runs, this.workflows);
    this.runs.onEnded = async (jobInfoId, instanceId) => {
      await this.schedules.afterRun(jobInfoId);
      await this.workflows.nodeEnded(instanceId);
    };
    this.runs.onRetried = (instanceIds) => this.workflows.nodesRetried(instanceIds);
    this.worker = new Worker(context, this.runs, this.log, workerSettings, workerName);
    this.overdue = new OverdueRuns(db, this.runs);
    this.clockSteps = new ClockSteps(db);
  }

  tasks(): DeclaredTask[] {
    return [
      { everySeconds: fireSeconds, run: () => this.fire() },
      { everySeconds: this.workerSettings.leaseSeconds / 4, run: () => this.worker.sendHeartbeat() },
      { everySeconds: logSeconds, run: () => this.log.flush() },
      { everySeconds: checkSeconds, run: () => this.clockSteps.tick() },
      { everySeconds: checkSeconds, run: () => this.overdue.tick() },
    ];
  }

  stop(): void {
    this.worker.stop();
  }

  private async fire(): Promise<void> {
    if (!(await hasWork(this.context.db))) return;
    while (await this.schedules.fireDue());
    await this.workflows.fireDue();
    await this.workflowJobs.tick();
    this.worker.poll();
  }
}

/** Tests whether a schedule is due or a run is open. Usually neither exists, and this takes one statement instead of seven. */
function hasWork(db: ServerContext['db']): Promise<boolean> {
  return db.asPlatform('checks schedules and runs of all tenants', async () => {
    const [found] = await queryRows<{ hasWork: boolean }>(
      db,
      sql`select exists (select from job_schedule where next_fire <= clock_timestamp())
            or exists (select from job_workflow where next_fire <= clock_timestamp() and enable = 1 and is_deleted = 0)
            or exists (select from job_workflow_run where reopened)
            or exists (select from job_instance where state in (${stateSql.waiting}, ${stateSql.running})) as "hasWork"`,
    );
    return found?.hasWork === true;
  });
}
