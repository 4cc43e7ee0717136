import type { ServerContext } from '#server';
import { Alerts } from './alerts.ts';
import { Overdue } from './overdue.ts';
import { RunLog } from './run-log.ts';
import { Runs } from './runs.ts';
import { Schedules } from './schedules.ts';
import { type Pace, Worker } from './worker.ts';

const fireSeconds = 0.5;
const logSeconds = 1;
const tendSeconds = 2;

/** Fires schedules and runs jobs on the replicas of this deployment; all that they share is in the database. */
export class Engine {
  readonly runs: Runs;
  readonly schedules: Schedules;
  readonly log: RunLog;
  private readonly worker: Worker;
  private readonly overdue: Overdue;

  constructor(
    private readonly context: ServerContext,
    private readonly pace: Pace,
    workerName?: string,
  ) {
    const { db } = context;
    this.log = new RunLog(db);
    this.runs = new Runs(db, new Alerts(context));
    this.schedules = new Schedules(db, this.runs);
    this.runs.ended = (jobInfoId) => this.schedules.afterRun(jobInfoId);
    this.worker = new Worker(context, this.runs, this.log, pace, workerName);
    this.overdue = new Overdue(db, this.runs);
  }

  start(): void {
    const { every, onStop } = this.context;
    every(fireSeconds, async () => {
      while (await this.schedules.fireDue());
      this.worker.look();
    });
    every(this.pace.leaseSeconds / 4, () => this.worker.beat());
    every(logSeconds, () => this.log.flush());
    every(tendSeconds, () => this.overdue.tend());
    onStop(() => this.worker.stop());
  }
}
