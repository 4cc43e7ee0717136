import { and, eq, sql } from 'drizzle-orm';
import { ApiError, EgressError, isActive, queryRows, type Repository, repositoryOf, type ServerContext, tableOf } from '#server';
import type { FormOf } from '#shared/contract';
import {
  engineTypes,
  externalProcessors,
  httpProcessor,
  JobInfo,
  type JobInfoRow,
  JobServer,
  type JobServerRow,
  JobWorkflow,
  jobProblems,
} from '../contract.ts';
import { alertTemplates } from './alerts.ts';
import { databaseNow, databaseZone } from './clock.ts';
import { assertPermitted, assertValidJob } from './job-validation.ts';
import type { JobPluginContext } from './paused-jobs.ts';
import { addressesOf } from './powerjob/client.ts';
import type { Schedules } from './schedules.ts';

const workflows = tableOf(JobWorkflow);

/** Repository of applications. */
export const serversOf = ({ db, egress }: Pick<ServerContext, 'db' | 'egress'>): Repository<typeof JobServer> =>
  repositoryOf(db, JobServer, {
    unique: [{ fields: ['jobAppName'], problem: jobProblems.appTaken }],
    complete(form, { before }) {
      const connection = (['jobServerUrl', 'jobAppPassword'] as const).find((name) => form[name]);
      const engine = before?.engine ?? form.engine ?? (connection ? engineTypes.powerJob : engineTypes.embedded);
      // The built-in engine has no connection settings; refusing them is clearer than dropping them silently.
      if (engine === engineTypes.embedded && connection) throw new ApiError(jobProblems.connectionNotUsed, {}, { field: connection });
      return before ? {} : { engine };
    },
    beforeSave(form: FormOf<typeof JobServer>, before) {
      if (before && form.engine !== undefined && form.engine !== before.engine) throw new ApiError(jobProblems.engineImmutable, {}, { field: 'engine' });
      if (form.jobServerUrl) assertValidAddress(egress, form.jobServerUrl);
      // Otherwise a user who may edit the row could have the stored password sent to another address.
      if (before?.engine === engineTypes.powerJob && changesConnection(form, before) && !form.jobAppPassword)
        throw new ApiError(jobProblems.passwordRequired, {}, { field: 'jobAppPassword' });
    },
  });

/** Tests whether a PowerJob server runs the jobs of an application. */
export const isOnPowerJob = async (servers: Repository<typeof JobServer>, serverId: string): Promise<boolean> =>
  (await servers.find({ id: serverId }))?.engine === engineTypes.powerJob;

const changesConnection = (form: Partial<JobServerRow>, before: JobServerRow) =>
  (['jobServerUrl', 'jobAppName', 'signIn'] as const).some((name) => name in form && form[name] !== before[name]);

function assertValidAddress(egress: ServerContext['egress'], text: string, field = 'jobServerUrl'): void {
  const addresses = field === 'jobServerUrl' ? addressesOf(text) : [new URL(text)];
  if (!addresses) throw new ApiError(jobProblems.invalidAddress, {}, { field });
  try {
    for (const address of addresses) egress.check(address);
  } catch (error) {
    throw new ApiError(jobProblems.privateAddress, {}, { field, cause: error instanceof EgressError ? error : undefined });
  }
}

/** Tests whether the secret of a job would be sent to another origin than before, where another user could read it. */
const movesSecret = (job: JobInfoRow, before: JobInfoRow) =>
  job.processorInfo === httpProcessor && (before.processorInfo !== httpProcessor || originOf(job) !== originOf(before));

function originOf({ jobParams }: JobInfoRow): string | undefined {
  try {
    return new URL((JSON.parse(jobParams ?? '{}') as { url?: string }).url ?? '').origin;
  } catch {
    return undefined;
  }
}

