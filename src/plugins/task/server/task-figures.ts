import { sql } from 'drizzle-orm';
import { MiniappSetting } from '#plugins/miniapp/contract';
import { type FigureSource, queryRows, type ServerContext, setupStep, visibleRows } from '#server';
import { maxCountedRows } from '#shared/contract';
import { Submission, Task, task, taskStates } from '../contract.ts';
import { auditMenu, taskMenu } from '../menus.ts';
import { claimRules } from './claim-rules.ts';
import { reviewState, taskState } from './states.ts';
import { workFigures } from './work-figures.ts';

const soonDays = 3;

type Context = Pick<ServerContext, 'db' | 'parameters'>;

/** Metrics of tasks and their processing, for the home page. */
export const taskFigures = (context: Context): FigureSource[] => [
  queueFigures(context),
  publishingFigures(context),
  endingFigures(context),
  workFigures(context),
  firstTask(context),
];

const firstTask = ({ db }: Context): FigureSource =>
  setupStep(db, {
    id: 'task',
    code: 'tasks_publish',
    sort: 50,
    entities: [Task.name],
    title: ['发布第一个任务', 'Publish the first task'],
    note: ['任务发布后即可在小程序领取。', 'Tasks can be claimed in the mini-app once published.'],
    leadsTo: { menu: taskMenu.code },
    isDone: () => sql`exists (select from task where status >= ${taskState.published} and is_deleted = 0)`,
  });

/** Proofs that wait for an audit, and those that have waited too long. */
function queueFigures(context: Context): FigureSource {
  const { db } = context;
  return {
    id: 'task:queue',
    code: auditMenu.code,
    entities: [Submission.name, MiniappSetting.name],
    async read() {
      const { auditHours: hours } = await claimRules(context);
      const seen = sql`s.audit_status = ${reviewState.pending} and s.is_deleted = 0 and ${visibleRows(db, Submission.name, 's')}`;
      const [counts] = await queryRows<{ waiting: number; late: number }>(
        db,
        sql`select (select count(*)::integer from (select from task_submission s where ${seen} limit ${maxCountedRows}) waiting) as waiting,
              (select count(*)::integer from (select from task_submission s where ${seen} and s.submit_time < now() - make_interval(hours => ${hours}) limit ${maxCountedRows}) late) as late`,
      );
      const { waiting = 0, late = 0 } = counts ?? {};
      const rows = { menu: auditMenu.code };
      const title = [`${late} 份凭证待审核已超过 ${hours} 小时`, `Submissions pending review for more than ${hours} hours: ${late}`] as const;
      return {
        waiting: [{ id: 'audit', title: ['待审核', 'To review'], count: waiting, rows }],
        alerts: late > 0 ? [{ id: 'late', title, tone: 'warning', rows }] : [],
      };
    },
  };
}

/** Tasks that wait to be published. */
function publishingFigures({ db }: Context): FigureSource {
  return {
    id: 'task:publishing',
    code: 'tasks_publish',
    entities: [Task.name],
    async read() {
      const [counted] = await queryRows<{ count: number }>(
        db,
        sql`select count(*)::integer as count from (select from task t where t.status = ${taskState.waiting} and t.is_deleted = 0 and ${visibleRows(db, Task.name, 't')} limit ${maxCountedRows}) waiting`,
      );
      const rows = { menu: taskMenu.code, list: task.list.path, filters: { status: taskStates.waiting } };
      return { waiting: [{ id: 'publish', title: ['待发布任务', 'To publish'], count: counted?.count ?? 0, rows }] };
    },
  };
}

/** Published tasks that end soon and still have free places. */
function endingFigures({ db }: Context): FigureSource {
  return {
    id: 'task:ending',
    code: taskMenu.code,
    entities: [Task.name],
    async read() {
      const [counted] = await queryRows<{ count: number; before: string }>(
        db,
        sql`select count(*)::integer as count, to_char(current_date + ${soonDays}::integer, 'YYYY-MM-DD 00:00:00') as before from task t
            where t.status = ${taskState.published} and t.is_deleted = 0 and t.end_time < current_date + ${soonDays}::integer and t.passed < t.quantity and ${visibleRows(db, Task.name, 't')}`,
      );
      const { count = 0, before = '' } = counted ?? {};
      if (count === 0) return {};
      const title = [`${count} 个任务将在 ${soonDays} 天内结束且未完成`, `Unfinished tasks ending within ${soonDays} days: ${count}`] as const;
      const conditions = [{ field: 'endTime', operator: 'datelt', value: before }] as const;
      return {
        alerts: [
          { id: 'ending', title, tone: 'warning', rows: { menu: taskMenu.code, list: task.list.path, filters: { status: taskStates.published }, conditions } },
        ],
      };
    },
  };
}
