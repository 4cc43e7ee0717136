/** A run as PowerJob answers it; moments are milliseconds since 1970, ids are text where they are long. */
export interface RunThere {
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

/** What of it is kept here. */
export const keptOf = (run: RunThere) => ({
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
  readonly data?: readonly RunThere[];
}
