import type { Static } from 'typebox';
import * as Type from 'typebox';
import { event, get } from '#shared/contract';
import type { AlertFigure, ChartFigure, DayFigure, SetupStep, WaitingFigure } from '#shared/figures';

const item = { type: 'object', properties: {}, additionalProperties: true } as const;

/** Number of days in charts, including today. */
export const spans = [7, 30, 90] as const;
export type FigureSpan = (typeof spans)[number];

const Board = Type.Object({
  /** Time of the oldest of these metrics. */
  asOf: Type.Unsafe<string>({ type: 'string' }),
  waiting: Type.Array(Type.Unsafe<WaitingFigure>(item)),
  alerts: Type.Array(Type.Unsafe<AlertFigure>(item)),
  days: Type.Array(Type.Unsafe<DayFigure>(item)),
  charts: Type.Array(Type.Unsafe<ChartFigure>(item)),
  setup: Type.Array(Type.Unsafe<SetupStep>(item)),
});
/** Metrics the caller may see. */
export type Board = Static<typeof Board>;

export const dashboard = {
  figures: get('/api/blade-desk/dashboard/figures', {
    title: ['首页数据', 'Dashboard data'],
    access: 'signedIn',
    mayLag: true,
    input: Type.Object({ days: Type.Optional(Type.Unsafe<FigureSpan>({ type: 'integer', enum: spans })) }),
    reply: Board,
  }),
};

/** The data behind metrics has changed; consoles that show them reload them. */
export const FiguresChanged = event<Record<string, never>>('dashboard:figures-changed');

/** Texts of the home page. */
export const dashboardMessages = {
  waiting: ['待我处理', 'To do'],
  today: ['今日', 'Today'],
  charts: ['趋势与构成', 'Trends and breakdown'],
  alerts: ['提醒', 'Alerts'],
  noAlerts: ['暂无提醒', 'No alerts'],
  lastDays: ['近 {count} 天', 'Last {count} days'],
  span: ['统计时段', 'Period'],
  yesterday: ['昨日 {value}', 'Yesterday {value}'],
  many: ['10,000+', '10,000+'],
  asOf: ['数据截至 {time}', 'As of {time}'],
  table: ['表格', 'Table'],
  asTable: ['{title}：以表格显示', '{title}: show as a table'],
  day: ['日期', 'Day'],
  part: ['名称', 'Name'],
  nothing: ['这段时间没有数据', 'No data in this period'],
  failed: ['数据加载失败', 'Could not load data.'],
  stale: ['数据更新失败', 'Could not update data.'],
  retry: ['重试', 'Try again'],
  setup: ['开通清单', 'Setup checklist'],
  setupProgress: ['已完成 {done}/{all}', '{done}/{all} done'],
  setupDone: ['已完成', 'Done'],
  setupOpen: ['待完成', 'To do'],
  hideSetup: ['收起', 'Hide'],
} as const;
