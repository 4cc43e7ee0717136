import type { PowerJobClient } from './client.ts';
import { type CarriedJob, type JobThere, saveRequest } from './job-wire.ts';
import type { RunsPage, RunThere } from './run-wire.ts';

export const deleted = 99;

/** What one application may ask of its PowerJob server. */
export class PowerJobServer {
  constructor(
    private readonly client: PowerJobClient,
    readonly zone: string,
  ) {}

  /** Adds a job, or changes the one of this number; answers its number. */
  async save(job: CarriedJob, id: number | null): Promise<number> {
    const there = id === null ? undefined : await this.job(id);
    return Number(await this.client.json('/saveJob', (appId) => saveRequest(job, { there, appId, zone: this.zone })));
  }

  async job(jobId: number): Promise<JobThere> {
    return (await this.client.form('/fetchJob', { jobId })) as JobThere;
  }

  async jobs(): Promise<JobThere[]> {
    const all = ((await this.client.form('/fetchAllJob')) ?? []) as JobThere[];
    return all.filter(({ status }) => status !== deleted);
  }

  /** Jobs of exactly this name. */
  async named(name: string): Promise<JobThere[]> {
    const found = ((await this.client.json('/queryJob', (appId) => ({ appIdEq: Number(appId), jobNameLike: name }))) ?? []) as JobThere[];
    return found.filter(({ jobName, status }) => jobName === name && status !== deleted);
  }

  async enable(jobId: number, isEnabled: boolean): Promise<void> {
    await this.client.form(isEnabled ? '/enableJob' : '/disableJob', { jobId });
  }

  async remove(jobId: number): Promise<void> {
    await this.client.form('/deleteJob', { jobId });
  }

  /** Answers the id of the run. */
  async run(jobId: number, instanceParams: string | undefined): Promise<string> {
    return String(await this.client.form('/runJob', { jobId, instanceParams, delay: 0 }));
  }

  async stop(instanceId: string): Promise<void> {
    await this.client.form('/stopInstance', { instanceId });
  }

  /** Takes back a run that has not been given out yet. */
  async cancel(instanceId: string): Promise<void> {
    await this.client.form('/cancelInstance', { instanceId });
  }

  async retry(instanceId: string): Promise<void> {
    await this.client.form('/retryInstance', { instanceId });
  }

  async status(instanceId: string): Promise<number> {
    return Number(await this.client.form('/fetchInstanceStatus', { instanceId }));
  }

  async runInfo(instanceId: string): Promise<RunThere> {
    return (await this.client.form('/fetchInstanceInfo', { instanceId })) as RunThere;
  }

  async runs(index: number, pageSize: number): Promise<RunsPage> {
    return ((await this.client.json('/queryInstance', (appId) => ({ appIdEq: Number(appId), index, pageSize }))) ?? {}) as RunsPage;
  }
}
