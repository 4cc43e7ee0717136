import { and, eq, sql } from 'drizzle-orm';
import { ApiError, hasId, idArray, type Principal, problems, queryRows, recordChange, type ServerContext, tableOf, visibleRows } from '#server';
import type { InputOf } from '#shared/contract';
import { type audit, reviewStates, Submission, Task, taskProblems, taskStates, undoSeconds } from '../contract.ts';
import { submissionApproved, submissionRejected, submissionReopened } from '../webhook-contract.ts';
import { payState, reviewState, taskState } from './states.ts';
import { appendTimeline } from './timeline.ts';

const submissions = tableOf(Submission);

interface LockedSubmission {
  readonly id: string;
  readonly taskId: string;
  readonly title: string;
  readonly userId: string;
  readonly auditStatus: number;
  readonly auditorName: string | null;
  /** Another auditor who has leased the proof. */
  readonly reviewer: string | null;
}

type DecidedSubmission = Pick<LockedSubmission, 'taskId'> & { readonly auditStatus: number };

/** Decides proofs. Of two concurrent decisions one wins, and the other is refused with the name of the deciding auditor. */
export class Decisions {
  private readonly db: ServerContext['db'];

  constructor(private readonly context: Pick<ServerContext, 'db' | 'webhooks'>) {
    this.db = context.db;
  }

  /** Decides all of the proofs or none. */
  async decide({ userId }: Principal, { id, ids = [], status, reason }: InputOf<typeof audit.decide>): Promise<{ count: number }> {
    const uniqueIds = [...new Set(id ? [id, ...ids] : ids)];
    if (uniqueIds.length === 0) throw new ApiError(problems.missingParameter, { name: 'ids' });
    const storedReason = status === reviewStates.rejected ? (reason?.trim() ?? '') : null;
    if (storedReason === '') throw new ApiError(taskProblems.noReason, {}, { field: 'reason' });
    const before = await this.lock(uniqueIds, userId);
    for (const one of before) assertDecidable(one, userId);
    const decided = await queryRows<DecidedSubmission>(
      this.db,
      sql`update task_submission s set audit_status = ${status}, audit_user = ${userId}, audit_time = date_trunc('second', now()),
            auditor_name = (select real_name from user_account where id = ${userId}), reason = ${storedReason}, update_user = ${userId},
            update_time = date_trunc('second', now())
          where id = any(${idArray(uniqueIds)}) and audit_status = ${reviewState.pending} returning task_id::text as "taskId", audit_status as "auditStatus"`,
    );
    await this.db.sql.execute(sql`delete from task_audit_lease where submission_id = any(${idArray(uniqueIds)})`);
    await this.count(decided);
    for (const one of uniqueIds)
      recordChange({ entity: Submission.name, id: one, before: { auditStatus: reviewStates.pending }, after: { auditStatus: status, reason: storedReason } });
    await this.context.webhooks.send(status === reviewStates.approved ? submissionApproved : submissionRejected, before.map(eventData));
    return { count: decided.length };
  }

  /** Undoes decisions of the same auditor, all or none: within the time limit, before payment, and while the place freed by a rejection is still free. */
  async undo({ userId }: Principal, ids: readonly string[]): Promise<void> {
    const uniqueIds = [...new Set(ids)];
    const before = await this.lock(uniqueIds, userId);
    const { auditStatus: status, auditTime } = submissions;
    const isDecided = sql`${status} in (${reviewState.approved}, ${reviewState.rejected}) and ${auditTime} > now() - make_interval(secs => ${undoSeconds})`;
    const undone = await this.db.sql
      .update(submissions)
      .set({ auditStatus: reviewStates.pending, auditUser: null, auditorName: null, auditTime: null, reason: null })
      .where(and(hasId(submissions, uniqueIds), eq(submissions.auditUser, userId), eq(submissions.payStatus, payState.unpaid), isDecided))
      .returning({ id: submissions.id });
    if (undone.length !== uniqueIds.length) throw new ApiError(taskProblems.tooLateToUndo);
    for (const { taskId, approved, rejected } of byTask(before)) {
      const [counted] = await queryRows(
        this.db,
        sql`update task set passed = passed - ${approved}, claimed = claimed + ${rejected}, submitted = submitted + ${rejected},
              status = case when status = ${taskState.finished} and passed >= quantity and ${approved} > 0 and (end_time is null or end_time > now()) then ${taskState.published} else status end
            where id = ${taskId} and claimed + ${rejected} <= quantity returning id`,
      );
      if (!counted) throw new ApiError(taskProblems.placeTaken);
    }
    for (const { id, auditStatus } of before)
      recordChange({ entity: Submission.name, id, before: { auditStatus }, after: { auditStatus: reviewStates.pending } });
    await this.context.webhooks.send(submissionReopened, before.map(eventData));
  }

