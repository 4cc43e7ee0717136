import { Array as List, Optional as Omissible, Object as Shape, type Static, Unsafe } from 'typebox';
import { event, get } from '#shared/contract';
import type { AlertFigure, ChartFigure, DayFigure, WaitingFigure } from '#shared/figures';

const item = { type: 'object', properties: {}, additionalProperties: true } as const;

/** Over how many days charts go, today the last of them. */
export const spans = [7, 30, 90] as const;
export type Span = (typeof spans)[number];

const Board = Shape({
  /** When the oldest of these figures was counted. */
  asOf: Unsafe<string>({ type: 'string' }),
  waiting: List(Unsafe<WaitingFigure>(item)),
  alerts: List(Unsafe<AlertFigure>(item)),
  days: List(Unsafe<DayFigure>(item)),
  charts: List(Unsafe<ChartFigure>(item)),
});
/** The figures of everything the caller may see; what they may not see is not in it. */
export type Board = Static<typeof Board>;

export const dashboard = {
  figures: get('/api/blade-desk/dashboard/figures', {
    title: ['首页数据', 'Figures of the first page'],
    who: 'signedIn',
    input: Shape({ days: Omissible(Unsafe<Span>({ type: 'integer', enum: spans })) }),
    reply: Board,
  }),
};

/** Something that figures are counted from has changed: whoever shows them asks anew. */
export const FiguresChanged = event<Record<string, never>>('dashboard:figures-changed');

/** What the first page says in its own words. */
export const dashboardWords = {
  waiting: ['待我处理', 'Waiting for me'],
  today: ['今日', 'Today'],
  charts: ['趋势与构成', 'Trends and shares'],
  alerts: ['提醒', 'Alerts'],
  noAlerts: ['一切正常', 'All is well.'],
  lastDays: ['近 {count} 天', 'Last {count} days'],
  span: ['统计时段', 'Period'],
  yesterday: ['昨日 {value}', 'Yesterday {value}'],
  many: ['10,000+', '10,000+'],
  asOf: ['数据截至 {time}', 'As of {time}'],
  table: ['表格', 'Table'],
  asTable: ['{title}：以表格显示', '{title}: show as a table'],
  day: ['日期', 'Day'],
  part: ['名称', 'Name'],
  nothing: ['这段时间没有数据', 'Nothing in this period'],
  failed: ['数据未能加载', 'The figures could not be loaded.'],
  stale: ['数据未能更新', 'The figures could not be brought up to date.'],
  retry: ['重试', 'Try again'],
} as const;
