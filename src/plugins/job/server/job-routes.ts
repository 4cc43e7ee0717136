import { sql } from 'drizzle-orm';
import { type Repository, rowsOf, type ServerContext } from '#server';
import { type JobInfo, type JobServer, jobInfo, jobServer, type KnownProcessor } from '../contract.ts';
import type { Engine } from './engine.ts';

interface Parts {
  readonly servers: Repository<typeof JobServer>;
  readonly jobs: Repository<typeof JobInfo>;
  readonly engine: Engine;
}

const platformTenant = '000000';
const mostPeople = 50;
const listOf = (comma: string | undefined) =>
  `{${(comma ?? '')
    .split(',')
    .filter((id) => /^\d{1,18}$/.test(id))
    .join(',')}}`;

/** What is asked of jobs and applications beside the generic screens. */
export function jobRoutes({ serve, db, jobs: processors }: ServerContext, { servers, jobs, engine }: Parts): void {
  serve(jobServer.select, async ({ input: { ids } }) => {
    const rows = await servers.list(ids ? sql`id = any(${listOf(ids)}::bigint[])` : undefined);
    return rows.map(({ id, jobServerName, jobAppName }) => ({ id, jobServerName, jobAppName }));
  });
  serve(jobInfo.change, async ({ input: { id, enable } }) => {
    await jobs.save({ id, enable } as never);
    return null;
  });
  serve(
    jobInfo.run,
    async ({ input: { id, instanceParams }, principal: { tenantId } }) => {
      await db.read({ tenantId }, () => jobs.detail(id));
      const [run] = await db.asPlatform('a run that somebody begins is given to any worker', async () => {
        await rowsOf(db, sql`select from job_info where id = ${id} for update`);
        return engine.runs.begin([{ jobInfoId: id, instanceParams }]);
      });
      return run ?? '';
    },
    { ownTransactions: true },
  );
  serve(jobInfo.processors, ({ principal: { tenantId } }) =>
    processors
      .all()
      .filter(([, { platformOnly }]) => !platformOnly || tenantId === platformTenant)
      .map(([value, { title, help }]): KnownProcessor => ({ value, title, help })),
  );
  serve(jobInfo.people, ({ input: { name = '', ids } }) => {
    const wanted = ids ? sql`id = any(${listOf(ids)}::bigint[])` : sql`position(lower(${name}) in lower(coalesce(real_name, '') || ' ' || account)) > 0`;
    return rowsOf<{ id: string; name: string }>(
      db,
      sql`select id::text as id, coalesce(nullif(real_name, ''), account) as name from user_account where is_deleted = 0 and ${wanted} order by account limit ${mostPeople}`,
    );
  });
}
