import { and, sql } from 'drizzle-orm';
import { Advertiser, City, Platform } from '#plugins/base-data/contract';
import {
  ApiError,
  canSeeField,
  crudRoutes,
  hasId,
  idArray,
  isActive,
  type PluginRoute,
  problems,
  queryRows,
  type Repository,
  recordChange,
  route,
  runBatch,
  type ServerContext,
  tableOf,
  visibleRows,
} from '#server';
import type { Problem } from '#shared/errors';
import {
  type OfferPreview,
  type PublicationPlan,
  PublicationPlanning,
  type PublicationShare,
  publicationPlan,
  Task,
  type TaskRow,
  TasksPublishing,
  type TimelineKind,
  task,
  taskProblems,
  taskStates,
  taskTransitions,
} from '../contract.ts';
import { publishingLock } from '../server-extension.ts';
import { taskPublished, taskTakenDown } from '../webhook-contract.ts';
import { taskState } from './states.ts';
import { assertReferences, copyOf, stateError } from './tasks.ts';
import { appendTimeline, timelineOf } from './timeline.ts';

interface TaskTransition {
  readonly from: readonly number[];
  readonly to: TaskRow['status'];
  readonly entry: TimelineKind;
  /** Problem reported for a task in another state. */
  readonly problem: Problem;
}

const publishing: TaskTransition = { from: taskTransitions.publish, to: taskStates.published, entry: 'published', problem: taskProblems.notPublishable };
const takingDown: TaskTransition = { from: taskTransitions.takeDown, to: taskStates.takenDown, entry: 'takenDown', problem: taskProblems.notTakeDownable };

/** State transitions of tasks, all or none. A request that comes too late is refused with the current state. */
export class TaskTransitions {
  constructor(
    private readonly context: Pick<ServerContext, 'db' | 'applyFilters' | 'webhooks'>,
    private readonly tasks: Repository<typeof Task>,
  ) {}

  /** Publishes tasks after validating once more what claimers will see. */
  async publish(ids: readonly string[]): Promise<void> {
    const { db } = this.context;
    await db.lock(publishingLock(db.tenantId ?? ''));
    const tasks = await this.transition(ids, publishing);
    for (const task of tasks) {
      if (task.isOver) throw new ApiError(taskProblems.isOver, { title: task.title });
      if (task.claimed >= task.quantity) throw new ApiError(taskProblems.isFull);
      await assertReferences(db, task);
    }
    await this.context.applyFilters(TasksPublishing, tasks);
    await this.context.webhooks.send(taskPublished, tasks);
  }

  async takeDown(ids: readonly string[]): Promise<void> {
    await this.context.webhooks.send(taskTakenDown, await this.transition(ids, takingDown));
  }

  /** Finishes tasks of all tenants whose end time has passed. */
  async finishOverdue(): Promise<void> {
    await this.context.db.asPlatform('ends expired tasks of all tenants', async () => {
      const finished = await queryRows<{ id: string; tenantId: string }>(
        this.context.db,
        sql`update task set status = ${taskStates.finished}, update_time = date_trunc('second', now()) where id in (
              select id from task where status = ${taskState.published} and is_deleted = 0 and end_time <= now() order by end_time limit 100 for update skip locked)
            returning id::text as id, tenant_id as "tenantId"`,
      );
      const ids = finished.map(({ id }) => id);
      for (const task of finished)
        recordChange({ entity: Task.name, ...task, before: { status: taskStates.published }, after: { status: taskStates.finished } });
      await appendTimeline(this.context.db, ids, 'finished');
    });
  }

  private async transition(ids: readonly string[], { from, to, entry, problem }: TaskTransition): Promise<(TaskRow & { isOver: boolean })[]> {
    const uniqueIds = [...new Set(ids)];
    const before = await this.lock(uniqueIds);
    const unmovable = before.find(({ status }) => !from.includes(status));
    if (unmovable) throw stateError(problem, unmovable);
    const { table } = this.tasks;
    const isMovable = and(hasId(table, uniqueIds), sql`${table.status} in ${from}`);
    const updateTime = sql`date_trunc('second', now())`;
    await this.context.db.sql.update(table).set({ status: to, updateTime }).where(isMovable);
    await appendTimeline(this.context.db, uniqueIds, entry);
    for (const task of before) recordChange({ entity: Task.name, id: task.id, before: { status: task.status }, after: { status: to } });
    return before;
  }

  /** Locks the tasks with these ids until the transaction ends. */
  private async lock(ids: readonly string[]): Promise<(TaskRow & { isOver: boolean })[]> {
    const { table } = this.tasks;
    const isOver = sql<boolean>`coalesce(${table.endTime} <= now(), false)`;
    const where = and(hasId(table, ids), isActive(table));
    const locked = await this.context.db.sql.select({ id: table.id, isOver }).from(table).where(where).orderBy(table.id).for('update');
    const rows = await this.tasks.list(hasId(table, ids));
    if (rows.length !== ids.length) throw new ApiError(problems.notFound);
    const isOverById = new Map(locked.map(({ id, isOver }) => [id, isOver]));
    return rows.map((row) => ({ ...row, isOver: isOverById.get(row.id) === true }));
  }
}

