import { and, eq, sql } from 'drizzle-orm';
import { ApiError, EgressError, idArray, notDeleted, queryRows, type Repository, repositoryOf, type ServerContext, tableOf } from '#server';
import type { FormOf } from '#shared/contract';
import { engines, externalProcessors, JobInfo, type JobInfoRow, JobServer, type JobServerRow, JobWorkflow, jobProblems } from '../contract.ts';
import { alertTemplates } from './alert-templates.ts';
import { databaseNow, databaseZone } from './clock.ts';
import { refuseWrongJob } from './job-rules.ts';
import type { JobPluginContext } from './paused-jobs.ts';
import { addressesOf } from './powerjob/client.ts';
import type { Schedules } from './schedules.ts';

const infos = tableOf(JobInfo);
const workflows = tableOf(JobWorkflow);

/** Repository of applications; one that still has jobs cannot be deleted. */
export const serversOf = ({ db, egress }: Pick<ServerContext, 'db' | 'egress'>): Repository<typeof JobServer> =>
  repositoryOf(db, JobServer, {
    unique: [{ fields: ['jobAppName'], problem: jobProblems.appTaken }],
    complete(form, { before }) {
      const connection = (['jobServerUrl', 'jobAppPassword'] as const).find((name) => form[name]);
      const engine = before?.engine ?? form.engine ?? (connection ? engines.powerJob : engines.embedded);
      // The built-in engine has no connection settings; refusing them is clearer than dropping them silently.
      if (engine === engines.embedded && connection) throw new ApiError(jobProblems.noConnection, {}, { field: connection });
      return before ? {} : { engine };
    },
    beforeSave(form: FormOf<typeof JobServer>, before) {
      if (before && form.engine !== undefined && form.engine !== before.engine) throw new ApiError(jobProblems.engineFixed, {}, { field: 'engine' });
      if (form.jobServerUrl) refuseWrongAddress(egress, form.jobServerUrl);
      // Otherwise a user who may edit the row could have the stored password sent to another address.
      if (before?.engine === engines.powerJob && isElsewhere(form, before) && !form.jobAppPassword)
        throw new ApiError(jobProblems.passwordAgain, {}, { field: 'jobAppPassword' });
    },
    async beforeRemove(rows) {
      const ids = idArray(rows.map(({ id }) => id));
      const isUsed = and(sql`${infos.jobServerId} = any(${ids})`, notDeleted(infos));
      const used = await db.sql.select({ id: infos.id }).from(infos).where(isUsed).limit(1);
      if (used.length > 0) throw new ApiError(jobProblems.appInUse);
    },
  });

const isElsewhere = (form: Partial<JobServerRow>, before: JobServerRow) =>
  (['jobServerUrl', 'jobAppName', 'signIn'] as const).some((name) => name in form && form[name] !== before[name]);

function refuseWrongAddress(egress: ServerContext['egress'], text: string, field = 'jobServerUrl'): void {
  const addresses = field === 'jobServerUrl' ? addressesOf(text) : [new URL(text)];
  if (!addresses) throw new ApiError(jobProblems.wrongAddress, {}, { field });
  try {
    for (const address of addresses) egress.check(address);
  } catch (error) {
    throw new ApiError(jobProblems.privateAddress, {}, { field, cause: error instanceof EgressError ? error : undefined });
  }
}

/** Repository of jobs. Each write reschedules the job from now on; jobs of PowerJob are scheduled there. */
export function jobsOf(
  { db, jobs, parameters, egress, sms }: Pick<JobPluginContext, 'db' | 'jobs' | 'parameters' | 'egress' | 'sms'>,
  servers: Repository<typeof JobServer>,
  schedules: Schedules,
): Repository<typeof JobInfo> {
  const refuseWrongAlert = async ({ alertSms, alertUrl, alertSecret }: FormOf<typeof JobInfo>, before: JobInfoRow | undefined) => {
    if (alertSms && alertSms !== before?.alertSms && !(await alertTemplates(sms, db.scope?.tenantId ?? '')).some(({ code }) => code === alertSms))
      throw new ApiError(jobProblems.noTemplate, {}, { field: 'alertSms' });
    if (!alertUrl) return;
    refuseWrongAddress(egress, alertUrl, 'alertUrl');
    if (!alertSecret && !(before && (await rows.decrypt(before.id, 'alertSecret')))) throw new ApiError(jobProblems.lacksSecret, {}, { field: 'alertSecret' });
  };
  const isNode = async (id: string) => {
    const node = JSON.stringify({ nodes: [{ jobInfoId: id }] });
    return (await queryRows(db, sql`select from job_workflow where is_deleted = 0 and dag @> ${node}::jsonb limit 1`)).length > 0;
  };
  const refuseWrongWorkflow = async ({ id, workflowId, jobServerId }: JobInfoRow) => {
    if (!workflowId) return;
    const field = 'workflowId';
    const isThere = and(eq(workflows.id, workflowId), eq(workflows.jobServerId, jobServerId), notDeleted(workflows));
    const workflowRows = await db.sql.select({ id: workflows.id }).from(workflows).where(isThere);
    if (workflowRows.length === 0) throw new ApiError(jobProblems.noWorkflow, {}, { field });
    if (id && (await isNode(id))) throw new ApiError(jobProblems.nodeStartsNone, {}, { field });
  };
  const isOnPowerJob = async ({ jobServerId }: Pick<JobInfoRow, 'jobServerId'>) => (await servers.find({ id: jobServerId }))?.engine === engines.powerJob;
  const rows: Repository<typeof JobInfo> = repositoryOf(db, JobInfo, {
    async beforeSave(form, before) {
      const job = { ...before, ...form } as JobInfoRow;
      if (before && before.jobServerId !== job.jobServerId) throw new ApiError(jobProblems.serverFixed, {}, { field: 'jobServerId' });
      const server = await servers.find({ id: job.jobServerId });
      if (!server) throw new ApiError(jobProblems.noServer, {}, { field: 'jobServerId' });
      refuseWrongJob(job, {
        jobs,
        tenantId: db.scope?.tenantId ?? '',
        zone: await databaseZone(db),
        now: await databaseNow(db),
        isElsewhere: server.engine === engines.powerJob,
        mayLoad: await parameters.flag(externalProcessors),
      });
      await refuseWrongWorkflow(job);
      await refuseWrongAlert(form, before);
    },
    async beforeRemove(gone) {
      for (const { id, jobName } of gone) if (await isNode(id)) throw new ApiError(jobProblems.inWorkflow, { name: jobName });
    },
    saved: async (job) => {
      if (!(await isOnPowerJob(job))) await schedules.schedule(job);
    },
    removed: async (gone) => {
      for (const { id } of gone) await schedules.unschedule(id);
    },
  });
  return rows;
}
