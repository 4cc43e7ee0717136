import { sql } from 'drizzle-orm';
import { ApiError, idArray, type PluginRoute, queryRows, repositoryOf, route, type ServerContext } from '#server';
import type { Language } from '#shared/text';
import type { JobInfoRow } from '../contract.ts';
import { JobInstance, jobInstance, maxReplayed, runStates } from '../run-contract.ts';
import type { JobRouteDeps } from './engines.ts';
import type { JobEngine } from './job-engine.ts';
import { jobNameIn } from './job-names.ts';

interface EndedRun {
  readonly id: string;
  readonly jobInfoId: string;
  readonly jobName: string;
  readonly engineInstanceId: string;
  readonly state: number;
  readonly instanceParams: string | null;
  readonly isEnabled: boolean;
}

const ended: ReadonlySet<number> = new Set([runStates.failed, runStates.succeeded, runStates.cancelled, runStates.stopped]);

/** Serves the replay of the runs that match a filter. */
export function replayRoutes({ db }: Pick<ServerContext, 'db'>, { jobs, engines }: Pick<JobRouteDeps, 'jobs' | 'engines'>): PluginRoute[] {
  const runs = repositoryOf(db, JobInstance, { noTotal: true });
  const runsOf = (ids: readonly string[], language: Language) =>
    queryRows<EndedRun>(
      db,
      sql`select i.id::text as id, i.job_info_id::text as "jobInfoId", coalesce(${jobNameIn(language)}, '') as "jobName", coalesce(i.engine_instance_id, '') as "engineInstanceId",
            i.state, i.instance_params as "instanceParams", coalesce(j.enable = 1 and j.is_deleted = 0, false) as "isEnabled"
          from job_instance i left join job_info j on j.id = i.job_info_id where i.id = any(${idArray(ids)}) order by i.id desc`,
    );

  return [
    route(jobInstance.replayPreview, async ({ input, language }) => {
      const next = runs.walk(input);
      const ids: string[] = [];
      for (let step = await next(); step.length > 0 && ids.length <= maxReplayed; step = await next()) ids.push(...step.map(({ id }) => id));
      const found = await runsOf(ids.slice(0, maxReplayed), language);
      const able = found.filter(isReplayable);
      const names = [...new Set(able.map(({ jobName }) => jobName))];
      return {
        ids: able.map(({ id }) => id),
        jobs: names.map((jobName) => ({ jobName, count: able.filter((run) => run.jobName === jobName).length })),
        open: found.filter(({ state }) => !ended.has(state)).length,
        disabled: found.filter((run) => ended.has(run.state) && !run.isEnabled).length,
        isCut: ids.length > maxReplayed,
      };
    }),
    route(
      jobInstance.replay,
      async ({ input: { ids }, principal: { tenantId }, language }) => {
        const { found, rows } = await db.read({ tenantId }, async () => {
          const found = (await runsOf(ids, language)).filter(isReplayable);
          return { found, rows: await jobs.list(sql`id = any(${idArray(new Set(found.map(({ jobInfoId }) => jobInfoId)))})`) };
        });
        const failed: { id: string; jobName: string; reason: string }[] = [];
        for (const row of rows) {
          const engine = await engines.of(tenantId, row.jobServerId);
          for (const run of found.filter(({ jobInfoId }) => jobInfoId === row.id)) {
            const reason = await replayRun(engine, row, run);
            if (reason !== undefined) failed.push({ id: run.id, jobName: run.jobName, reason });
          }
        }
        return { started: found.length - failed.length, failed };
      },
      { manualTransactions: true },
    ),
  ];
}

const isReplayable = ({ state, isEnabled }: EndedRun) => ended.has(state) && isEnabled;

/** Runs one run again; returns the reason of a refusal. */
async function replayRun(engine: JobEngine, row: JobInfoRow, run: EndedRun): Promise<string | undefined> {
  try {
    if (run.state === runStates.succeeded) await engine.run(row, run.instanceParams);
    else await engine.retry([run]);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
