import { sql } from 'drizzle-orm';
import { ApiError, queryRows, type Repository } from '#server';
import { engineTypes, type JobInfo, type JobServer, type JobServerRow, jobProblems } from '../contract.ts';
import type { Alerts } from './alerts.ts';
import { databaseZone } from './clock.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import type { JobEngine } from './job-engine.ts';
import type { JobPluginContext } from './paused-jobs.ts';
import { PowerJobClient } from './powerjob/client.ts';
import { RunMirror } from './powerjob/mirror.ts';
import { PowerJobEngine } from './powerjob/powerjob-engine.ts';
import { PowerJobServer } from './powerjob/powerjob-server.ts';
import type { JobRuns } from './runs.ts';

const pollSeconds = 10;
const maxCatchUpMs = 24 * 3600 * 1000;

interface PolledServer {
  readonly id: string;
  readonly tenantId: string;
  readonly since: number;
}

/** Repositories and engines that the routes of jobs use. */
export interface JobRouteDeps {
  readonly servers: Repository<typeof JobServer>;
  readonly jobs: Repository<typeof JobInfo>;
  readonly engines: Engines;
}

/** Returns the engine of each application. */
export class Engines {
  private readonly runs: JobRuns;
  private readonly mirror: RunMirror;
  private readonly clients = new Map<string, { readonly key: string; readonly client: PowerJobClient }>();

  constructor(
    private readonly context: Pick<JobPluginContext, 'db' | 'egress' | 'systemLog' | 'jobs'>,
    private readonly servers: Repository<typeof JobServer>,
    { runs, alerts }: { readonly runs: JobRuns; readonly alerts: Alerts },
    private readonly timeoutMs?: number,
  ) {
    this.runs = runs;
    this.mirror = new RunMirror(context.db, alerts);
  }

  /** Returns the engine of an application of the tenant. */
  async of(tenantId: string, serverId: string): Promise<JobEngine> {
    const row = await this.context.db.read({ tenantId }, () => this.servers.find({ id: serverId }));
    if (!row) throw new ApiError(jobProblems.noServer, {}, { field: 'jobServerId' });
    if (row.engine === engineTypes.embedded) return new EmbeddedEngine(this.context, this.runs, tenantId);
    return new PowerJobEngine(this.context.db, await this.connect(tenantId, row), this.mirror, { tenantId, serverId });
  }

  /** Returns the PowerJob server of an application of the tenant. */
  async powerJob(tenantId: string, serverId: string): Promise<PowerJobServer> {
    const row = await this.context.db.read({ tenantId }, () => this.servers.detail(serverId));
    if (row.engine !== engineTypes.powerJob) throw new ApiError(jobProblems.nothingToSync);
    return this.connect(tenantId, row);
  }

  /** Updates the runs of PowerJob servers; each server is polled by one replica at a time. */
  async poll(): Promise<void> {
    const { db, systemLog } = this.context;
    const due = await db.asPlatform('queries PowerJob servers of all tenants for their runs', () =>
      queryRows<PolledServer>(
        db,
        sql`with due as (select id, mirrored_at from job_server where engine = ${engineTypes.powerJob} and is_deleted <> 1
              and coalesce(mirrored_at, '-infinity') < clock_timestamp() - make_interval(secs => ${pollSeconds}) for update skip locked)
            update job_server s set mirrored_at = clock_timestamp() from due where s.id = due.id
            returning s.id::text as id, s.tenant_id as "tenantId", coalesce(extract(epoch from due.mirrored_at) * 1000, 0)::float8 as since`,
      ),
    );
    await Promise.all(
      due.map(({ id, tenantId, since }) =>
        this.powerJob(tenantId, id)
          .then((server) => this.mirror.poll(id, server, Math.max(0, since - maxCatchUpMs)))
          .catch((error) => systemLog.log({ level: 'warn', event: 'job:powerjob-unheard', data: { server: id, reason: String(error) } })),
      ),
    );
  }

  /** Reuses the client of a server, with its sign-in, until the connection settings change. */
  private async connect(tenantId: string, row: JobServerRow): Promise<PowerJobServer> {
    const { db, egress } = this.context;
    const { password, zone } = await db.read({ tenantId }, async () => ({
      password: (await this.servers.decrypt(row.id, 'jobAppPassword')) ?? '',
      zone: await databaseZone(db),
    }));
    const address = { url: row.jobServerUrl ?? '', appName: row.jobAppName, password, signIn: row.signIn };
    const key = JSON.stringify(address);
    const existing = this.clients.get(row.id);
    const client = existing?.key === key ? existing.client : new PowerJobClient(egress, address, this.timeoutMs);
    this.clients.set(row.id, { key, client });
    return new PowerJobServer(client, zone);
  }
}
