import type { DeclaredTask } from '#server';
import { Alerts } from './alerts.ts';
import { ClockSteps } from './clock-steps.ts';
import { isRoundDue } from './due-round.ts';
import { OverdueRuns } from './overdue-runs.ts';
import type { JobPluginContext } from './paused-jobs.ts';
import { RunLog } from './run-log.ts';
import { Runs } from './runs.ts';
import { Schedules } from './schedules.ts';
import { Worker, type WorkerSettings } from './worker.ts';
import { WorkflowJobs } from './workflow-jobs.ts';
import { Workflows } from './workflows.ts';

const fireSeconds = 0.5;
const logSeconds = 1;
const tendSeconds = 2;

/** Fires schedules and runs jobs on the replicas of this deployment; all state they share is in the database. */
export class Engine {
  readonly runs: Runs;
  readonly schedules: Schedules;
  readonly log: RunLog;
  readonly alerts: Alerts;
  readonly workflows: Workflows;
  readonly workflowJobs: WorkflowJobs;
  private readonly worker: Worker;
  private readonly overdue: OverdueRuns;
  private readonly clockSteps: ClockSteps;

  constructor(
    private readonly context: JobPluginContext,
    private readonly pace: WorkerSettings,
    workerName?: string,
  ) {
    const { db, jobs } = context;
    this.log = new RunLog(db);
    this.alerts = new Alerts(context);
    this.runs = new Runs(db, this.alerts);
    this.schedules = new Schedules(db, this.runs, jobs);
    this.workflows = new Workflows(db, this.runs);
    this.workflowJobs = new WorkflowJobs(db, this.runs, this.workflows);
    this.runs.ended = async (jobInfoId, instanceId) => {
      await this.schedules.afterRun(jobInfoId);
      await this.workflows.nodeEnded(instanceId);
    };
    this.runs.retried = (instanceIds) => this.workflows.nodesRetried(instanceIds);
    this.worker = new Worker(context, this.runs, this.log, pace, workerName);
    this.overdue = new OverdueRuns(db, this.runs);
    this.clockSteps = new ClockSteps(db);
  }

  tasks(): DeclaredTask[] {
    return [
      { everySeconds: fireSeconds, run: () => this.fire() },
      { everySeconds: this.pace.leaseSeconds / 4, run: () => this.worker.sendHeartbeat() },
      { everySeconds: logSeconds, run: () => this.log.flush() },
      { everySeconds: tendSeconds, run: () => this.clockSteps.tick() },
      { everySeconds: tendSeconds, run: () => this.overdue.tick() },
    ];
  }

  stop(): void {
    this.worker.stop();
  }

  private async fire(): Promise<void> {
    if (!(await isRoundDue(this.context.db))) return;
    while (await this.schedules.fireDue());
    await this.workflows.fireDue();
    await this.workflowJobs.tick();
    this.worker.poll();
  }
}
