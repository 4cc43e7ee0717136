import { sql } from 'drizzle-orm';
import { queryRows, type ServerContext } from '#server';
import { runStates, runTriggers } from '../../run-contract.ts';
import type { Alerts } from '../alerts.ts';
import type { PowerJobRun, PowerJobServer } from './powerjob-server.ts';

const pageSize = 100;
const maxPages = 20;
const maxOpen = 50;
const openStates = sql.raw([runStates.waiting, runStates.dispatched, runStates.running].join(','));
const timestampOf = (name: string) => sql.raw(`to_timestamp(r.${name} / 1000)`);

/** Copies the runs of PowerJob servers to local rows. */
export class RunMirror {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly alerts: Alerts,
  ) {}

  /** Records a run that a user has started; returns the id of its local row. */
  async recordStarted(jobInfoId: string, engineInstanceId: string, instanceParams: string | null): Promise<string> {
    const { db } = this;
    const [row] = await db.asPlatform('copies runs from PowerJob servers for all tenants', () =>
      queryRows<{ id: string }>(
        db,
        sql`insert into job_instance (tenant_id, job_info_id, state, trigger, expected_time, job_params, instance_params, engine_instance_id)
            select tenant_id, id, ${runStates.waiting}, ${runTriggers.manual}, clock_timestamp(), job_params, ${instanceParams}, ${engineInstanceId} from job_info where id = ${jobInfoId}
            on conflict (job_info_id, engine_instance_id, tenant_id) where engine_instance_id is not null do update set trigger = excluded.trigger returning id::text as id`,
      ),
    );
    return row?.id ?? '';
  }

  /** Stores the reported state of runs and sends each failure alert once. Unknown runs from before `since` were deleted here. Returns the number of changed runs. */
  async store(serverId: string, runs: readonly PowerJobRun[], since = 0): Promise<number> {
    const { db } = this;
    if (runs.length === 0) return 0;
    const runsJson = JSON.stringify(runs.map(storedValuesOf));
    return db.asPlatform('copies runs from PowerJob servers for all tenants', async () => {
      const changed = await queryRows<{ id: string; jobInfoId: string; state: number; before: number | null; result: string }>(
        db,
        sql`with reported as (
              select r.*, j.id as job_info_id, j.tenant_id, i.state as before
              from jsonb_to_recordset(${runsJson}::jsonb) as r(id text, "jobId" bigint, state integer, result text, "jobParams" text, "instanceParams" text,
                expected float8, started float8, ended float8, worker text, times integer)
              join job_info j on j.job_id = r."jobId" and j.job_server_id = ${serverId} and j.is_deleted = 0
              left join job_instance i on i.job_info_id = j.id and i.engine_instance_id = r.id
              where i.id is not null or coalesce(r.expected, 0) >= ${since}::float8),
            stored as (
              insert into job_instance as i (tenant_id, job_info_id, state, trigger, expected_time, start_time, began_at, end_time, duration, running_times, worker, result, job_params,
                instance_params, engine_instance_id)
              select r.tenant_id, r.job_info_id, r.state, ${runTriggers.schedule}, coalesce(${timestampOf('expected')}, clock_timestamp()), ${timestampOf('started')}, ${timestampOf('started')},
                ${timestampOf('ended')}, least(2147483647, r.ended - r.started)::integer, coalesce(r.times, 1), left(r.worker, 255), r.result, r."jobParams", r."instanceParams", r.id
              from reported r
              on conflict (job_info_id, engine_instance_id, tenant_id) where engine_instance_id is not null do update set state = excluded.state, expected_time = excluded.expected_time,
                start_time = excluded.start_time, began_at = excluded.began_at, end_time = excluded.end_time, duration = excluded.duration, running_times = excluded.running_times,
                worker = excluded.worker, result = excluded.result
                where (i.state, i.running_times, coalesce(i.worker, '')) is distinct from (excluded.state, excluded.running_times, coalesce(excluded.worker, ''))
              returning id, job_info_id, engine_instance_id, state, result)
            select s.id::text as id, s.job_info_id::text as "jobInfoId", s.state, r.before, coalesce(s.result, '') as result
            from stored s join reported r on r.job_info_id = s.job_info_id and r.id = s.engine_instance_id`,
      );
      for (const { id, jobInfoId, state, before, result } of changed)
        if (state === runStates.failed && before !== runStates.failed) await this.alerts.recordFailure(jobInfoId, id, result);
      return changed.length;
    });
  }

  /** Updates the runs of one server: reads pages until one has no change, then the open local runs that were on none of them. */
  async poll(serverId: string, server: PowerJobServer, since: number): Promise<void> {
    const listedIds = new Set<string>();
    for (let index = 0; index < maxPages; index += 1) {
      const { data = [], totalPages = 0 } = await server.runs(index, pageSize);
      for (const { instanceId } of data) listedIds.add(String(instanceId));
      const changes = await this.store(serverId, data, since);
      if (index + 1 >= totalPages || changes === 0) break;
    }
    for (const id of await this.openRuns(serverId)) if (!listedIds.has(id)) await this.store(serverId, [await server.runInfo(id)]);
  }

  private async openRuns(serverId: string): Promise<string[]> {
    const { db } = this;
    const rows = await db.asPlatform('copies runs from PowerJob servers for all tenants', () =>
      queryRows<{ id: string }>(
        db,
        sql`select i.engine_instance_id as id from job_instance i join job_info j on j.id = i.job_info_id
            where j.job_server_id = ${serverId} and i.engine_instance_id is not null and i.state in (${openStates}) order by i.id limit ${maxOpen}`,
      ),
    );
    return rows.map(({ id }) => id);
  }
}

/** Converts a run to the fields that are stored here. */
const storedValuesOf = (run: PowerJobRun) => ({
  id: String(run.instanceId),
  jobId: run.jobId,
  state: run.status,
  result: (run.result ?? '').slice(0, 2000),
  jobParams: run.jobParams ?? null,
  instanceParams: run.instanceParams ?? null,
  expected: run.expectedTriggerTime ?? run.actualTriggerTime ?? null,
  started: run.actualTriggerTime || null,
  ended: run.finishedTime || null,
  worker: run.taskTrackerAddress ?? null,
  times: run.runningTimes ?? 1,
});
