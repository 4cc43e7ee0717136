import { and, eq } from 'drizzle-orm';
import { ApiError, isActive, type ServerContext, tableOf } from '#server';
import { JobInfo, type JobInfoRow, jobProblems } from '../../contract.ts';
import { runStates } from '../../run-contract.ts';
import type { EngineRun, JobEngine } from '../job-engine.ts';
import type { RunMirror } from './mirror.ts';
import type { PowerJobServer } from './powerjob-server.ts';

const infos = tableOf(JobInfo);

/** Job engine of a PowerJob server: jobs are stored on both sides, runs are executed there and mirrored here. */
export class PowerJobEngine implements JobEngine {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly server: PowerJobServer,
    private readonly mirror: RunMirror,
    private readonly owner: { readonly tenantId: string; readonly serverId: string },
  ) {}

  /** Adopts a job of the same name without a local row: it is left over from an earlier addition whose response was lost. */
  async save(job: JobInfoRow, isNew: boolean): Promise<number> {
    if (!isNew) return this.server.save(job, job.jobId);
    for (const { id } of await this.server.jobsNamed(job.jobName)) if (!(await this.isKnown(id))) return this.server.save(job, id);
    return this.server.save(job, null);
  }

  async enable(job: JobInfoRow, isEnabled: boolean): Promise<void> {
    await this.server.enable(jobIdOf(job), isEnabled);
  }

  async remove(job: JobInfoRow): Promise<void> {
    await this.server.remove(jobIdOf(job));
  }

  async run(job: JobInfoRow, instanceParams: string | null | undefined): Promise<string> {
    const engineInstanceId = await this.server.run(jobIdOf(job), instanceParams ?? undefined);
    return this.mirror.recordStarted(job.id, engineInstanceId, instanceParams ?? null);
  }

  async stop(runs: readonly EngineRun[]): Promise<void> {
    for (const run of runs) {
      const state = await this.server.status(run.engineInstanceId);
      if (state === runStates.waiting) await this.server.control('cancel', run.engineInstanceId);
      else if (state === runStates.dispatched || state === runStates.running) await this.server.control('stop', run.engineInstanceId);
      else throw new ApiError(jobProblems.notRunning);
      await this.refresh(run);
    }
  }

  async retry(runs: readonly EngineRun[]): Promise<void> {
    for (const run of runs) {
      await this.server.control('retry', run.engineInstanceId);
      await this.refresh(run);
    }
  }

  private async refresh({ engineInstanceId }: EngineRun): Promise<void> {
    await this.mirror.store(this.owner.serverId, [await this.server.runInfo(engineInstanceId)]);
  }

  private async isKnown(jobId: number): Promise<boolean> {
    const { db, owner } = this;
    const where = and(eq(infos.jobServerId, owner.serverId), eq(infos.jobId, jobId), isActive(infos));
    const found = await db.read({ tenantId: owner.tenantId }, () => db.sql.select({ id: infos.id }).from(infos).where(where));
    return found.length > 0;
  }
}

const jobIdOf = ({ jobId }: JobInfoRow): number => {
  if (jobId === null) throw new ApiError(jobProblems.notOnPowerJob);
  return jobId;
};
