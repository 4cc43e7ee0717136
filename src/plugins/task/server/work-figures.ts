import { type SQL, sql } from 'drizzle-orm';
import { type FigureSource, hasFullAccess, queryRows, type ServerContext, visibleRows } from '#server';
import type { ChartFigure, ChartRow, DayFigure, Figures } from '#shared/figures';
import { audit, reviewStates, Submission } from '../contract.ts';
import { auditMenu, recordMenu } from '../menus.ts';
import { reviewState } from './states.ts';

interface Day {
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
export function workFigures({ db }: Pick<ServerContext, 'db'>): FigureSource {
  return {
    id: 'task:work',
    code: recordMenu.code,
    workCode: auditMenu.code,
    entities: [Submission.name],
    async read({ days }) {
      const from = sql`current_date - ${days - 1}::integer`;
      // Yesterday is always included for comparison with today.
      const since = sql`current_date - ${Math.max(days - 1, 1)}::integer`;
      const all = await queryRows<Day>(
        db,
        sql`select to_char(day_start, 'YYYY-MM-DD') as day, to_char(day_start + interval '1 day', 'YYYY-MM-DD') as next,
              coalesce(sum(submitted), 0)::integer as submitted, coalesce(sum(approved), 0)::integer as approved, coalesce(sum(rejected), 0)::integer as rejected
            from generate_series(${since}, current_date, interval '1 day') day_start left join (${work(db, since)}) work on work.day = day_start::date group by day_start order by day_start`,
      );
      const auditors = await queryRows<Auditor>(
        db,
        sql`select w.auditor_id::text as id, coalesce(max(u.real_name), max(u.name), w.auditor_id::text) as name, sum(w.approved)::integer as approved, sum(w.rejected)::integer as rejected
            from (${work(db, from)}) w left join user_account u on u.id = w.auditor_id where w.auditor_id <> 0
            group by w.auditor_id having sum(w.approved + w.rejected) > 0 order by sum(w.approved + w.rejected) desc, w.auditor_id limit ${maxAuditors}`,
      );
      return figuresOf(all, all.slice(-days), auditors);
    },
  };
}

/** Returns daily counts: stored ones for users who see all rows, recounted ones for users with a data scope. */
function work(db: ServerContext['db'], from: SQL): SQL {
  if (hasFullAccess(Submission.name)) return sql`select day, auditor_id, submitted, approved, rejected from task_day where day >= ${from}`;
  const seen = sql`s.is_deleted = 0 and ${visibleRows(db, Submission.name, 's')}`;
  return sql`select s.submit_time::date as day, 0::bigint as auditor_id, 1 as submitted, 0 as approved, 0 as rejected from task_submission s where s.submit_time >= ${from} and ${seen}
    union all
    select s.audit_time::date, s.audit_user, 0, (s.audit_status = ${reviewState.approved})::integer, (s.audit_status = ${reviewState.rejected})::integer from task_submission s
    where s.audit_time >= ${from} and s.audit_status in (${reviewState.approved}, ${reviewState.rejected}) and s.audit_user is not null and ${seen}`;
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

function figuresOf(all: readonly Day[], shown: readonly Day[], auditors: readonly Auditor[]): Figures {
  const today = all.at(-1) as Day;
  const yesterday = all.at(-2) as Day;
  const figure = (id: 'approved' | 'rejected', title: DayFigure['title']): DayFigure => ({
    id,
    title,
    unit: 'count',
    today: today[id],
    yesterday: yesterday[id],
  });
  const ofStatus = (auditStatus: number) => ({ rows: { ...decidedOn(today.day, today.next), filters: { auditStatus } } });
  const rows: ChartRow[] = shown.map((day) => ({
    key: day.day,
    label: day.day,
    values: [day.submitted, day.approved, day.rejected],
    rows: decidedOn(day.day, day.next),
  }));
  const first = shown[0] as Day;
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
        rows: shown.some((day) => day.submitted + day.approved + day.rejected > 0) ? rows : [],
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
