import { and, sql } from 'drizzle-orm';
import { notDeleted, type PluginRoute, queryRows, type Repository, route, type ServerContext, tableOf } from '#server';
import { interpolate } from '#shared/text';
import {
  executions,
  externalProcessors,
  type JobInfo,
  type JobServer,
  JobWorkflow,
  jobInfo,
  jobProblems,
  jobServer,
  type KnownProcessor,
  engines as kinds,
  processorTypes,
} from '../contract.ts';
import { alertTemplates } from './alert-templates.ts';
import type { Engines } from './engines.ts';
import { externalProblem, ownProcessor } from './job-rules.ts';
import type { JobPluginContext } from './paused-jobs.ts';

interface JobRoutesDeps {
  readonly servers: Repository<typeof JobServer>;
  readonly jobs: Repository<typeof JobInfo>;
  readonly engines: Engines;
}

const platformTenant = '000000';
const maxPeople = 50;
const maxWorkflows = 200;
const workflows = tableOf(JobWorkflow);
const listOf = (comma: string | undefined) =>
  `{${(comma ?? '')
    .split(',')
    .filter((id) => /^\d{1,18}$/.test(id))
    .join(',')}}`;

/** Serves the calls of jobs and applications beyond the generic screens. */
export function jobRoutes(context: JobPluginContext, { servers, jobs, engines }: JobRoutesDeps): PluginRoute[] {
  const { db } = context;

  return [
    ...processorRoutes(context, servers),
    ...choiceRoutes(context),
    route(jobServer.select, async ({ input: { ids } }) => {
      const rows = await servers.list(ids ? sql`id = any(${listOf(ids)}::bigint[])` : undefined);
      return rows.map(({ id, jobServerName, jobAppName, engine }) => ({ id, jobServerName, jobAppName, engine }));
    }),
    route(
      jobInfo.run,
      async ({ input: { id, instanceParams }, principal: { tenantId } }) => {
        const job = await db.read({ tenantId }, () => jobs.detail(id));
        return (await engines.of(tenantId, job.jobServerId)).run(job, instanceParams);
      },
      { manualTransactions: true },
    ),
  ];
}

function processorRoutes({ parameters, jobs: processors }: JobPluginContext, servers: JobRoutesDeps['servers']): PluginRoute[] {
  return [
    route(jobInfo.processors, async ({ input: { jobServerId }, principal: { tenantId } }) => {
      // PowerJob has no call that lists its processors.
      if (jobServerId && (await servers.find({ id: jobServerId }))?.engine === kinds.powerJob) return [];
      return processors
        .all()
        .filter(([, { platformOnly }]) => !platformOnly || tenantId === platformTenant)
        .map(([value, { title, help }]): KnownProcessor => {
          const pausedBy = processors.pausedBy(value, tenantId);
          return { value, title, help, ...(pausedBy ? { pausedBy } : {}) };
        });
    }),
    route(jobInfo.unavailable, async ({ input: { field, jobServerId, processorInfo = '' }, principal: { tenantId } }) => {
      const server = jobServerId ? await servers.find({ id: jobServerId }) : undefined;
      if (!server) return [];
      const isElsewhere = server.engine === kinds.powerJob;
      if (field === 'processorType') {
        const problem = externalProblem({ isElsewhere, mayLoad: await parameters.flag(externalProcessors) });
        return problem ? [{ value: processorTypes.external, reason: problem.message }] : [];
      }
      const processor = isElsewhere ? undefined : ownProcessor(processors, tenantId, processorInfo);
      if (!processor || processor.perform) return [];
      const [zh, en] = jobProblems.noMapReduce.message;
      return [{ value: executions.mapReduce, reason: [interpolate(zh, { name: processorInfo }), interpolate(en, { name: processorInfo })] as const }];
    }),
  ];
}

function choiceRoutes({ db, sms }: ServerContext): PluginRoute[] {
  return [
    route(jobInfo.workflows, ({ input: { jobServerId, name = '', ids } }) => {
      const wanted = ids
        ? sql`id = any(${listOf(ids)}::bigint[])`
        : sql`job_server_id = ${jobServerId ?? null} and position(lower(${name}) in lower(workflow_name)) > 0`;
      const { id, workflowName } = workflows;
      const where = and(notDeleted(workflows), wanted);
      return db.sql.select({ id, name: workflowName }).from(workflows).where(where).orderBy(workflowName).limit(maxWorkflows);
    }),
    route(
      jobInfo.alertTemplates,
      async ({ principal: { tenantId } }) =>
        (await alertTemplates(sms, tenantId)).map(
          ({ code, params }): KnownProcessor => ({ value: code, title: [code, code], help: [params.join(), params.join()] }),
        ),
      { manualTransactions: true },
    ),
    route(jobInfo.people, ({ input: { name = '', ids } }) => {
      const wanted = ids ? sql`id = any(${listOf(ids)}::bigint[])` : sql`position(lower(${name}) in lower(coalesce(real_name, '') || ' ' || account)) > 0`;
      return queryRows<{ id: string; name: string }>(
        db,
        sql`select id::text as id, coalesce(nullif(real_name, ''), account) as name from user_account where is_deleted = 0 and ${wanted} order by account limit ${maxPeople}`,
      );
    }),
  ];
}
