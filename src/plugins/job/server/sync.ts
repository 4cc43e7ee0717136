import { eq } from 'drizzle-orm';
import { ApiError, type PluginRoute, problems, type Repository, route, type ServerContext } from '#server';
import { type Language, localize } from '#shared/text';
import { type JobDifference, type JobInfo, type JobInfoRow, type JobServer, jobServer, engines as kinds, type SyncDirection } from '../contract.ts';
import type { Engines } from './engines.ts';
import { type CarriedJob, differing, jobFrom, onlyHere, type PowerJobJob } from './powerjob/job-wire.ts';
import type { PowerJobServer } from './powerjob/powerjob-server.ts';

interface JobSyncDeps {
  readonly servers: Repository<typeof JobServer>;
  readonly jobs: Repository<typeof JobInfo>;
  readonly engines: Engines;
}

/** Job that exists on one side or both. */
interface Pair {
  readonly here?: JobInfoRow;
  readonly there?: PowerJobJob;
}

interface ComparedJob extends Pair {
  readonly key: string;
  readonly name: string;
  readonly kind: JobDifference['kind'];
  readonly fields: JobDifference['fields'];
  /** Reason the PowerJob job cannot be imported. */
  readonly unsupported: ApiError | undefined;
}

interface SyncContext extends Pick<ServerContext, 'db'>, Pick<JobSyncDeps, 'jobs'> {}

/** An application with its PowerJob server. */
interface SyncTarget {
  readonly tenantId: string;
  readonly serverId: string;
  readonly server: PowerJobServer;
}

/** Serves comparing the jobs of an application with its PowerJob server. Differences are resolved one by one, and a failure does not prevent the others. */
export function syncRoutes({ db }: Pick<ServerContext, 'db'>, { servers, jobs, engines }: JobSyncDeps): PluginRoute[] {
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
        const settleAll = async (serverId: string) => {
          const target = await targetOf(tenantId, serverId);
          const found = await compare(context, target);
          const selected =
            id && choices ? new Map(choices.map(({ key, way: direction }) => [key, direction])) : new Map(found.map((one) => [one.key, defaultDirection(one)]));
          for (const one of found) {
            const way = selected.get(one.key);
            if (!way) continue;
            selected.delete(one.key);
            const reason = await settle(context, target, one, way).then(
              () => undefined,
              (error: unknown) => reasonOf(error, language),
            );
            if (reason === undefined) outcome.done += 1;
            else outcome.failed.push({ name: one.name, reason });
          }
          // A selected difference that no longer exists was resolved by someone else meanwhile.
          for (const key of selected.keys()) outcome.failed.push({ name: key, reason: localize(problems.conflict.message, language) });
        };
        if (id) await settleAll(id);
        else
          for (const one of await db.read({ tenantId }, () => servers.list(eq(servers.table.engine, kinds.powerJob))))
            await settleAll(one.id).catch((error: unknown) => outcome.failed.push({ name: one.jobServerName, reason: reasonOf(error, language) }));
        return outcome;
      },
      { manualTransactions: true, aliases: ['/api/blade-job/job-info/sync'] },
    ),
  ];
}

async function compare({ db, jobs }: SyncContext, { tenantId, serverId, server }: SyncTarget): Promise<ComparedJob[]> {
  const [here, there] = [await db.read({ tenantId }, () => jobs.list(eq(jobs.table.jobServerId, serverId))), await server.jobs()];
  const byNumber = new Map(there.map((one) => [Number(one.id), one]));
  const pairs: Pair[] = here.map((one) => ({
    here: one,
    ...(one.jobId !== null && byNumber.has(one.jobId) ? { there: byNumber.get(one.jobId) as PowerJobJob } : {}),
  }));
  const localJobIds = new Set(here.map(({ jobId }) => jobId));
  for (const one of there) if (!localJobIds.has(Number(one.id))) pairs.push({ there: one });
  return pairs.flatMap((pair) => comparedOf(pair, server.zone));
}

/** Applies one side of a difference to the other. */
async function settle({ db, jobs }: SyncContext, { tenantId, serverId, server }: SyncTarget, one: ComparedJob, direction: SyncDirection): Promise<void> {
  const { here, there, unsupported } = one;
  if (direction === 'push' && here) {
    const jobId = await server.save(here, there ? Number(there.id) : null);
    await db.write({ tenantId }, async () => db.sql.update(jobs.table).set({ jobId }).where(eq(jobs.table.id, here.id)));
  } else if (direction === 'push') await server.remove(Number(there?.id));
  else if (!there) await db.write({ tenantId }, () => jobs.remove([here?.id ?? '']));
  else {
    if (unsupported) throw unsupported;
    // The job is read again, because the comparison may be minutes old.
    const remoteJob = jobFrom(await server.job(Number(there.id)), server.zone);
    await db.write({ tenantId }, async () => {
      const row = await jobs.save(here ? { ...remoteJob, id: here.id } : { ...remoteJob, ...onlyHere, jobServerId: serverId });
      await db.sql
        .update(jobs.table)
        .set({ jobId: Number(there.id) })
        .where(eq(jobs.table.id, row.id));
    });
  }
}

const defaultDirection = ({ kind }: ComparedJob): SyncDirection => (kind === 'there' ? 'pull' : 'push');

function comparedOf(pair: Pair, zone: string): ComparedJob[] {
  const { here, there } = pair;
  const name = here?.jobName ?? there?.jobName ?? '';
  const key = here ? `here:${here.id}` : `there:${there?.id}`;
  const read = there && readable(there, zone);
  const unsupported = read instanceof ApiError ? read : undefined;
  if (!here || !there) return [{ ...pair, key, name, kind: here ? 'here' : 'there', fields: [], unsupported }];
  const fields = read && !(read instanceof ApiError) ? differing(here, read) : [];
  return fields.length > 0 || unsupported ? [{ ...pair, key, name, kind: 'differs', fields, unsupported }] : [];
}

function readable(there: PowerJobJob, zone: string): CarriedJob | ApiError {
  try {
    return jobFrom(there, zone);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function reasonOf(error: unknown, language: Language): string {
  if (error instanceof ApiError) return error.text(language);
  throw error;
}
