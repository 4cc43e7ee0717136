import { and, eq, isNotNull, sql } from 'drizzle-orm';
import {
  ApiError,
  crudRoutes,
  type Database,
  hasId,
  isActive,
  type PluginRoute,
  problems,
  queryRows,
  type Repository,
  repositoryOf,
  route,
  type ServerContext,
  tableOf,
  visibleRows,
} from '#server';
import { depthsOf } from '#shared/dag';
import { type Language, localize } from '#shared/text';
import { engineTypes, JobInfo, jobProblems, titleOfJob } from '../contract.ts';
import { openRunStates, runStates } from '../run-contract.ts';
import {
  JobWorkflow,
  type JobWorkflowRow,
  jobWorkflow,
  type WorkflowGraph,
  type WorkflowRun,
  type WorkflowRunSummary,
  workflowTimings,
} from '../workflow-contract.ts';
import { databaseNow, databaseZone } from './clock.ts';
import { cronOf, nextFire } from './fires.ts';
import type { serversOf } from './jobs.ts';
import { recordStop } from './run-routes.ts';
import type { JobRuns } from './runs.ts';
import type { Workflows } from './workflows.ts';

const jobInfos = tableOf(JobInfo);
const retryable: readonly number[] = [runStates.failed, runStates.stopped, runStates.cancelled];
type WorkflowRows = Repository<typeof JobWorkflow>;

interface WorkflowRoutesDeps {
  readonly servers: ReturnType<typeof serversOf>;
  readonly runs: JobRuns;
  readonly workflows: Workflows;
}

/** Serves the calls that edit, run, show, stop and retry workflows. The built-in engine runs them. */
export function workflowRoutes(context: Pick<ServerContext, 'db'>, { servers, runs, workflows }: WorkflowRoutesDeps): PluginRoute[] {
  const rows = workflowRowsOf(context.db, { servers, workflows });

  return [
    crudRoutes(jobWorkflow, rows, {
      search: {
        fields: ['workflowName', 'workflowDescription'],
        subtitle: ['workflowDescription'],
        actions: { jobworkflow_edit: true, jobworkflow_run: true },
      },
    }),
    ...graphRoutes(context, rows),
    ...runRoutes(context, rows, workflows),
    ...controlRoutes(context, rows, { runs, workflows }),
  ];
}

function workflowRowsOf(db: Database, { servers, workflows }: Omit<WorkflowRoutesDeps, 'runs'>): WorkflowRows {
  return repositoryOf(db, JobWorkflow, {
    unique: [{ fields: ['jobServerId', 'workflowName'], problem: jobProblems.nameTaken }],
    async beforeSave(form, before) {
      const row = { ...before, ...form } as JobWorkflowRow;
      if (before && before.jobServerId !== row.jobServerId) throw new ApiError(jobProblems.serverImmutable, {}, { field: 'jobServerId' });
      const server = await servers.find({ id: row.jobServerId });
      if (!server) throw new ApiError(jobProblems.noServer, {}, { field: 'jobServerId' });
      if (server.engine !== engineTypes.embedded) throw new ApiError(jobProblems.workflowNeedsBuiltIn, {}, { field: 'jobServerId' });
      if (row.timeExpressionType !== workflowTimings.cron) return;
      const zone = await databaseZone(db);
      if (!cronOf(row.timeExpression ?? '', zone)) throw new ApiError(jobProblems.invalidCron, {}, { field: 'timeExpression' });
      if (nextFire(row, await databaseNow(db), zone) === undefined) throw new ApiError(jobProblems.neverFires, {}, { field: 'timeExpression' });
    },
    saved: (row) => workflows.schedule(row.id, row),
  });
}

/** Returns the names of the jobs of these nodes by id, with `serverId` only of jobs of this application. */
async function namesOf(
  db: Database,
  nodes: readonly { readonly jobInfoId: string }[],
  { language, serverId }: { readonly language: Language; readonly serverId?: string },
): Promise<ReadonlyMap<string, string>> {
  const ofServer = serverId ? and(eq(jobInfos.jobServerId, serverId), isActive(jobInfos)) : undefined;
  const where = and(hasId(jobInfos, new Set(nodes.map(({ jobInfoId }) => jobInfoId))), ofServer);
  const found = await db.sql.select({ id: jobInfos.id, jobName: jobInfos.jobName, jobNameEn: jobInfos.jobNameEn }).from(jobInfos).where(where);
  return new Map(found.map(({ id, ...job }) => [id, localize(titleOfJob(job), language)]));
}

/** Returns a run of a workflow that the user may see; throws for others. */
async function visibleRun(
  db: Database,
  id: string,
): Promise<Omit<WorkflowRun, 'nodes'> & { readonly nodes: readonly { nodeId: string; jobInfoId: string }[] }> {
  const [run] = await queryRows<{ id: string; state: number; dag: WorkflowGraph }>(
    db,
    sql`select r.id::text as id, r.state, r.dag from job_workflow_run r join job_workflow w on w.id = r.workflow_id
        where r.id = ${id} and ${visibleRows(db, JobWorkflow.name, 'w')}`,
  );
  if (!run) throw new ApiError(problems.notFound);
  return { id: run.id, state: run.state, ...run.dag };
}

/** Version of the graph alone: the version of the row would change with each run, which updates other columns. */
const revision = sql`md5(coalesce(dag::text, '')) as revision`;

