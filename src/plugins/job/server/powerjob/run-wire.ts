/** Run as PowerJob returns it; times are milliseconds since 1970, long ids are text. */
export interface PowerJobRun {
  readonly instanceId: string | number;
  readonly jobId: number;
  readonly status: number;
  readonly result?: string | null;
  readonly jobParams?: string | null;
  readonly instanceParams?: string | null;
  readonly expectedTriggerTime?: number | null;
  readonly actualTriggerTime?: number | null;
  readonly finishedTime?: number | null;
  readonly taskTrackerAddress?: string | null;
  readonly runningTimes?: number | null;
  readonly gmtModified?: number | string | null;
}

/** Converts a run to the fields that are stored here. */
export const storedValuesOf = (run: PowerJobRun) => ({
  id: String(run.instanceId),
  jobId: run.jobId,
  state: run.status,
  result: (run.result ?? '').slice(0, 2000),
  jobParams: run.jobParams ?? null,
  instanceParams: run.instanceParams ?? null,
  expected: run.expectedTriggerTime ?? run.actualTriggerTime ?? null,
  started: run.actualTriggerTime || null,
  ended: run.finishedTime || null,
  worker: run.taskTrackerAddress ?? null,
  times: run.runningTimes ?? 1,
});

export interface RunsPage {
  readonly totalPages?: number;
  readonly data?: readonly PowerJobRun[];
}
