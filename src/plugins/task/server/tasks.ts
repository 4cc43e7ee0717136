import { sql } from 'drizzle-orm';
import { Advertiser, Category, City, Platform, TaskGrade } from '#plugins/base-data/contract';
import { auditStates, DepartResource, resourceTypes } from '#plugins/resource/contract';
import { AddedFields, ApiError, idArray, problem, queryRows, type Repository, repositoryOf, type ServerContext, tableOf } from '#server';
import type { Entity } from '#shared/contract';
import type { Problem } from '#shared/errors';
import { traitsOf } from '#shared/fields';
import { boundsMessage } from '#shared/rules';
import { localize } from '#shared/text';
import { Task, type TaskRow, TaskSaving, taskProblems, taskStates, taskTransitions } from '../contract.ts';
import { reviewState } from './states.ts';
import { appendTimeline } from './timeline.ts';

/** Builds a refusal that names the current state of the task in the caller's language. */
export function stateError({ status, message: [zh, en] }: Problem, task: Pick<TaskRow, 'title' | 'status'>): ApiError {
  const [stateZh, stateEn] = traitsOf(Task.fields.status)?.options?.find(([value]) => value === task.status)?.[1] ?? ['', ''];
  return new ApiError(problem(status, [zh.replace('{state}', stateZh), en.replace('{state}', stateEn.toLowerCase())]), { title: task.title });
}

type TaskDraft = Partial<TaskRow>;

/** Repository of tasks. Only tasks that claimers do not see can be changed or removed, and existing claims stay valid. */
export function tasksOf({ db, applyFilters }: Pick<ServerContext, 'db' | 'applyFilters'>): Repository<typeof Task> {
  return repositoryOf(db, Task, {
    async complete(form) {
      const draft = form as TaskDraft;
      const filtered = await applyFilters(TaskSaving, draft);
      return Object.fromEntries(Object.entries(filtered).filter(([name, value]) => value !== draft[name as keyof TaskRow]));
    },
    async beforeSave(form, before) {
      const task = { ...before, ...form } as TaskRow;
      assertEditable(form, before);
      if (before && task.quantity < before.claimed) throw new ApiError(taskProblems.belowClaimed, { claimed: before.claimed }, { field: 'quantity' });
      if (before && before.claimed > 0 && task.advertiserId !== before.advertiserId)
        throw new ApiError(taskProblems.advertiserFixed, {}, { field: 'advertiserId' });
      await assertReferences(db, task, before);
    },
    async saved({ id, status }, before) {
      await appendTimeline(db, [id], before ? 'edited' : 'created');
      if (status === taskStates.waiting && before?.status !== taskStates.waiting && before?.status !== taskStates.takenDown)
        await appendTimeline(db, [id], 'handedIn');
    },
    async beforeRemove(tasks) {
      for (const task of tasks) if (!taskTransitions.change.includes(task.status)) throw stateError(taskProblems.notRemovable, task);
      const [openClaims] = await queryRows<{ title: string; count: number }>(
        db,
        sql`select s.task_title as title, count(*)::integer as count from task_submission s
            where s.task_id = any(${idArray(tasks.map(({ id }) => id))}) and s.audit_status in (${reviewState.pending}, ${reviewState.inProgress}) and s.is_deleted = 0
            group by s.task_id, s.task_title limit 1`,
      );
      if (openClaims) throw new ApiError(taskProblems.hasOpenClaims, openClaims);
    },
    // Work that has been claimed goes on: it is still audited and paid.
    beforeArchive(tasks) {
      for (const task of tasks) if (task.status === taskStates.published) throw stateError(taskProblems.notArchivable, task);
    },
  });
}

function assertEditable(form: TaskDraft, before: TaskRow | undefined): void {
  if (!before) return;
  if (!taskTransitions.change.includes(before.status)) throw stateError(taskProblems.notEditable, before);
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

type TaskReferences = Pick<TaskRow, 'advertiserId' | 'platformId' | 'categoryId' | 'gradeId' | 'cityIds' | 'resourceIds' | 'unitPrice'>;

interface ReferenceCheck {
  readonly advertiserId: boolean;
  readonly platformId: boolean;
  readonly categoryId: boolean;
  readonly cityIds: boolean;
  readonly resourceIds: boolean;
  readonly minPrice: number | null;
  readonly maxPrice: number | null;
}

/** Refuses a task that references missing or disabled rows, or has a price its grade does not allow. Archived rows are accepted where the stored task has them already. */
export async function assertReferences(db: ServerContext['db'], task: TaskReferences, before?: TaskReferences): Promise<void> {
  const [advertisers, platforms, categories, grades, cities, resources] = [Advertiser, Platform, Category, TaskGrade, City, DepartResource].map(
    (entity: Entity) => tableOf(entity),
  );
  const isPresent = (field: 'advertiserId' | 'platformId' | 'categoryId' | 'gradeId') =>
    sql`is_deleted ${task[field] === before?.[field] ? sql`<> 1` : sql`= 0`}`;
  const isEnabled = (table: unknown, field: 'advertiserId' | 'platformId' | 'categoryId') =>
    sql`exists (select from ${table} where id = ${task[field]} and ${isPresent(field)} and status = 1)`;
  const cityIds = [...new Set(task.cityIds ?? [])];
  const storedCityIds = idArray(before?.cityIds ?? []);
  const resourceIds = [...new Set(task.resourceIds ?? [])];
  const [found] = await queryRows<ReferenceCheck>(
    db,
    sql`select ${isEnabled(advertisers, 'advertiserId')} as "advertiserId", ${isEnabled(platforms, 'platformId')} as "platformId",
          ${isEnabled(categories, 'categoryId')} as "categoryId",
          (select count(*) from ${cities} where id = any(${idArray(cityIds)}) and (is_deleted = 0 or (is_deleted <> 1 and id = any(${storedCityIds})))) = ${cityIds.length}::integer as "cityIds",
          (select count(*) from ${resources} where id = any(${idArray(resourceIds)}) and type = ${resourceTypes.file} and status = ${auditStates.approved} and is_deleted = 0)
            = ${resourceIds.length}::integer as "resourceIds",
          grade.min_price::integer as "minPrice", grade.max_price::float as "maxPrice"
        from (select) one left join ${grades} grade on grade.id = ${task.gradeId} and grade.${isPresent('gradeId')} and grade.status = 1`,
  );
  const missing = (['advertiserId', 'platformId', 'categoryId', 'cityIds', 'resourceIds'] as const).find((field) => !found?.[field]);
  if (missing) throw referenceError(missing);
  const { minPrice, maxPrice } = found as ReferenceCheck;
  if (minPrice === null || maxPrice === null) throw referenceError('gradeId');
  // A grade can have changed since the task was saved.
  const message = boundsMessage(Task.fields.unitPrice, task.unitPrice, { minimum: minPrice, maximum: maxPrice > 0 ? maxPrice : undefined });
  if (message) throw new ApiError(problem(400, message), {}, { field: 'unitPrice' });
}

function referenceError(field: keyof typeof Task.fields): ApiError {
  const { status, message: text } = taskProblems.referenceMissing;
  const [zh, en] = traitsOf(Task.fields[field])?.title ?? ['', ''];
  return new ApiError(problem(status, [localize(text, 'zh', { name: zh }), localize(text, 'en', { name: en })]), {}, { field });
}
