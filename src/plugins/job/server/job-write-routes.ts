import { eq } from 'drizzle-orm';
import { ApiError, hasId, type PluginRoute, problems, route, type ServerContext } from '#server';
import { type JobInfoRow, jobInfo, jobProblems } from '../contract.ts';
import type { JobRouteDeps } from './engines.ts';
import { assertPermitted } from './job-validation.ts';
import { isOnPowerJob } from './jobs.ts';
import type { JobPluginContext } from './paused-jobs.ts';

interface DryRunDeps extends Pick<ServerContext, 'db'>, Pick<JobRouteDeps, 'servers' | 'jobs'> {}
type JobForm = Parameters<JobRouteDeps['jobs']['save']>[0];

/** Carries a row out of a transaction that is rolled back. */
class DryRunRollback extends Error {
  constructor(readonly row: JobInfoRow) {
    super('The dry run is rolled back.');
  }
}

/**
 * Serves the calls that write jobs. The remote engine is called first, outside the transaction, and a job that it rejects is not written. After a crash between the two, the comparison with
 * PowerJob shows the difference.
 */
export function jobWriteRoutes({ db, jobs: processors }: Pick<JobPluginContext, 'db' | 'jobs'>, { servers, jobs, engines }: JobRouteDeps): PluginRoute[] {
  const dryRunDeps = { db, servers, jobs };
  const saveRemotely = async (tenantId: string, form: JobForm): Promise<{ jobId?: number }> => {
    const row = await dryRun(dryRunDeps, tenantId, form);
    if (!row) return {};
    const jobId = await (await engines.of(tenantId, row.jobServerId)).save(row, !(form as Partial<JobInfoRow>).id);
    return jobId === undefined ? {} : { jobId };
  };

  return [
    route<typeof jobInfo.submit, { jobId?: number } | undefined>(
      jobInfo.submit,
      async ({ input, prepared }) => {
        const row = await jobs.save(input);
        if (prepared === undefined && (await isOnPowerJob(servers, row.jobServerId))) throw new ApiError(jobProblems.oneAtATime);
        if (prepared?.jobId === undefined) return row;
        await db.sql.update(jobs.table).set({ jobId: prepared.jobId }).where(eq(jobs.table.id, row.id));
        return { ...row, jobId: prepared.jobId };
      },
      { prepare: ({ input, principal: { tenantId } }) => saveRemotely(tenantId, input) },
    ),
    route<typeof jobInfo.change, void>(
      jobInfo.change,
      async ({ input: { id, enable } }) => {
        await jobs.save({ id, enable });
      },
      {
        prepare: async ({ input: { id, enable }, principal: { tenantId } }) => {
          const row = await dryRun(dryRunDeps, tenantId, { id, enable });
          if (row) await (await engines.of(tenantId, row.jobServerId)).enable(row, enable === 1);
        },
      },
    ),
    route<typeof jobInfo.remove, void>(jobInfo.remove, ({ input: { ids } }) => jobs.remove(ids), {
      prepare: async ({ input: { ids }, principal: { tenantId } }) => {
        const uniqueIds = [...new Set(ids)];
        const rows = await db.read({ tenantId }, () => jobs.list(hasId(jobs.table, uniqueIds)));
        if (rows.length !== uniqueIds.length) throw new ApiError(problems.notFound);
        for (const row of rows) await (await engines.of(tenantId, row.jobServerId)).remove(row);
      },
    }),
    route(jobInfo.restore, async ({ input: { ids } }) => {
      await jobs.restore(ids);
      for (const id of ids) {
        const row = await jobs.detail(id);
        if (await isOnPowerJob(servers, row.jobServerId)) throw new ApiError(jobProblems.deletedOnPowerJob);
        if (row.enable === 1) assertPermitted(row, processors);
      }
    }),
  ];
}

/** Validates a write without committing it and returns the resulting row; undefined when the built-in engine runs the job, which needs no call. */
async function dryRun({ db, servers, jobs }: DryRunDeps, tenantId: string, form: JobForm): Promise<JobInfoRow | undefined> {
  const { id, jobServerId } = form as Partial<JobInfoRow>;
  const isRemote = await db.read({ tenantId }, async () => {
    const serverId = id ? (await jobs.detail(id)).jobServerId : String(jobServerId ?? '');
    if (!/^\d{1,18}$/.test(serverId) || !(await isOnPowerJob(servers, serverId))) return false;
    // A second job of this name could not be distinguished from an earlier one whose response was lost.
    if (!id && form.jobName !== undefined && (await jobs.find({ jobServerId: serverId, jobName: form.jobName })))
      throw new ApiError(jobProblems.nameTaken, {}, { field: 'jobName' });
    return true;
  });
  if (!isRemote) return undefined;
  try {
    return await db.write({ tenantId }, async () => {
      throw new DryRunRollback(await jobs.save(form));
    });
  } catch (error) {
    if (error instanceof DryRunRollback) return error.row;
    throw error;
  }
}
