import { sql } from 'drizzle-orm';
import { type Processors, queryRows, type ServerContext } from '#server';
import { type JobInfoRow, misfirePolicies, scheduleTypes } from '../contract.ts';
import { databaseNow, databaseZone, timestampOf } from './clock.ts';
import { firesUntil, nextFire, type Schedule } from './fires.ts';
import { limitIdleTransactions } from './limit-idle-transactions.ts';
import { isNotPaused } from './paused-jobs.ts';
import type { JobRuns, RunRequest } from './runs.ts';

/** Schedule that is due. */
interface DueSchedule extends Schedule {
  readonly jobInfoId: string;
  readonly due: number;
  readonly misfire: number;
}

const batchSize = 500;
/** Delay in milliseconds after which a scheduled time counts as missed. */
const missedAfterMs = 60_000;

/** Fires schedules by the database's clock. Replicas can do so concurrently: a schedule advances in the transaction that creates its run, so each time yields one run. */
export class Schedules {
  constructor(
    private readonly db: ServerContext['db'],
    private readonly runs: JobRuns,
    private readonly jobs: Pick<Processors, 'paused'>,
  ) {}

  /** Schedules a job from now on; a disabled job or one without a schedule gets no next time. Takes part in the current transaction. */
  async schedule(job: JobInfoRow): Promise<void> {
    const { db } = this;
    const zone = await databaseZone(db);
    const [lifetime] = await queryRows<{ from: number | null; until: number | null }>(
      db,
      sql`select ${lifecycleBound(sql`${job.lifecycle ?? null}::text`, 1)} as "from", ${lifecycleBound(sql`${job.lifecycle ?? null}::text`, 2)} as "until"`,
    );
    const timing = { ...job, from: lifetime?.from ?? undefined, until: lifetime?.until ?? undefined };
    const next = job.enable === 1 ? nextFire(timing, await databaseNow(db), zone) : undefined;
    if (next === undefined) return this.unschedule(job.id);
    await queryRows(
      db,
      sql`insert into job_schedule (job_info_id, tenant_id, next_fire) select id, tenant_id, ${timestampOf(next)} from job_info where id = ${job.id}
          on conflict (job_info_id, tenant_id) do update set next_fire = excluded.next_fire`,
    );
  }

  async unschedule(id: string): Promise<void> {
    await queryRows(this.db, sql`delete from job_schedule where job_info_id = ${id}`);
  }

  /** Fires due schedules; true when more may be due. */
  async fireDue(): Promise<boolean> {
    const { db } = this;
    return db.asPlatform('finds due schedules of all tenants', async () => {
      await limitIdleTransactions(db);
      const due = await this.due();
      if (due.length === 0) return false;
      const now = await databaseNow(db);
      const zone = await databaseZone(db);
      const advanced = due.map((one) => ({ ...one, ...firesToRun(one, now, zone) }));
      await this.runs.create(advanced.flatMap(({ jobInfoId, fires }): RunRequest[] => fires.map((fireTime) => ({ jobInfoId, fireTime }))));
      const next = JSON.stringify(advanced.map(({ jobInfoId, next }) => ({ id: jobInfoId, next: next ?? null })));
      await queryRows(
        db,
        sql`with moved as (select * from jsonb_to_recordset(${next}::jsonb) as m(id bigint, next float8)),
              removed as (delete from job_schedule s using moved m where s.job_info_id = m.id and m.next is null)
            update job_schedule s set next_fire = to_timestamp(m.next / 1000) from moved m where s.job_info_id = m.id and m.next is not null`,
      );
      return due.length === batchSize;
    });
  }

  /** Starts the delay of a fixed-delay job after its run has ended. Takes part in the current transaction. */
  async afterRun(jobInfoId: string): Promise<void> {
    await queryRows(
      this.db,
      sql`insert into job_schedule (job_info_id, tenant_id, next_fire)
          select id, tenant_id, clock_timestamp() + make_interval(secs => time_expression::float8 / 1000) from job_info
          where id = ${jobInfoId} and enable = 1 and is_deleted = 0 and time_expression_type = ${scheduleTypes.fixedDelay}
            and (coalesce(lifecycle, '') = '' or clock_timestamp() < split_part(lifecycle, ',', 2)::timestamptz)
          on conflict do nothing`,
    );
  }

  private due(): Promise<DueSchedule[]> {
    return queryRows<DueSchedule>(
      this.db,
      sql`select s.job_info_id::text as "jobInfoId", (extract(epoch from s.next_fire) * 1000)::float8 as due, j.misfire,
            j.time_expression_type as "timeExpressionType", j.time_expression as "timeExpression",
            ${lifecycleBound(sql`j.lifecycle`, 1)} as "from", ${lifecycleBound(sql`j.lifecycle`, 2)} as "until"
          from job_schedule s join job_info j on j.id = s.job_info_id
          where s.next_fire <= clock_timestamp() and ${isNotPaused(this.jobs, sql`s.tenant_id`, sql`coalesce(j.processor_info, '')`)} order by s.next_fire limit ${batchSize} for update of s, j skip locked`,
    ).then((rows) => rows.map((row) => ({ ...row, from: row.from ?? undefined, until: row.until ?? undefined })));
  }
}

const lifecycleBound = (lifecycle: ReturnType<typeof sql>, index: 1 | 2) =>
  sql`(extract(epoch from nullif(split_part(coalesce(${lifecycle}, ''), ',', ${index}::integer), '')::timestamptz) * 1000)::float8`;

/** Selects the past times to fire: recent ones always, missed ones according to the misfire policy of the job. */
function firesToRun(one: DueSchedule, now: number, zone: string): { fires: number[]; next: number | undefined } {
  // With a fixed delay the next time is known only after the run has ended.
  if (one.timeExpressionType === scheduleTypes.fixedDelay) return { fires: [one.due], next: undefined };
  const { fires, next } = firesUntil(one, one.due, now, zone);
  const missed = fires.filter((fire) => fire < now - missedAfterMs);
  const recent = fires.slice(missed.length);
  if (one.misfire === misfirePolicies.all) return { fires, next };
  const last = missed.at(-1);
  return { fires: one.misfire === misfirePolicies.once && last !== undefined && recent.length === 0 ? [last] : recent, next };
}