/** Serves the task list, its state transitions and the timeline of a task. */
export function taskRoutes(context: ServerContext, tasks: Repository<typeof Task>, transitions: TaskTransitions): PluginRoute[] {
  const { db } = context;

  return [
    crudRoutes(task, tasks, {
      search: {
        fields: ['title'],
        subtitle: ['advertiserId', 'status'],
        actions: {
          tasks_edit: ({ status }) => taskTransitions.change.includes(status),
          tasks_publish: ({ status }) => taskTransitions.publish.includes(status),
          tasks_xiajia: ({ status }) => taskTransitions.takeDown.includes(status),
        },
      },
    }),
    route(publicationPlan, ({ input }) => planPublication(context, tasks, input.ids)),
    route(task.publish, (request) => runBatch(db, Task, request, (ids) => transitions.publish(ids))),
    route(task.takeDown, (request) => runBatch(db, Task, request, (ids) => transitions.takeDown(ids))),
    route(task.copy, ({ input }) => copyOf(context, tasks, input.id)),
    route(task.timeline, async ({ input }) => {
      await tasks.detail(input.id);
      return timelineOf(db, input.id);
    }),
  ];
}

type TransitionContext = Pick<ServerContext, 'db' | 'applyFilters'>;

/** Returns the effect of publishing tasks, without publishing them. */
async function planPublication({ db, applyFilters }: TransitionContext, tasks: Repository<typeof Task>, ids: readonly string[]): Promise<PublicationPlan> {
  const { table } = tasks;
  const shares = await applyFilters(PublicationPlanning, await sharesOf(db, ids));
  const seesPrices = canSeeField(Task.name, 'unitPrice');
  const isOne = shares.length === 1 && shares[0]?.tasks === 1;
  const hasPlaces = sql`${table.claimed} < ${table.quantity} and (${table.endTime} is null or ${table.endTime} > now())`;
  const isCandidate = and(hasId(table, ids), sql`${table.status} in ${taskTransitions.publish}`, hasPlaces, isActive(table));
  const [only] = isOne ? await tasks.list(isCandidate) : [];
  return {
    shares: seesPrices ? [...shares] : shares.map((share) => ({ ...share, cost: null, least: null, available: null })),
    preview: only ? await previewOf(db, only, seesPrices) : null,
  };
}

const isPublishable = sql`t.status in ${taskTransitions.publish} and t.is_deleted = 0 and t.claimed < t.quantity and (t.end_time is null or t.end_time > now())`;

/** Sums the free places of tasks by advertiser. */
function sharesOf(db: ServerContext['db'], ids: readonly string[]): Promise<PublicationShare[]> {
  return queryRows<PublicationShare>(
    db,
    sql`select t.advertiser_id::text as "advertiserId", a.name, count(*)::integer as tasks, sum(t.quantity - t.claimed)::float8 as places,
          sum(t.unit_price::bigint * (t.quantity - t.claimed))::float8 as cost, min(t.unit_price::bigint * (t.quantity - t.claimed))::float8 as least,
          null as available, false as "isLimited", false as "isRefused"
        from task t join ${tableOf(Advertiser)} a on a.id = t.advertiser_id
        where t.id = any(${idArray(ids)}) and ${isPublishable} and ${visibleRows(db, Task.name, 't')} group by t.advertiser_id, a.name order by a.name, t.advertiser_id`,
  );
}

async function previewOf(db: ServerContext['db'], task: TaskRow, seesPrices: boolean): Promise<OfferPreview> {
  const [named] = await queryRows<{ platform: string; cities: string[] | null }>(
    db,
    sql`select (select name from ${tableOf(Platform)} where id = ${task.platformId}) as platform,
          (select array_agg(name order by id) from ${tableOf(City)} where id = any(${idArray(task.cityIds ?? [])})) as cities`,
  );
  const { title, cover = null, quantity, claimed, perUserLimit, endTime = null, requirement, unitPrice } = task;
  return {
    title,
    cover: canSeeField(Task.name, 'cover') ? cover : null,
    platform: canSeeField(Task.name, 'platformId') ? (named?.platform ?? '') : '',
    cities: canSeeField(Task.name, 'cityIds') ? (named?.cities ?? []) : [],
    unitPrice: seesPrices ? unitPrice : null,
    places: quantity - claimed,
    perUserLimit,
    endTime: canSeeField(Task.name, 'endTime') ? endTime : null,
    requirement: canSeeField(Task.name, 'requirement') ? requirement : '',
  };
}
