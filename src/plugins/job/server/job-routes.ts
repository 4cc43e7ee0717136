import { and, type SQL, sql } from 'drizzle-orm';
import type { TObject, TSchema } from 'typebox';
import {
  executionKinds,
  findTyped,
  idArray,
  isActive,
  type PluginRoute,
  platformTenant,
  queryRows,
  route,
  type ServerContext,
  tableOf,
  visibleRows,
} from '#server';
import type { Problem } from '#shared/errors';
import { interpolate } from '#shared/text';
import {
  engineTypes,
  executionTypes,
  externalProcessors,
  JobWorkflow,
  jobInfo,
  jobProblems,
  jobServer,
  processorTypes,
  type SuggestedParameter,
  type SuggestedProcessor,
} from '../contract.ts';
import { alertTemplates } from './alerts.ts';
import type { JobRouteDeps } from './engines.ts';
import { assertPermitted, availableProcessor, externalProblem } from './job-validation.ts';
import { jobWriteRoutes } from './job-write-routes.ts';
import { isOnPowerJob } from './jobs.ts';
import type { JobPluginContext } from './paused-jobs.ts';
import { timelineRoutes } from './timeline.ts';

const maxPeople = 50;
const maxWorkflows = 200;
const workflows = tableOf(JobWorkflow);
const idsIn = (commaList: string) => idArray(commaList.split(',').filter((id) => /^\d{1,18}$/.test(id)));

/** Serves the calls of jobs and applications that the generic screens do not have. */
export function jobRoutes(context: JobPluginContext, { servers, jobs, engines }: JobRouteDeps): PluginRoute[] {
  const { db } = context;

  return [
    ...jobWriteRoutes(context, { servers, jobs, engines }),
    ...processorRoutes(context, servers),
    ...optionRoutes(context),
    ...timelineRoutes(context, jobs),
    route(jobServer.select, async ({ input: { ids } }) => {
      const rows = await servers.list(ids ? sql`id = any(${idsIn(ids)})` : undefined);
      return rows.map(({ id, jobServerName, jobAppName, engine }) => ({ id, jobServerName, jobAppName, engine }));
    }),
    route(
      jobInfo.run,
      async ({ input: { id, instanceParams }, principal: { tenantId } }) => {
        const job = await db.read({ tenantId }, () => jobs.detail(id));
        // Parameters of a run can replace the content that was permitted when the job was saved.
        if (instanceParams && !(await db.read({ tenantId }, () => isOnPowerJob(servers, job.jobServerId)))) assertPermitted(job, context.jobs);
        return (await engines.of(tenantId, job.jobServerId)).run(job, instanceParams);
      },
      { manualTransactions: true },
    ),
  ];
}

function processorRoutes({ parameters, jobs: processors }: JobPluginContext, servers: JobRouteDeps['servers']): PluginRoute[] {
  return [
    route(jobInfo.processors, async ({ input: { jobServerId }, principal: { tenantId, codes } }) => {
      // PowerJob has no call that lists its processors.
      if (jobServerId && (await isOnPowerJob(servers, jobServerId))) return [];
      return processors
        .all()
        .filter(([, { platformOnly, permission }]) => (!platformOnly || tenantId === platformTenant) && (!permission || codes.has(permission)))
        .map(([value, processor]): SuggestedProcessor => {
          const { title, help, params } = processor;
          const pausedBy = processors.pausedBy(value, tenantId);
          return {
            value,
            title,
            help,
            kinds: executionKinds(processor),
            ...(params ? { params: formSchemaOf(params) } : {}),
            ...(pausedBy ? { pausedBy } : {}),
          };
        });
    }),
    route(jobInfo.unavailable, async ({ input: { field, jobServerId, processorInfo = '' }, principal: { tenantId } }) => {
      const server = jobServerId ? await servers.find({ id: jobServerId }) : undefined;
      if (!server) return [];
      const isElsewhere = server.engine === engineTypes.powerJob;
      if (field === 'processorType') {
        const problem = externalProblem({ isOnPowerJob: isElsewhere, allowsExternal: await parameters.flag(externalProcessors) });
        return problem ? [{ value: processorTypes.external, reason: problem.message }] : [];
      }
      const processor = isElsewhere ? undefined : availableProcessor(processors, tenantId, processorInfo);
      if (!processor) return [];
      const reasonOf = ({ message }: Problem) => message.map((text) => interpolate(text, { name: processorInfo })) as [string, string];
      return [
        ...(processor.broadcast ? [] : [{ value: executionTypes.broadcast, reason: reasonOf(jobProblems.broadcastUnsupported) }]),
        ...(processor.perform ? [] : [{ value: executionTypes.mapReduce, reason: reasonOf(jobProblems.mapReduceUnsupported) }]),
      ];
    }),
  ];
}

/** Removes null from the values of selects: a form leaves an empty field out, and replies contain no nulls for BladeX-compatible clients. */
function formSchemaOf(params: TObject): TObject {
  const withoutNull = (schema: TSchema & { readonly enum?: readonly unknown[] }): TSchema =>
    schema.enum ? { ...schema, enum: schema.enum.filter((value) => value !== null) } : schema;
  return { ...params, properties: Object.fromEntries(Object.entries(params.properties).map(([name, schema]) => [name, withoutNull(schema)])) };
}

function optionRoutes({ db, sms }: ServerContext): PluginRoute[] {
  return [
    route(jobInfo.workflows, ({ input: { jobServerId, name = '', ids } }) => {
      const { id, workflowName } = workflows;
      const workflowsWhere = (wanted: SQL | undefined) =>
        db.sql
          .select({ id, name: workflowName })
          .from(workflows)
          .where(and(isActive(workflows), visibleRows(db, JobWorkflow.name), wanted))
          .orderBy(workflowName)
          .limit(maxWorkflows);
      if (ids) return workflowsWhere(sql`id = any(${idsIn(ids)})`);
      return findTyped(db, { entity: 'job_workflow', as: 'job_workflow', fields: ['workflowName'], text: name, limit: maxWorkflows }, (isFound) =>
        workflowsWhere(and(sql`job_server_id = ${jobServerId ?? null}`, isFound)),
      );
    }),
    route(
      jobInfo.alertTemplates,
      async ({ principal: { tenantId } }) =>
        (await alertTemplates(sms, tenantId)).map(
          ({ code, params }): SuggestedParameter => ({ value: code, title: [code, code], help: [params.join(), params.join()] }),
        ),
      { manualTransactions: true },
    ),
    route(jobInfo.people, ({ input: { name = '', ids } }) => {
      const peopleWhere = (wanted: SQL) =>
        queryRows<{ id: string; name: string }>(
          db,
          sql`select id::text as id, coalesce(nullif(real_name, ''), account) as name from user_account where is_deleted = 0 and ${visibleRows(db, 'user_account')} and ${wanted} order by account limit ${maxPeople}`,
        );
      return ids
        ? peopleWhere(sql`id = any(${idsIn(ids)})`)
        : findTyped(db, { entity: 'user_account', as: 'user_account', fields: ['realName', 'account'], text: name, limit: maxPeople }, peopleWhere);
    }),
  ];
}
