import { hostname } from 'node:os';
import { type SQL, sql } from 'drizzle-orm';
import { type MadeBackup, queryRows, type ServerContext } from '#server';
import { type BackupRun, backupDays, backupHour, backupSchedule } from '../contract.ts';

const leaseSeconds = 120;
/** Time after which a failed backup is tried again. */
const retryMinutes = 60;
const keptDays = 365;

/** A backup that this server is to make. */
export interface ClaimedRun {
  readonly id: string;
  /** Planned time, as the database writes it. */
  readonly plannedAt: string;
  /** True if a user has requested it; its result is shown on the health screen. */
  readonly isRequested: boolean;
}

/** Result of a run: a backup, or the reason why there is none. */
export type RunResult = { readonly backup: MadeBackup } | { readonly problem: string; readonly isInterrupted: boolean };

/** Result of a run whose server has stopped. */
export const interruptedRun = { problem: 'The server stopped during the backup.', isInterrupted: true } as const;

/** Rows of scheduled backups: the plan, the lease of the server that makes one, and the results. */
export class BackupRuns {
  constructor(private readonly context: Pick<ServerContext, 'db' | 'parameters'>) {}

  /** Ends the runs of servers that no longer renew their lease and returns them, part of the current transaction. */
  expire(): Promise<Omit<ClaimedRun, 'plannedAt'>[]> {
    return queryRows(
      this.context.db,
      sql`update backup_run set end_time = lease_until, lease_until = null, problem = ${interruptedRun.problem}, is_interrupted = true
          where lease_until < clock_timestamp() returning id::text as id, requested_by is not null as "isRequested"`,
    );
  }

  /** Requests a backup of the next server that makes backups; false if one is waiting or being made. Part of the current transaction. */
  async request(userId: string, isVerified: boolean): Promise<boolean> {
    const { db } = this.context;
    const requested = await queryRows(
      db,
      sql`insert into backup_run (server, is_verified, requested_by) select '', ${isVerified}, ${userId}
          where not exists (select from backup_run where end_time is null) returning id`,
    );
    return requested.length > 0;
  }

  /** Claims a requested or the planned backup for this server; undefined if it was made, is being made, or failed less than an hour ago. Part of the current transaction. */
  async claim(plannedAt: string, isVerified: boolean): Promise<ClaimedRun | undefined> {
    const { db } = this.context;
    const lease = sql`clock_timestamp() + make_interval(secs => ${leaseSeconds})`;
    const [requested] = await queryRows<{ id: string }>(
      db,
      sql`update backup_run set server = ${hostname()}, start_time = clock_timestamp(), lease_until = ${lease}
          where id = (select min(id) from backup_run where end_time is null and lease_until is null) and not exists (select from backup_run where lease_until is not null)
          returning id::text as id`,
    );
    if (requested) return { id: requested.id, plannedAt, isRequested: true };
    const [run] = await queryRows<{ id: string }>(
      db,
      sql`insert into backup_run (server, is_verified, lease_until) select ${hostname()}, ${isVerified}, ${lease}
          where not exists (
            select from backup_run where end_time is null or start_time >= ${plannedAt}::timestamptz
              and (problem is null or requested_by is null and end_time > clock_timestamp() - make_interval(mins => ${retryMinutes})))
          returning id::text as id`,
    );
    return run && { id: run.id, plannedAt, isRequested: false };
  }

  /** Returns false if the run belongs to this server no longer. */
  async renew({ id }: Pick<ClaimedRun, 'id'>): Promise<boolean> {
    const { db } = this.context;
    const renewed = await db.asPlatform('backups contain the whole database', () =>
      queryRows(
        db,
        sql`update backup_run set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}) where id = ${id} and lease_until is not null returning id`,
      ),
    );
    return renewed.length > 0;
  }