function graphRoutes({ db }: Pick<ServerContext, 'db'>, rows: WorkflowRows): PluginRoute[] {
  return [
    route(jobWorkflow.graph, async ({ input: { id }, language }) => {
      await rows.detail(id);
      const [row] = await queryRows<{ dag: WorkflowGraph; revision: string }>(db, sql`select dag, ${revision} from job_workflow where id = ${id}`);
      const { nodes, edges } = row?.dag ?? { nodes: [], edges: [] };
      const names = await namesOf(db, nodes, { language });
      return { nodes: nodes.map((node) => ({ ...node, jobName: names.get(node.jobInfoId) ?? node.jobInfoId })), edges, revision: row?.revision ?? '' };
    }),
    route(jobWorkflow.saveGraph, async ({ input: { id, nodes, edges, revision: loadedRevision }, language }) => {
      const { jobServerId } = await rows.detail(id);
      const nodeIds = new Set(nodes.map(({ nodeId }) => nodeId));
      const isInvalid = nodeIds.size !== nodes.length || edges.some(({ from, to }) => !nodeIds.has(from) || !nodeIds.has(to));
      if (isInvalid || new Set(edges.map(({ from, to }) => `${from}\n${to}`)).size !== edges.length) throw new ApiError(jobProblems.invalidGraph);
      if (!depthsOf({ nodes, edges })) throw new ApiError(jobProblems.cycle);
      const names = await namesOf(db, nodes, { language, serverId: jobServerId });
      const missing = nodes.find(({ jobInfoId }) => !names.has(jobInfoId));
      if (missing) throw new ApiError(jobProblems.noJob, { id: missing.jobInfoId });
      const startsWorkflow = and(hasId(jobInfos, names.keys()), isNotNull(jobInfos.workflowId));
      const [nested] = await db.sql.select({ name: jobInfos.jobName }).from(jobInfos).where(startsWorkflow).limit(1);
      if (nested) throw new ApiError(jobProblems.nestedWorkflow, nested);
      const [current] = await queryRows<{ revision: string }>(db, sql`select ${revision} from job_workflow where id = ${id} for update`);
      if (loadedRevision !== undefined && loadedRevision !== current?.revision) throw new ApiError(problems.conflict);
      const dag = JSON.stringify({ nodes, edges });
      const [saved] = await queryRows<{ revision: string }>(db, sql`update job_workflow set dag = ${dag}::jsonb where id = ${id} returning ${revision}`);
      return { revision: saved?.revision ?? '' };
    }),
  ];
}

function runRoutes({ db }: Pick<ServerContext, 'db'>, rows: WorkflowRows, workflows: Workflows): PluginRoute[] {
  return [
    route(jobWorkflow.runs, async ({ input: { id } }) => {
      await rows.detail(id);
      return queryRows<WorkflowRunSummary>(
        db,
        sql`select id::text as id, state, to_char(start_time, 'YYYY-MM-DD HH24:MI:SS') as "startTime", to_char(end_time, 'YYYY-MM-DD HH24:MI:SS') as "endTime"
          from job_workflow_run where workflow_id = ${id} order by id desc limit 20`,
      );
    }),
    route(jobWorkflow.runGraph, async ({ input: { id }, language }) => {
      const { nodes, ...run } = await visibleRun(db, id);
      const names = await namesOf(db, nodes, { language });
      const runs = new Map((await workflows.nodeRuns(id)).map((node) => [node.nodeId, node]));
      const shown = nodes.map((node) => {
        const { state = null, instanceId = null } = runs.get(node.nodeId) ?? {};
        return { ...node, jobName: names.get(node.jobInfoId) ?? node.jobInfoId, state, instanceId };
      });
      return { ...run, nodes: shown };
    }),
  ];
}

function controlRoutes({ db }: Pick<ServerContext, 'db'>, rows: WorkflowRows, { runs, workflows }: Omit<WorkflowRoutesDeps, 'servers'>): PluginRoute[] {
  const manualTransactions = { manualTransactions: true } as const;

  return [
    route(
      jobWorkflow.run,
      async ({ input: { id }, principal: { tenantId } }) => {
        await db.read({ tenantId }, () => rows.detail(id));
        const run = await db.asPlatform('any worker may execute a workflow that a user started', () => workflows.start(id));
        if (run === '') throw new ApiError(jobProblems.emptyWorkflow);
        return run;
      },
      manualTransactions,
    ),
    route(
      jobWorkflow.stop,
      async ({ input: { id }, principal: { tenantId, account } }) => {
        await db.read({ tenantId }, () => visibleRun(db, id));
        // Committed first: a node that ends while the others are stopped must not start the next one.
        await db.asPlatform('a stopped workflow may belong to any worker', () => workflows.markStopped(id));
        await db.asPlatform('a stopped workflow may belong to any worker', async () => workflows.stopNodes(await workflows.nodesIn(id, [...openRunStates])));
        await db.write({ tenantId }, () => recordStop(db, sql`workflow_run_id = ${id}`, account));
      },
      manualTransactions,
    ),
    route(
      jobWorkflow.retry,
      async ({ input: { id, nodeId }, principal: { tenantId } }) => {
        await db.read({ tenantId }, () => visibleRun(db, id));
        await db.asPlatform('any worker may execute a retried workflow', async () => {
          const failed = await workflows.nodesIn(id, retryable, nodeId);
          if (failed.length === 0) throw new ApiError(jobProblems.notRetryable);
          await runs.retry(failed);
        });
      },
      manualTransactions,
    ),
  ];
}
