import { sql } from 'drizzle-orm';
import { ApiError, idArray, type PluginRoute, queryRows, repositoryOf, route, type ServerContext, visibleRows } from '#server';
import type { Language } from '#shared/text';
import type { JobInfoRow } from '../contract.ts';
import { JobInstance, jobInstance, maxReplayed, openRunStates, runStates } from '../run-contract.ts';
import type { JobRouteDeps } from './engines.ts';
import type { JobEngine } from './job-engine.ts';
import { jobNameIn } from './job-names.ts';

/** Run that matches a filter or is named by a request. */
interface MatchedRun {
  readonly id: string;
  readonly jobInfoId: string;
  readonly jobName: string;
  readonly engineInstanceId: string;
  readonly state: number;
  readonly instanceParams: string | null;
  readonly isEnabled: boolean;
}

const hasEnded = ({ state }: Pick<MatchedRun, 'state'>): boolean => !openRunStates.has(state);

/** Serves the replay of the runs that match a filter. */
export function replayRoutes({ db }: Pick<ServerContext, 'db'>, { jobs, engines }: Pick<JobRouteDeps, 'jobs' | 'engines'>): PluginRoute[] {
  const runs = repositoryOf(db, JobInstance, { noTotal: true });
  const runsOf = (ids: readonly string[], language: Language) =>
    queryRows<MatchedRun>(
      db,
      sql`select i.id::text as id, i.job_info_id::text as "jobInfoId", coalesce(${jobNameIn(language)}, '') as "jobName", coalesce(i.engine_instance_id, '') as "engineInstanceId",
            i.state, i.instance_params as "instanceParams", coalesce(j.enable = 1 and j.is_deleted = 0, false) as "isEnabled"
          from job_instance i left join job_info j on j.id = i.job_info_id where i.id = any(${idArray(ids)}) and ${visibleRows(db, JobInstance.name, 'i')} order by i.id desc`,
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
        open: found.filter((run) => !hasEnded(run)).length,
        disabled: found.filter((run) => hasEnded(run) && !run.isEnabled).length,
        isCut: ids.length > maxReplayed,
      };
    }),
    route(
      jobInstance.replay,
      async ({ input: { ids }, principal: { tenantId }, language }) => {
        const { found, rows } = await db.read({ tenantId }, async () => {
          const replayable = (await runsOf(ids, language)).filter(isReplayable);
          const rows = await jobs.list(sql`id = any(${idArray(new Set(replayable.map(({ jobInfoId }) => jobInfoId)))})`);
          const visible = new Set(rows.map(({ id }) => id));
          return { found: replayable.filter(({ jobInfoId }) => visible.has(jobInfoId)), rows };
        });
        const failed: { id: string; jobName: string; reason: string }[] = [];
        for (const row of rows) {
          const engine = await engines.of(tenantId, row.jobServerId);
          for (const run of found.filter(({ jobInfoId }) => jobInfoId === row.id)) {
            const reason = await replayRun(engine, row, { run, language });
            if (reason !== undefined) failed.push({ id: run.id, jobName: run.jobName, reason });
          }
        }
        return { started: found.length - failed.length, failed };
      },
      { manualTransactions: true },
    ),
  ];
}

const isReplayable = (run: MatchedRun) => hasEnded(run) && run.isEnabled;

/** Runs one run again; returns the reason of a refusal in the language. */
async function replayRun(engine: JobEngine, row: JobInfoRow, { run, language }: { run: MatchedRun; language: Language }): Promise<string | undefined> {
  try {
    if (run.state === runStates.succeeded) await engine.run(row, run.instanceParams);
    else await engine.retry([run]);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.text(language);
    throw error;
  }
}
