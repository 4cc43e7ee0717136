import { eq } from 'drizzle-orm';
import { ApiError, type PluginRoute, problems, route, type ServerContext } from '#server';
import { type Language, localize } from '#shared/text';
import { engineTypes, type JobDifference, type JobInfoRow, jobServer, type SyncDirection } from '../contract.ts';
import type { JobRouteDeps } from './engines.ts';
import { differencesOf, importedJob, localDefaults, type PowerJobJob, type SyncedJob } from './powerjob/job-wire.ts';
import type { PowerJobServer } from './powerjob/powerjob-server.ts';

/** Job that exists on one side or both. */
interface JobPair {
  readonly local?: JobInfoRow;
  readonly remote?: PowerJobJob;
}

interface ComparedJob extends JobPair {
  readonly key: string;
  readonly name: string;
  readonly kind: JobDifference['kind'];
  readonly fields: JobDifference['fields'];
  /** Reason the PowerJob job cannot be imported. */
  readonly unsupported: ApiError | undefined;
}

interface SyncContext extends Pick<ServerContext, 'db'>, Pick<JobRouteDeps, 'jobs'> {}

/** An application with its PowerJob server. */
interface SyncTarget {
  readonly tenantId: string;
  readonly serverId: string;
  readonly server: PowerJobServer;
}

/** Serves comparing the jobs of an application with its PowerJob server. Differences are resolved one by one, and a failure does not prevent the others. */
export function syncRoutes({ db }: Pick<ServerContext, 'db'>, { servers, jobs, engines }: JobRouteDeps): PluginRoute[] {
  const context = { db, jobs };
  const targetOf = async (tenantId: string, serverId: string): Promise<SyncTarget> => ({
    tenantId,
    serverId,
    server: await engines.powerJob(tenantId, serverId),
  });

  return [
    route(
      jobServer.differences,
      async ({ input: { id }, principal: { tenantId }, language }) => {
        const found = await compare(context, await targetOf(tenantId, id));
        return found.map(({ key, name, kind, fields, unsupported }) => ({ key, name, kind, fields, unsupported: unsupported?.text(language) ?? '' }));
      },
      { manualTransactions: true },
    ),
    route(
      jobServer.sync,
      async ({ input: { id, choices }, principal: { tenantId }, language }) => {
        const outcome = { done: 0, failed: [] as { name: string; reason: string }[] };
        const resolveAll = async (serverId: string) => {
          const target = await targetOf(tenantId, serverId);
          const found = await compare(context, target);
          const selected = id && choices ? new Map(choices.map(({ key, way }) => [key, way])) : new Map(found.map((one) => [one.key, defaultDirection(one)]));
          for (const one of found) {
            const direction = selected.get(one.key);
            if (!direction) continue;
            selected.delete(one.key);
            const reason = await resolveDifference(context, target, one, direction).then(
              () => undefined,
              (error: unknown) => reasonOf(error, language),
            );
            if (reason === undefined) outcome.done += 1;
            else outcome.failed.push({ name: one.name, reason });
          }
          // A selected difference that no longer exists has been resolved by another user meanwhile.
          for (const key of selected.keys()) outcome.failed.push({ name: key, reason: localize(problems.conflict.message, language) });
        };
        if (id) await resolveAll(id);
        else
          for (const server of await db.read({ tenantId }, () => servers.list(eq(servers.table.engine, engineTypes.powerJob))))
            await resolveAll(server.id).catch((error: unknown) => outcome.failed.push({ name: server.jobServerName, reason: reasonOf(error, language) }));
        return outcome;
      },
      { manualTransactions: true, aliases: ['/api/blade-job/job-info/sync'] },
    ),
  ];
}

async function compare({ db, jobs }: SyncContext, { tenantId, serverId, server }: SyncTarget): Promise<ComparedJob[]> {
  const [local, remote] = [await db.read({ tenantId }, () => jobs.list(eq(jobs.table.jobServerId, serverId))), await server.jobs()];
  const byNumber = new Map(remote.map((one) => [Number(one.id), one]));
  const pairs: JobPair[] = local.map((job) => ({
    local: job,
    ...(job.jobId !== null && byNumber.has(job.jobId) ? { remote: byNumber.get(job.jobId) as PowerJobJob } : {}),
  }));
  const localJobIds = new Set(local.map(({ jobId }) => jobId));
  for (const one of remote) if (!localJobIds.has(Number(one.id))) pairs.push({ remote: one });
  return pairs.flatMap((pair) => comparedJobs(pair, server.zone));
}

/** Applies one side of a difference to the other. */
async function resolveDifference(
  { db, jobs }: SyncContext,
  { tenantId, serverId, server }: SyncTarget,
  one: ComparedJob,
  direction: SyncDirection,
): Promise<void> {
  const { local, remote, unsupported } = one;
  if (direction === 'push' && local) {
    const jobId = await server.save(local, remote ? Number(remote.id) : null);
    await db.write({ tenantId }, async () => db.sql.update(jobs.table).set({ jobId }).where(eq(jobs.table.id, local.id)));
  } else if (direction === 'push') await server.remove(Number(remote?.id));
  else if (!remote) await db.write({ tenantId }, () => jobs.remove([local?.id ?? '']));
  else {
    if (unsupported) throw unsupported;
    // The job is read again, because the comparison may be minutes old.
    const remoteJob = importedJob(await server.job(Number(remote.id)), server.zone);
    await db.write({ tenantId }, async () => {
      const row = await jobs.save(local ? { ...remoteJob, id: local.id } : { ...remoteJob, ...localDefaults, jobServerId: serverId });
      await db.sql
        .update(jobs.table)
        .set({ jobId: Number(remote.id) })
        .where(eq(jobs.table.id, row.id));
    });
  }
}

const defaultDirection = ({ kind }: ComparedJob): SyncDirection => (kind === 'there' ? 'pull' : 'push');

function comparedJobs(pair: JobPair, zone: string): ComparedJob[] {
  const { local, remote } = pair;
  const name = local?.jobName ?? remote?.jobName ?? '';
  const key = local ? `here:${local.id}` : `there:${remote?.id}`;
  const imported = remote && importable(remote, zone);
  const unsupported = imported instanceof ApiError ? imported : undefined;
  if (!local || !remote) return [{ ...pair, key, name, kind: local ? 'here' : 'there', fields: [], unsupported }];
  const fields = imported && !(imported instanceof ApiError) ? differencesOf(local, imported) : [];
  return fields.length > 0 || unsupported ? [{ ...pair, key, name, kind: 'differs', fields, unsupported }] : [];
}

function importable(remote: PowerJobJob, zone: string): SyncedJob | ApiError {
  try {
    return importedJob(remote, zone);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function reasonOf(error: unknown, language: Language): string {
  if (error instanceof ApiError) return error.text(language);
  throw error;
}
