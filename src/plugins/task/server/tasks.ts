import { sql } from 'drizzle-orm';
import { AddedFields, ApiError, idArray, problem, queryRows, type Repository, repositoryOf, type ServerContext } from '#server';
import type { Problem } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import { Task, type TaskRow, TaskSaving, taskMoves, taskProblems, taskStates } from '../contract.ts';
import { refuseWrongParts } from './references.ts';
import { reviewState } from './states.ts';
import { appendTimeline } from './timeline.ts';

/** Builds a refusal that names the current state of the task in the caller's language. */
export function standing({ status, message: [zh, en] }: Problem, task: Pick<TaskRow, 'title' | 'status'>): ApiError {
  const [stateZh, stateEn] = traitsOf(Task.fields.status)?.options?.find(([value]) => value === task.status)?.[1] ?? ['', ''];
  return new ApiError(problem(status, [zh.replace('{state}', stateZh), en.replace('{state}', stateEn.toLowerCase())]), { title: task.title });
}

type TaskDraft = Partial<TaskRow>;

/** Repository of tasks. Only fields that claimers do not see can be changed or removed, and existing claims stay valid. */
export function tasksOf({ db, applyFilters }: Pick<ServerContext, 'db' | 'applyFilters'>): Repository<typeof Task> {
  return repositoryOf(db, Task, {
    async complete(form) {
      const sent = form as TaskDraft;
      const filtered = await applyFilters(TaskSaving, sent);
      return Object.fromEntries(Object.entries(filtered).filter(([name, value]) => value !== sent[name as keyof TaskRow]));
    },
    async beforeSave(form, before) {
      const task = { ...before, ...form } as TaskRow;
      refuseWrongState(form, before);
      if (before && task.quantity < before.claimed) throw new ApiError(taskProblems.belowClaimed, { claimed: before.claimed }, { field: 'quantity' });
      if (task.startTime && task.endTime && task.endTime <= task.startTime) throw new ApiError(taskProblems.wrongTimes, {}, { field: 'endTime' });
      await refuseWrongParts(db, task);
    },
    async saved({ id, status }, before) {
      await appendTimeline(db, [id], before ? 'edited' : 'created');
      if (status === taskStates.waiting && before?.status !== taskStates.waiting && before?.status !== taskStates.takenDown)
        await appendTimeline(db, [id], 'handedIn');
    },
    async beforeRemove(tasks) {
      for (const task of tasks) if (!taskMoves.change.includes(task.status)) throw standing(taskProblems.notRemovable, task);
      const [open] = await queryRows<{ title: string; count: number }>(
        db,
        sql`select s.task_title as title, count(*)::integer as count from task_submission s
            where s.task_id = any(${idArray(tasks.map(({ id }) => id))}) and s.audit_status in (${reviewState.pending}, ${reviewState.inProgress}) and s.is_deleted = 0
            group by s.task_id, s.task_title limit 1`,
      );
      if (open) throw new ApiError(taskProblems.hasOpenClaims, open);
    },
  });
}

function refuseWrongState(form: TaskDraft, before: TaskRow | undefined): void {
  if (!before) return;
  if (!taskMoves.change.includes(before.status)) throw standing(taskProblems.notEditable, before);
  if (form.draft === 1 && before.status !== taskStates.draft) throw new ApiError(taskProblems.notDraft, {}, { field: 'draft' });
}

/** Creates a draft with the entered values of another task, without its times. */
export async function copyOf({ get }: Pick<ServerContext, 'get'>, tasks: Repository<typeof Task>, id: string): Promise<TaskRow> {
  const from = await tasks.detail(id);
  const formNames = Object.keys(Task.form.properties).filter((name) => name !== 'id');
  const form = Object.fromEntries(formNames.map((name) => [name, from[name as keyof TaskRow]]));
  const copy = await tasks.save({ ...form, startTime: null, endTime: null, draft: 1 } as TaskRow);
  await get(AddedFields).copy(Task, id, copy.id);
  return copy;
}
