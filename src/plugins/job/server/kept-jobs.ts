import { sql } from 'drizzle-orm';
import { Refusal, type Repository, rowsOf, type ServerContext } from '#server';
import { engines, type JobInfo, type JobInfoRow, type JobServer, jobInfo, jobProblems } from '../contract.ts';
import type { Engines } from './engines.ts';

interface Parts {
  readonly servers: Repository<typeof JobServer>;
  readonly jobs: Repository<typeof JobInfo>;
  readonly engines: Engines;
}

/** Carries a row out of the transaction that made it, which is rolled back. */
class Rehearsed extends Error {
  constructor(readonly row: JobInfoRow) {
    super('rehearsed');
  }
}

/**
 * How jobs are written: the engine is told first, outside of the transaction, of what the row will be; what it refuses is not written here. What it did
 * and is not written here, because the server died between, shows when the two are compared.
 */
export function keptJobs({ serve, db }: Pick<ServerContext, 'serve' | 'db'>, { servers, jobs, engines: all }: Parts): void {
  const isOnPowerJob = async (serverId: string) => (await servers.find({ id: serverId }))?.engine === engines.powerJob;
  /** The row as it would be, with everything that a write would refuse refused; undefined where our own engine runs it and nobody has to be told. */
  const rehearsed = async (tenantId: string, form: Parameters<typeof jobs.save>[0]): Promise<JobInfoRow | undefined> => {
    const { id, jobServerId } = form as Partial<JobInfoRow>;
    const isTold = await db.read({ tenantId }, async () => {
      const serverId = id ? (await jobs.detail(id)).jobServerId : String(jobServerId ?? '');
      if (!/^\d{1,18}$/.test(serverId) || !(await isOnPowerJob(serverId))) return false;
      // A second one could not be told from the first whose answer was lost.
      if (!id && (await jobs.find({ jobServerId: serverId, jobName: form.jobName }))) throw new Refusal(jobProblems.nameTaken, {}, { field: 'jobName' });
      return true;
    });
    if (!isTold) return undefined;
    try {
      return await db.write({ tenantId }, async () => {
        throw new Rehearsed(await jobs.save(form));
      });
    } catch (error) {
      if (error instanceof Rehearsed) return error.row;
      throw error;
    }
  };
  const told = async (tenantId: string, form: Parameters<typeof jobs.save>[0]): Promise<{ jobId?: number }> => {
    const row = await rehearsed(tenantId, form);
    if (!row) return {};
    const jobId = await (await all.of(tenantId, row.jobServerId)).keep(row, !(form as Partial<JobInfoRow>).id);
    return jobId === undefined ? {} : { jobId };
  };

  serve<typeof jobInfo.submit, { jobId?: number } | undefined>(
    jobInfo.submit,
    async ({ input, prepared }) => {
      const row = await jobs.save(input);
      if (prepared === undefined && (await isOnPowerJob(row.jobServerId))) throw new Refusal(jobProblems.oneByOne);
      if (prepared?.jobId === undefined) return row;
      await rowsOf(db, sql`update job_info set job_id = ${prepared.jobId} where id = ${row.id}`);
      return { ...row, jobId: prepared.jobId };
    },
    { prepare: ({ input, principal: { tenantId } }) => told(tenantId, input) },
  );
  serve<typeof jobInfo.change, void>(
    jobInfo.change,
    async ({ input: { id, enable } }) => {
      await jobs.save({ id, enable } as never);
      return null;
    },
    {
      prepare: async ({ input: { id, enable }, principal: { tenantId } }) => {
        const row = await rehearsed(tenantId, { id, enable } as never);
        if (row) await (await all.of(tenantId, row.jobServerId)).enable(row, enable === 1);
      },
    },
  );
  serve<typeof jobInfo.remove, void>(
    jobInfo.remove,
    async ({ input: { ids } }) => {
      await jobs.remove(ids);
      return null;
    },
    {
      prepare: async ({ input: { ids }, principal: { tenantId } }) => {
        const rows = await db.read({ tenantId }, () => Promise.all([...new Set(ids)].map((id) => jobs.detail(id))));
        for (const row of rows) await (await all.of(tenantId, row.jobServerId)).drop(row);
      },
    },
  );
  serve(jobInfo.restore, async ({ input: { ids } }) => {
    await jobs.restore(ids);
    for (const id of ids) if (await isOnPowerJob((await jobs.detail(id)).jobServerId)) throw new Refusal(jobProblems.goneThere);
    return null;
  });
}
