import { eq, sql } from 'drizzle-orm';
import { ApiError, queryRows, tableOf } from '#server';
import { JobInfo, type JobInfoRow } from '../contract.ts';
import { jobPluginDisabled, jobProblems } from '../problem-contract.ts';
import type { EngineRun, JobEngine } from './job-engine.ts';
import type { JobPluginContext } from './paused-jobs.ts';
import type { JobRuns } from './runs.ts';

const infos = tableOf(JobInfo);

/** Job engine of this deployment. A job needs no registration beyond its row, and writing the row updates its schedule. */
export class EmbeddedEngine implements JobEngine {
  constructor(
    private readonly context: Pick<JobPluginContext, 'db' | 'jobs'>,
    private readonly runs: JobRuns,
    private readonly tenantId: string,
  ) {}

  async save(): Promise<undefined> {}

  async enable(): Promise<void> {}

  async remove(): Promise<void> {}

  async run({ id, processorInfo, workflowId }: JobInfoRow, instanceParams: string | null | undefined): Promise<string> {
    const { db, jobs } = this.context;
    const disabledPlugin = jobs.pausedBy(processorInfo ?? '', this.tenantId);
    if (disabledPlugin) throw new ApiError(jobPluginDisabled(disabledPlugin));
    const [run] = await db.asPlatform('any worker may execute a run that a user started', async () => {
      await db.sql.select({ id: infos.id }).from(infos).where(eq(infos.id, id)).for('update');
      if (workflowId !== null) await this.assertHasNodes(workflowId);
      return this.runs.create([{ jobInfoId: id, instanceParams }]);
    });
    return run ?? '';
  }

  async stop(runs: readonly EngineRun[]): Promise<void> {
    await this.context.db.asPlatform('a stopped run may belong to any worker', () => this.runs.stop(runs.map(({ id }) => id)));
  }

  async retry(runs: readonly EngineRun[]): Promise<void> {
    await this.context.db.asPlatform('any worker may execute a retried run', () => this.runs.retry(runs.map(({ id }) => id)));
  }

  private async assertHasNodes(workflowId: string): Promise<void> {
    const nonEmpty = await queryRows(this.context.db, sql`select from job_workflow where id = ${workflowId} and jsonb_array_length(dag -> 'nodes') > 0`);
    if (nonEmpty.length === 0) throw new ApiError(jobProblems.emptyWorkflow);
  }
}
