import type { PowerJobClient } from './client.ts';
import { type PowerJobJob, type SyncedJob, saveRequest } from './job-wire.ts';

/** Status of a deleted job. */
const deleted = 99;

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

interface RunsPage {
  readonly totalPages?: number;
  readonly data?: readonly PowerJobRun[];
}

/** Calls of one application to its PowerJob server. */
export class PowerJobServer {
  constructor(
    private readonly client: PowerJobClient,
    readonly zone: string,
  ) {}

  /** Adds a job or changes the one with this number; returns its number. */
  async save(job: SyncedJob, id: number | null): Promise<number> {
    const existing = id === null ? undefined : await this.job(id);
    return Number(await this.client.json('/saveJob', (appId) => saveRequest(job, { existing, appId, zone: this.zone })));
  }

  async job(jobId: number): Promise<PowerJobJob> {
    return (await this.client.form('/fetchJob', { jobId })) as PowerJobJob;
  }

  async jobs(): Promise<PowerJobJob[]> {
    const all = ((await this.client.form('/fetchAllJob')) ?? []) as PowerJobJob[];
    return all.filter(({ status }) => status !== deleted);
  }

  /** Returns the jobs with exactly this name. */
  async jobsNamed(name: string): Promise<PowerJobJob[]> {
    const found = ((await this.client.json('/queryJob', (appId) => ({ appIdEq: Number(appId), jobNameLike: name }))) ?? []) as PowerJobJob[];
    return found.filter(({ jobName, status }) => jobName === name && status !== deleted);
  }

  async enable(jobId: number, isEnabled: boolean): Promise<void> {
    await this.client.form(isEnabled ? '/enableJob' : '/disableJob', { jobId });
  }

  async remove(jobId: number): Promise<void> {
    await this.client.form('/deleteJob', { jobId });
  }

  /** Returns the id of the run. */
  async run(jobId: number, instanceParams: string | undefined): Promise<string> {
    return String(await this.client.form('/runJob', { jobId, instanceParams, delay: 0 }));
  }

  /** Stops, cancels or retries a run; only one that was not dispatched yet can be cancelled. */
  async control(action: 'stop' | 'cancel' | 'retry', instanceId: string): Promise<void> {
    await this.client.form(`/${action}Instance`, { instanceId });
  }

  async status(instanceId: string): Promise<number> {
    return Number(await this.client.form('/fetchInstanceStatus', { instanceId }));
  }

  async runInfo(instanceId: string): Promise<PowerJobRun> {
    return (await this.client.form('/fetchInstanceInfo', { instanceId })) as PowerJobRun;
  }

  async runs(index: number, pageSize: number): Promise<RunsPage> {
    return ((await this.client.json('/queryInstance', (appId) => ({ appIdEq: Number(appId), index, pageSize }))) ?? {}) as RunsPage;
  }
}