/** Tests whether a form only pauses a job. */
const isPausing = ({ enable, id: _, version: __, ...form }: Partial<JobInfoRow>, before: JobInfoRow) =>
  enable === 0 && Object.entries(form).every(([name, value]) => JSON.stringify(value ?? null) === JSON.stringify(before[name as keyof JobInfoRow] ?? null));

/** Repository of jobs. Each write reschedules the job from now on; jobs of PowerJob are scheduled there. */
export function jobsOf(
  { db, jobs, parameters, egress, sms }: Pick<JobPluginContext, 'db' | 'jobs' | 'parameters' | 'egress' | 'sms'>,
  servers: Repository<typeof JobServer>,
  schedules: Schedules,
): Repository<typeof JobInfo> {
  const assertValidAlert = async ({ alertSms, alertUrl, alertSecret }: FormOf<typeof JobInfo>, before: JobInfoRow | undefined) => {
    if (alertSms && alertSms !== before?.alertSms && !(await alertTemplates(sms, db.scope?.tenantId ?? '')).some(({ code }) => code === alertSms))
      throw new ApiError(jobProblems.noTemplate, {}, { field: 'alertSms' });
    if (!alertUrl) return;
    assertValidAddress(egress, alertUrl, 'alertUrl');
    if (!alertSecret && !(before && (await rows.decrypt(before.id, 'alertSecret'))))
      throw new ApiError(jobProblems.signingKeyRequired, {}, { field: 'alertSecret' });
  };
  const isNode = async (id: string) => {
    const node = JSON.stringify({ nodes: [{ jobInfoId: id }] });
    return (await queryRows(db, sql`select from job_workflow where is_deleted = 0 and dag @> ${node}::jsonb limit 1`)).length > 0;
  };
  const assertValidWorkflow = async ({ id, workflowId, jobServerId }: JobInfoRow) => {
    if (!workflowId) return;
    const field = 'workflowId';
    const isOfSameApp = and(eq(workflows.id, workflowId), eq(workflows.jobServerId, jobServerId), isActive(workflows));
    const workflowRows = await db.sql.select({ id: workflows.id }).from(workflows).where(isOfSameApp);
    if (workflowRows.length === 0) throw new ApiError(jobProblems.noWorkflow, {}, { field });
    if (id && (await isNode(id))) throw new ApiError(jobProblems.nodeCannotStartWorkflow, {}, { field });
  };
  const rows: Repository<typeof JobInfo> = repositoryOf(db, JobInfo, {
    async beforeSave(form, before) {
      const job = { ...before, ...form } as JobInfoRow;
      // A job that has become invalid can still be paused.
      if (before && isPausing(form, before)) return;
      if (before && before.jobServerId !== job.jobServerId) throw new ApiError(jobProblems.serverImmutable, {}, { field: 'jobServerId' });
      const server = await servers.find({ id: job.jobServerId });
      if (!server) throw new ApiError(jobProblems.noServer, {}, { field: 'jobServerId' });
      const isRemote = server.engine === engineTypes.powerJob;
      if (!isRemote) assertPermitted(job, jobs);
      assertValidJob(job, {
        jobs,
        tenantId: db.scope?.tenantId ?? '',
        zone: await databaseZone(db),
        now: await databaseNow(db),
        isOnPowerJob: isRemote,
        allowsExternal: await parameters.flag(externalProcessors),
      });
      if (before && movesSecret(job, before) && !form.jobSecret && (await rows.decrypt(before.id, 'jobSecret')))
        throw new ApiError(jobProblems.secretRequired, {}, { field: 'jobSecret' });
      await assertValidWorkflow(job);
      await assertValidAlert(form, before);
    },
    async beforeRemove(removed) {
      for (const { id, jobName } of removed) if (await isNode(id)) throw new ApiError(jobProblems.inWorkflow, { name: jobName });
    },
    saved: async (job) => {
      if (!(await isOnPowerJob(servers, job.jobServerId))) await schedules.schedule(job);
    },
    removed: async (removed) => {
      for (const { id } of removed) await schedules.unschedule(id);
    },
  });
  return rows;
}
