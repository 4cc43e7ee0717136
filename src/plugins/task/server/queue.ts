import { type SQL, sql } from 'drizzle-orm';
import { hasId, idArray, type Principal, queryRows, repositoryOf, type ServerContext, visibleRows } from '#server';
import { type InputOf, maxCountedRows } from '#shared/contract';
import { type AuditCounts, type AuditItem, type audit, leaseMinutes, QueueChanged, Submission, Task, undoSeconds } from '../contract.ts';
import { duplicatesOf } from './fingerprints.ts';
import { reviewState } from './states.ts';

const presetSize = 10;

/** Leases proofs to auditors, each proof to one auditor at a time. */
export class AuditQueue {
  private readonly submissions;
  private readonly tasks;

  constructor(private readonly context: Pick<ServerContext, 'db' | 'parameters'>) {
    this.submissions = repositoryOf(context.db, Submission);
    this.tasks = repositoryOf(context.db, Task);
  }

  /**
   * Returns the auditor's leased proofs, then the oldest free ones that are not their own work. All leases are renewed for some minutes.
   * The tenant's auditors lease one after another, so that each sees the leases of the former. Proofs that are being decided are skipped.
   */
  async lease({ userId, tenantId }: Principal, { size = presetSize, taskId, except = [] }: InputOf<typeof audit.lease>): Promise<AuditItem[]> {
    const { db, parameters } = this.context;
    const minutes = await parameters.integer(leaseMinutes);
    await db.lock(`audit queue of ${tenantId}`);
    const pendingCondition = sql`${this.pendingFor(userId)} and s.id <> all(${idArray(except)}) and ${taskId ? sql`s.task_id = ${taskId}` : sql`true`}`;
    const leases = await queryRows<{ id: string; until: string }>(
      db,
      sql`with own as (
            select s.id from task_audit_lease l join task_submission s on s.id = l.submission_id where l.user_id = ${userId} and l.until > now() and ${pendingCondition}
            order by s.submit_time, s.id limit ${size}
          ), free as (
            select s.id from task_submission s where ${pendingCondition}
              and s.id not in (select l.submission_id from task_audit_lease l where l.until > now())
            order by s.submit_time, s.id limit greatest(${size}::integer - (select count(*)::integer from own), 0) for key share of s skip locked
          )
          insert into task_audit_lease as lease (submission_id, tenant_id, user_id, until)
          select s.id, s.tenant_id, ${userId}, now() + make_interval(mins => ${minutes}) from task_submission s where s.id in (select id from own union all select id from free)
          on conflict (tenant_id, submission_id) do update set user_id = excluded.user_id, until = excluded.until where lease.until <= now() or lease.user_id = excluded.user_id
          returning submission_id::text as id, to_char(until, 'YYYY-MM-DD HH24:MI:SS') as until`,
    );
    return this.items(leases);
  }

  /** Returns the proofs that `lease` would return first, without leasing them. */
  async peek({ userId }: Principal, size = presetSize): Promise<AuditItem[]> {
    const found = await queryRows<{ id: string; until: string }>(
      this.context.db,
      sql`select s.id::text as id, '' as until from task_submission s where ${this.pendingFor(userId)}
            and s.id not in (select l.submission_id from task_audit_lease l where l.until > now() and l.user_id <> ${userId})
          order by s.submit_time, s.id limit ${size}`,
    );
    return this.items(found);
  }

  async release({ userId }: Principal, ids: readonly string[]): Promise<void> {
    await this.context.db.sql.execute(sql`delete from task_audit_lease where submission_id = any(${idArray(ids)}) and user_id = ${userId}`);
  }

  async counts({ userId }: Principal): Promise<AuditCounts> {
    const { db } = this.context;
    const isVisible = visibleRows(db, 'task_submission', 's');
    const [counts] = await queryRows<AuditCounts>(
      db,
      sql`select (select count(*)::integer from (select from task_submission s where s.audit_status = ${reviewState.pending} and s.is_deleted = 0 and ${isVisible} limit ${maxCountedRows}) waiting) as pending,
            (select count(*)::integer from task_audit_lease l join task_submission s on s.id = l.submission_id where l.until > now() and l.user_id <> ${userId} and ${isVisible}) as held,
            count(*) filter (where audit_status = ${reviewState.approved})::integer as "passedToday", count(*) filter (where audit_status = ${reviewState.rejected})::integer as "rejectedToday",
            ${undoSeconds}::integer as "undoSeconds"
          from task_submission where audit_user = ${userId} and audit_time >= current_date::timestamptz and is_deleted = 0`,
    );
    return counts as AuditCounts;
  }

  /** Condition for undecided proofs `s` that the auditor sees and did not submit. */
  private pendingFor(userId: string): SQL {
    return sql`${visibleRows(this.context.db, 'task_submission', 's')} and s.audit_status = ${reviewState.pending} and s.is_deleted = 0 and s.user_id <> ${userId}`;
  }

  private async items(leases: readonly { id: string; until: string }[]): Promise<AuditItem[]> {
    if (leases.length === 0) return [];
    const ids = leases.map(({ id }) => id);
    const { table } = this.submissions;
    const rows = await this.submissions.list(hasId(table, ids), sql`${table.submitTime}, ${table.id}`);
    const tasks = await this.tasks.list(hasId(this.tasks.table, new Set(rows.map(({ taskId }) => taskId))));
    const duplicates = await duplicatesOf(this.context.db, ids);
    return rows.map((row) => {
      const task = tasks.find(({ id }) => id === row.taskId);
      return {
        ...row,
        requirement: task?.requirement ?? '',
        steps: task?.steps ?? null,
        details: task?.content ?? null,
        twins: duplicates.get(row.id) ?? [],
        leaseUntil: leases.find(({ id }) => id === row.id)?.until ?? '',
      };
    }) as AuditItem[];
  }
}

/** Notifies consoles that their queue has changed, with one message for all changes since the last. */
export class QueueInvalidation {
  private readonly changed = new Set<string>();

  constructor(private readonly context: Pick<ServerContext, 'db' | 'live'>) {}

  /** Marks the tenant's queue as changed once the current transaction commits. */
  markStale(tenantId: string): void {
    this.context.db.afterCommit(() => this.changed.add(tenantId));
  }

  async publish(): Promise<void> {
    const tenants = [...this.changed];
    this.changed.clear();
    for (const tenant of tenants) await this.context.live.publish(QueueChanged, {}, { tenant });
  }
}