  /** Stores the result, part of the current transaction. */
  async finish({ id }: ClaimedRun, result: RunResult): Promise<void> {
    const { db } = this.context;
    if ('problem' in result) {
      await db.sql.execute(
        sql`update backup_run set lease_until = null, end_time = clock_timestamp(), problem = ${result.problem}, is_interrupted = ${result.isInterrupted} where id = ${id}`,
      );
      return;
    }
    const { path, bytes, tables, files } = result.backup;
    const rows = Object.values(tables).reduce((sum, one) => sum + one.rows, 0);
    await db.sql.execute(
      sql`update backup_run set lease_until = null, end_time = clock_timestamp(), problem = null, path = ${path}, bytes = ${bytes}, row_count = ${rows},
            file_count = ${files.count}, missing_count = ${files.missing} where id = ${id}`,
    );
    await db.sql.execute(sql`delete from backup_run where start_time < now() - make_interval(days => ${keptDays})`);
  }

  /** Marks a run whose problem is reported to administrators; false if this planned backup was reported before, or if a first interruption may be a restart. Part of the current transaction. */
  async markAlerted({ id, plannedAt }: ClaimedRun): Promise<boolean> {
    const { db } = this.context;
    const marked = await queryRows(
      db,
      sql`update backup_run r set is_alerted = true where id = ${id}
            and not exists (select from backup_run where start_time >= ${plannedAt}::timestamptz and is_alerted)
            and (not r.is_interrupted or exists (
              select from backup_run before where before.problem is not null and before.id = (select max(id) from backup_run where id < r.id)))
          returning id`,
    );
    return marked.length > 0;
  }

  /** Returns the last time at which a backup was to begin, in the time zone of the deployment. */
  async plannedAt(): Promise<string> {
    return (await this.plan()).last;
  }

  /** Returns the last time at which a backup was to begin, and the next one as it is shown. */
  async plan(): Promise<{ readonly last: string; readonly next: string }> {
    const { db, parameters } = this.context;
    const days = await parameters.text(backupSchedule);
    const numbers = days in backupDays ? backupDays[days as keyof typeof backupDays] : backupDays.daily;
    const hour = await parameters.integer(backupHour);
    const [row] = await db.asPlatform('backups contain the whole database', () =>
      queryRows<{ last: string; next: string }>(
        db,
        sql`select (max(time) filter (where time <= localtimestamp))::timestamptz::text as last,
              to_char(min(time) filter (where time > localtimestamp), 'YYYY-MM-DD HH24:MI:SS') as next
            from (
              select day + make_interval(hours => ${hour}) as time from generate_series(current_date - 7, current_date + 8, interval '1 day') day
              where extract(isodow from day)::text = any(string_to_array(${numbers.join(',')}, ','))) planned`,
      ),
    );
    return row ?? { last: '', next: '' };
  }

  /** Lists the latest runs, newest first. */
  async latest(count: number): Promise<BackupRun[]> {
    const { db } = this.context;
    const text = (time: SQL) => sql`to_char(${time}, 'YYYY-MM-DD HH24:MI:SS')`;
    const rows = await db.asPlatform('backups contain the whole database', () =>
      queryRows<Omit<BackupRun, 'problem' | 'bytes' | 'missing'> & { problem: string | null; bytes: number | null; missing: number | null }>(
        db,
        sql`select id::text as id, server, ${text(sql`start_time`)} as "startTime",
              extract(epoch from coalesce(end_time, clock_timestamp()) - start_time)::float8 as seconds,
              case when end_time is null then case when lease_until is null then 'waiting' else 'running' end when problem is null then 'made' else 'failed' end as state,
              requested_by is not null as "isRequested", is_verified as "isVerified", problem, bytes::float8 as bytes, missing_count::integer as missing
            from backup_run order by id desc limit ${count}`,
      ),
    );
    return rows.map(({ problem, bytes, missing, ...row }) => ({ ...row, problem: problem ?? '', bytes: bytes ?? 0, missing: missing ?? 0 }));
  }
}
