import { type SQL, sql } from 'drizzle-orm';
import { MiniappSetting } from '#plugins/miniapp/contract';
import { type FigureSource, hasFullAccess, queryRows, type ServerContext, setupStep, visibleRows } from '#server';
import { maxCountedRows } from '#shared/contract';
import { type ChartFigure, type ChartRow, type DayFigure, type Figures, rowsOf } from '#shared/figures';
import { audit, reviewStates, Submission, Task, task, taskStates } from '../contract.ts';
import { auditMenu, recordMenu, taskMenu } from '../menus.ts';
import { claimRules } from './claims.ts';
import { reviewState, taskState } from './states.ts';

const soonDays = 3;

type TaskFigureContext = Pick<ServerContext, 'db' | 'parameters'>;

/** Metrics of tasks and their processing, for the home page. */
export const taskFigures = (context: TaskFigureContext): FigureSource[] => [
  queueFigures(context),
  publishingFigures(context),
  endingFigures(context),
  workFigures(context),
  firstTask(context),
];

const firstTask = ({ db }: TaskFigureContext): FigureSource =>
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
function queueFigures(context: TaskFigureContext): FigureSource {
  const { db } = context;
  return {
    id: 'task:queue',
    code: auditMenu.code,
    entities: [Submission.name, MiniappSetting.name],
    async read() {
      const { auditHours: hours } = await claimRules(context);
      const isVisiblePending = sql`s.audit_status = ${reviewState.pending} and s.is_deleted = 0 and ${visibleRows(db, Submission.name, 's')}`;
      const [counts] = await queryRows<{ waiting: number; late: number }>(
        db,
        sql`select (select count(*)::integer from (select from task_submission s where ${isVisiblePending} limit ${maxCountedRows}) waiting) as waiting,
              (select count(*)::integer from (select from task_submission s where ${isVisiblePending} and s.submit_time < now() - make_interval(hours => ${hours}) limit ${maxCountedRows}) late) as late`,
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
function publishingFigures({ db }: TaskFigureContext): FigureSource {
  return {
    id: 'task:publishing',
    code: 'tasks_publish',
    entities: [Task.name],
    async read() {
      const [counted] = await queryRows<{ count: number }>(
        db,
        sql`select count(*)::integer as count from (select from task t where t.status = ${taskState.waiting} and t.is_deleted = 0 and ${visibleRows(db, Task.name, 't')} limit ${maxCountedRows}) waiting`,
      );
      const rows = rowsOf(task, { status: taskStates.waiting });
      return { waiting: [{ id: 'publish', title: ['待发布任务', 'To publish'], count: counted?.count ?? 0, rows }] };
    },
  };
}

/** Published tasks that end soon and do not have all their approvals yet. */
function endingFigures({ db }: TaskFigureContext): FigureSource {
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
        alerts: [{ id: 'ending', title, tone: 'warning', rows: rowsOf(task, { status: taskStates.published }, conditions) }],
      };
    },
  };
}

interface TaskDay {
  readonly day: string;
  readonly next: string;
  readonly submitted: number;
  readonly approved: number;
  readonly rejected: number;
}

interface Auditor {
  readonly id: string;
  readonly name: string;
  readonly approved: number;
  readonly rejected: number;
}

const maxAuditors = 12;
const decisionSeries: ChartFigure['series'] = [
  { title: ['通过', 'Approved'], tone: 'good', stack: 'decided' },
  { title: ['驳回', 'Rejected'], tone: 'danger', stack: 'decided' },
];

/** Metrics of submissions and decisions by day and by user. */
function workFigures({ db }: Pick<ServerContext, 'db'>): FigureSource {
  return {
    id: 'task:work',
    code: recordMenu.code,
    workCode: auditMenu.code,
    entities: [Submission.name],
    async read({ days }) {
      const from = sql`current_date - ${days - 1}::integer`;
      // Yesterday is always included for comparison with today.
      const since = sql`current_date - ${Math.max(days - 1, 1)}::integer`;
      const all = await queryRows<TaskDay>(
        db,
        sql`select to_char(day_start, 'YYYY-MM-DD') as day, to_char(day_start + interval '1 day', 'YYYY-MM-DD') as next,
              coalesce(sum(submitted), 0)::integer as submitted, coalesce(sum(approved), 0)::integer as approved, coalesce(sum(rejected), 0)::integer as rejected
            from generate_series(${since}, current_date, interval '1 day') day_start left join (${dailyCounts(db, since)}) counts on counts.day = day_start::date group by day_start order by day_start`,
      );
      const auditors = await queryRows<Auditor>(
        db,
        sql`select c.auditor_id::text as id, coalesce(max(u.real_name), max(u.name), c.auditor_id::text) as name, sum(c.approved)::integer as approved, sum(c.rejected)::integer as rejected
            from (${dailyCounts(db, from)}) c left join user_account u on u.id = c.auditor_id where c.auditor_id <> 0
            group by c.auditor_id having sum(c.approved + c.rejected) > 0 order by sum(c.approved + c.rejected) desc, c.auditor_id limit ${maxAuditors}`,
      );
      return figuresOf(all, all.slice(-days), auditors);
    },
  };
}

/** Returns daily counts: stored ones for users who see all rows, recounted ones for users with a data scope. */
function dailyCounts(db: ServerContext['db'], from: SQL): SQL {
  if (hasFullAccess(Submission.name)) return sql`select day, auditor_id, submitted, approved, rejected from task_day where day >= ${from}`;
  const isVisible = sql`s.is_deleted = 0 and ${visibleRows(db, Submission.name, 's')}`;
  return sql`select s.submit_time::date as day, 0::bigint as auditor_id, 1 as submitted, 0 as approved, 0 as rejected from task_submission s where s.submit_time >= ${from} and ${isVisible}
    union all
    select s.audit_time::date, s.audit_user, 0, (s.audit_status = ${reviewState.approved})::integer, (s.audit_status = ${reviewState.rejected})::integer from task_submission s
    where s.audit_time >= ${from} and s.audit_status in (${reviewState.approved}, ${reviewState.rejected}) and s.audit_user is not null and ${isVisible}`;
}

/** Returns the filter of the review records decided in a period. */
const decidedOn = (from: string, until: string, conditions: readonly { field: string; operator: 'equal'; value: string }[] = []) => ({
  menu: recordMenu.code,
  list: audit.records.path,
  conditions: [
    { field: 'auditTime', operator: 'datege' as const, value: `${from} 00:00:00` },
    { field: 'auditTime', operator: 'datelt' as const, value: `${until} 00:00:00` },
    ...conditions,
  ],
});

function figuresOf(all: readonly TaskDay[], shown: readonly TaskDay[], auditors: readonly Auditor[]): Figures {
  const today = all.at(-1) as TaskDay;
  const yesterday = all.at(-2) as TaskDay;
  const figure = (id: 'approved' | 'rejected', title: DayFigure['title']): DayFigure => ({
    id,
    title,
    unit: 'count',
    today: today[id],
    yesterday: yesterday[id],
  });
  const ofStatus = (auditStatus: number) => ({ rows: { ...decidedOn(today.day, today.next), filters: { auditStatus } } });
  const chartRows: ChartRow[] = shown.map((day) => ({
    key: day.day,
    label: day.day,
    values: [day.submitted, day.approved, day.rejected],
    rows: decidedOn(day.day, day.next),
  }));
  const first = shown[0] as TaskDay;
  return {
    days: [
      { ...figure('approved', ['今日通过', 'Approved today']), ...ofStatus(reviewStates.approved) },
      { ...figure('rejected', ['今日驳回', 'Rejected today']), ...ofStatus(reviewStates.rejected) },
    ],
    charts: [
      {
        id: 'work',
        shape: 'days',
        title: ['提交与审核趋势', 'Submission and review trend'],
        unit: 'count',
        series: [{ title: ['提交', 'Submitted'], tone: 'brand' }, ...decisionSeries],
        rows: shown.some((day) => day.submitted + day.approved + day.rejected > 0) ? chartRows : [],
      },
      auditorChart(auditors, first.day, today.next),
    ],
  };
}

function auditorChart(auditors: readonly Auditor[], from: string, until: string): ChartFigure {
  return {
    id: 'auditors',
    shape: 'bars',
    title: ['审核员工作量', 'Reviewer workload'],
    unit: 'count',
    series: decisionSeries,
    rows: auditors.map(({ id, name, ...counts }) => ({
      key: id,
      label: name,
      values: [counts.approved, counts.rejected],
      rows: decidedOn(from, until, [{ field: 'auditUser', operator: 'equal', value: id }]),
    })),
  };
}
