import { type SQL, sql } from 'drizzle-orm';
import { ApiError, idArray, type PluginRoute, problems, queryRows, repositoryOf, route, type ServerContext, visibleRows } from '#server';
import { JobInstance, jobInstance } from '../run-contract.ts';
import type { Engine } from './engine.ts';
import type { JobRouteDeps } from './engines.ts';
import type { EngineRun } from './job-engine.ts';
import { replayRoutes } from './replay.ts';
import { stateSql } from './state-sql.ts';

/** Serves runs: listing, log, stopping and retrying. */
export function runRoutes({ db }: ServerContext, { engine, engines, jobs }: Pick<JobRouteDeps, 'jobs' | 'engines'> & { engine: Engine }): PluginRoute[] {
  const runs = repositoryOf(db, JobInstance, { noTotal: true });
  /** Returns the runs with these ids by application; throws if the user may not see all of them. */
  const runsByServer = (tenantId: string, ids: readonly string[]) =>
    db.read({ tenantId }, async () => {
      const own = await queryRows<EngineRun & { serverId: string }>(
        db,
        sql`select i.id::text as id, coalesce(i.engine_instance_id, '') as "engineInstanceId", i.state, j.job_server_id::text as "serverId"
            from job_instance i join job_info j on j.id = i.job_info_id where i.id = any(${idArray(ids)}) and ${visibleRows(db, JobInstance.name, 'i')}`,
      );
      if (own.length !== new Set(ids).size) throw new ApiError(problems.notFound);
      const byServer = new Map<string, EngineRun[]>();
      for (const { serverId, ...run } of own) byServer.set(serverId, [...(byServer.get(serverId) ?? []), run]);
      return byServer;
    });

  return [
    ...replayRoutes({ db }, { jobs, engines }),
    route(jobInstance.list, ({ input }) => runs.page(input)),
    route(jobInstance.detail, ({ input: { id } }) => runs.detail(id)),
    route(jobInstance.log, async ({ input: { id, after } }) => {
      // The state is read first: once it is final, all lines are written.
      const { state, engineInstanceId } = await runs.detail(id);
      return { state, isElsewhere: engineInstanceId !== null, lines: await engine.log.lines(id, after) };
    }),
    ...(['stop', 'retry'] as const).map((action) =>
      route(
        jobInstance[action],
        async ({ input: { ids }, principal: { tenantId, account } }) => {
          for (const [serverId, own] of await runsByServer(tenantId, ids)) await (await engines.of(tenantId, serverId))[action](own);
          if (action === 'stop') await db.write({ tenantId }, () => recordStop(db, sql`id = any(${idArray(ids)})`, account));
        },
        { manualTransactions: true },
      ),
    ),
  ];
}

/** Records who stopped runs. A run of PowerJob can end otherwise before it is stopped. */
export async function recordStop(db: ServerContext['db'], where: SQL, account: string): Promise<void> {
  await queryRows(
    db,
    sql`update job_instance set stopped_by = ${account} where ${where} and state in (${stateSql.cancelled}, ${stateSql.stopped}) and stopped_by is null`,
  );
}
