import { sql } from 'drizzle-orm';
import { type Principal, problems, Refusal, recordChange, rowsOf, type ServerContext, seenRows } from '#server';
import type { InputOf } from '#shared/contract';
import { type audit, Submission, taskProblems, undoSeconds } from '../contract.ts';
import { idArray, noteSteps } from './timeline.ts';

interface Held {
  readonly id: string;
  readonly taskId: string;
  readonly title: string;
  readonly userId: string;
  readonly auditStatus: number;
  readonly auditorName: string | null;
  /** Another auditor who has it before them right now. */
  readonly holder: string | null;
}

type Decided = Pick<Held, 'taskId'> & { readonly auditStatus: number };

/** Judges proof. Of two who decide the same at once one wins, and the other is told who did. */
export class Decisions {
  constructor(private readonly db: ServerContext['db']) {}

  /** Decides all that are named, or none. */
  async decide({ userId }: Principal, { id, ids = [], status, reason }: InputOf<typeof audit.decide>): Promise<{ count: number }> {
    const wanted = [...new Set(id ? [id, ...ids] : ids)];
    if (wanted.length === 0) throw new Refusal(problems.missingParameter, { name: 'ids' });
    if (status === 2 && !reason?.trim()) throw new Refusal(taskProblems.noReason, {}, { field: 'reason' });
    for (const one of await this.held(wanted, userId)) refuseUndecidable(one, userId);
    const decided = await rowsOf<Decided>(
      this.db,
      sql`update task_submission s set audit_status = ${status}, audit_user = ${userId}, audit_time = date_trunc('second', now()),
            auditor_name = (select real_name from user_account where id = ${userId}), reason = ${status === 2 ? reason?.trim() : null}, update_user = ${userId},
            update_time = date_trunc('second', now())
          where id = any(${idArray(wanted)}) and audit_status = 0 returning task_id::text as "taskId", audit_status as "auditStatus"`,
    );
    await this.db.sql.execute(sql`delete from task_audit_lease where submission_id = any(${idArray(wanted)})`);
    await this.count(decided);
    for (const one of wanted)
      recordChange({ entity: Submission.name, id: one, before: { auditStatus: 0 }, after: { auditStatus: status, reason: reason ?? null } });
    return { count: decided.length };
  }

  /** Takes back decisions of the auditor's own, all or none: in time, unpaid, and while the place a rejection gave away is still free. */
  async undo({ userId }: Principal, ids: readonly string[]): Promise<void> {
    const wanted = [...new Set(ids)];
    const before = await this.held(wanted, userId);
    const undone = await rowsOf<{ taskId: string }>(
      this.db,
      sql`update task_submission set audit_status = 0, audit_user = null, auditor_name = null, audit_time = null, reason = null
          where id = any(${idArray(wanted)}) and audit_user = ${userId} and audit_status in (1, 2) and pay_status = 0
            and audit_time > now() - make_interval(secs => ${undoSeconds}) returning task_id::text as "taskId"`,
    );
    if (undone.length !== wanted.length) throw new Refusal(taskProblems.tooLateToUndo);
    for (const { taskId, approved, rejected } of byTask(before)) {
      const [counted] = await rowsOf(
        this.db,
        sql`update task set passed = passed - ${approved}, claimed = claimed + ${rejected}, submitted = submitted + ${rejected},
              status = case when status = 4 and passed >= quantity and ${approved} > 0 and (end_time is null or end_time > now()) then 2 else status end
            where id = ${taskId} and claimed + ${rejected} <= quantity returning id`,
      );
      if (!counted) throw new Refusal(taskProblems.placeTaken);
    }
    for (const { id, auditStatus } of before) recordChange({ entity: Submission.name, id, before: { auditStatus }, after: { auditStatus: 0 } });
  }

  /** An approval fills a place for good, and the last one finishes the task; a rejection gives the place back. */
  private async count(decided: readonly Decided[]): Promise<void> {
    const finished: string[] = [];
    for (const { taskId, approved, rejected } of byTask(decided)) {
      const [task] = await rowsOf<{ isFinished: boolean }>(
        this.db,
        sql`update task set passed = passed + ${approved}, claimed = claimed - ${rejected}, submitted = submitted - ${rejected},
              status = case when status = 2 and ${approved} > 0 and passed + ${approved} >= quantity then 4 else status end
            where id = ${taskId} returning ${approved} > 0 and passed >= quantity and status = 4 as "isFinished"`,
      );
      if (task?.isFinished) finished.push(taskId);
    }
    await noteSteps(this.db, finished, 'finished');
  }

  /** Kept from others until the transaction ends, in the order everybody takes them. */
  private async held(ids: readonly string[], userId: string): Promise<Held[]> {
    const rows = await rowsOf<Held>(
      this.db,
      sql`select s.id::text as id, s.task_id::text as "taskId", s.task_title as title, s.user_id::text as "userId", s.audit_status as "auditStatus",
            s.auditor_name as "auditorName",
            (select u.real_name from task_audit_lease l join user_account u on u.id = l.user_id where l.submission_id = s.id and l.user_id <> ${userId} and l.until > now()) as holder
          from task_submission s where s.id = any(${idArray(ids)}) and s.is_deleted = 0
            and ${seenRows(this.db, 'task_submission', 's')} order by s.id for update of s`,
    );
    if (rows.length !== ids.length) throw new Refusal(problems.notFound);
    return rows;
  }
}

function refuseUndecidable({ title, userId, auditStatus, auditorName, holder }: Held, auditor: string): void {
  if (auditStatus === 1 || auditStatus === 2) throw new Refusal(taskProblems.alreadyDecided, { title, name: auditorName ?? '' });
  if (auditStatus !== 0) throw new Refusal(taskProblems.notPending, { title });
  if (userId === auditor) throw new Refusal(taskProblems.ownProof);
  if (holder) throw new Refusal(taskProblems.heldByOther, { title, name: holder });
}

/** How many of each task were approved and rejected, in the order in which tasks are locked. */
function byTask(decided: readonly Decided[]): { taskId: string; approved: number; rejected: number }[] {
  const ids = [...new Set(decided.map(({ taskId }) => taskId))].sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
  const count = (taskId: string, status: number) => decided.filter((one) => one.taskId === taskId && one.auditStatus === status).length;
  return ids.map((taskId) => ({ taskId, approved: count(taskId, 1), rejected: count(taskId, 2) }));
}