  /** Updates the counters of tasks: an approval fills a place for good, and the last one finishes the task; a rejection frees the place. */
  private async count(decided: readonly DecidedSubmission[]): Promise<void> {
    const finished: string[] = [];
    for (const { taskId, approved, rejected } of byTask(decided)) {
      const [task] = await queryRows<{ isFinished: boolean }>(
        this.db,
        sql`update task set passed = passed + ${approved}, claimed = claimed - ${rejected}, submitted = submitted - ${rejected},
              status = case when status = ${taskState.published} and ${approved} > 0 and passed + ${approved} >= quantity then ${taskState.finished} else status end
            where id = ${taskId} returning ${approved} > 0 and passed >= quantity and status = ${taskState.finished} as "isFinished"`,
      );
      if (task?.isFinished) finished.push(taskId);
    }
    for (const id of finished) recordChange({ entity: Task.name, id, before: { status: taskStates.published }, after: { status: taskStates.finished } });
    await appendTimeline(this.db, finished, 'finished');
  }

  /** Locks proofs until the transaction ends, always in the order of their ids. */
  private async lock(ids: readonly string[], userId: string): Promise<LockedSubmission[]> {
    const rows = await queryRows<LockedSubmission>(
      this.db,
      sql`select s.id::text as id, s.task_id::text as "taskId", s.task_title as title, s.user_id::text as "userId", s.audit_status as "auditStatus",
            s.auditor_name as "auditorName",
            (select u.real_name from task_audit_lease l join user_account u on u.id = l.user_id where l.submission_id = s.id and l.user_id <> ${userId} and l.until > now()) as reviewer
          from task_submission s where s.id = any(${idArray(ids)}) and s.is_deleted = 0
            and ${visibleRows(this.db, 'task_submission', 's')} order by s.id for update of s`,
    );
    if (rows.length !== ids.length) throw new ApiError(problems.notFound);
    return rows;
  }
}

const eventData = ({ id, taskId, userId }: LockedSubmission) => ({ id, taskId, userId });

function assertDecidable({ title, userId, auditStatus, auditorName, reviewer }: LockedSubmission, auditor: string): void {
  if (auditStatus === reviewStates.approved || auditStatus === reviewStates.rejected)
    throw new ApiError(taskProblems.alreadyDecided, { title, name: auditorName ?? '' });
  if (auditStatus !== reviewStates.pending) throw new ApiError(taskProblems.notPending, { title });
  if (userId === auditor) throw new ApiError(taskProblems.ownProof);
  if (reviewer) throw new ApiError(taskProblems.heldByOther, { title, name: reviewer });
}

/** Counts approvals and rejections per task, in the order in which tasks are locked. */
function byTask(decided: readonly DecidedSubmission[]): { taskId: string; approved: number; rejected: number }[] {
  const ids = [...new Set(decided.map(({ taskId }) => taskId))].sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
  const count = (taskId: string, status: number) => decided.filter((one) => one.taskId === taskId && one.auditStatus === status).length;
  return ids.map((taskId) => ({ taskId, approved: count(taskId, 1), rejected: count(taskId, 2) }));
}
