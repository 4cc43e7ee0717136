import { sql } from 'drizzle-orm';
import { Refusal, type Repository, repositoryOf, rowsOf, type ServerContext } from '#server';
import { JobInfo, JobServer, jobProblems } from '../contract.ts';
import { databaseNow, databaseZone } from './clock.ts';
import { refuseWrongJob } from './job-rules.ts';
import type { Schedules } from './schedules.ts';

/** Applications jobs run on; one that jobs run on stays. */
export const serversOf = (db: ServerContext['db']): Repository<typeof JobServer> =>
  repositoryOf(db, JobServer, {
    unique: [{ fields: ['jobAppName'], problem: jobProblems.appTaken }],
    async beforeRemove(rows) {
      const ids = `{${rows.map(({ id }) => id).join(',')}}`;
      const used = await rowsOf(db, sql`select from job_info where job_server_id = any(${ids}::bigint[]) and is_deleted = 0 limit 1`);
      if (used.length > 0) throw new Refusal(jobProblems.appInUse);
    },
  });

/** What is to be done and when. Whatever is written is due anew from that moment. */
export function jobsOf(
  { db, jobs }: Pick<ServerContext, 'db' | 'jobs'>,
  servers: Repository<typeof JobServer>,
  schedules: Schedules,
): Repository<typeof JobInfo> {
  const rows: Repository<typeof JobInfo> = repositoryOf(db, JobInfo, {
    async beforeSave(form, before) {
      const job = { ...before, ...form } as Parameters<typeof refuseWrongJob>[0];
      if (before && before.jobServerId !== job.jobServerId) throw new Refusal(jobProblems.serverFixed, {}, { field: 'jobServerId' });
      if (!(await servers.find({ id: job.jobServerId }))) throw new Refusal(jobProblems.noServer, {}, { field: 'jobServerId' });
      refuseWrongJob(job, { jobs, tenantId: db.scope?.tenantId ?? '', zone: await databaseZone(db), now: await databaseNow(db) });
    },
    saved: (job) => schedules.place(job),
    removed: async (gone) => {
      for (const { id } of gone) await schedules.drop(id);
    },
  });
  return rows;
}
