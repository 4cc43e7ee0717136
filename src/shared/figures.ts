import type { Words } from './text.ts';

/** The rows behind a figure: the page of a menu entry, and how its list is narrowed. */
export interface FigureRows {
  /** The entry's code; whoever does not have it is led nowhere. */
  readonly menu: string;
  /** The path of the list call; given with filters and conditions. */
  readonly list?: string;
  readonly filters?: Readonly<Record<string, string | number>>;
  readonly conditions?: readonly { readonly field: string; readonly operator: 'equal' | 'datege' | 'datelt' | 'null' | 'several'; readonly value: string }[];
}

/** What numbers count: things, or money in 分. */
export type FigureUnit = 'count' | 'money';

/** How a figure is coloured. */
export type FigureTone = 'brand' | 'good' | 'warning' | 'danger' | 'neutral';

/** Work that waits for whoever reads this. Counted up to 10,001. */
export interface WaitingFigure {
  readonly id: string;
  readonly title: Words;
  readonly count: number;
  /** In 分. */
  readonly amount?: number;
  readonly rows: FigureRows;
}

/** Something that does not go as it should. */
export interface AlertFigure {
  readonly id: string;
  readonly title: Words;
  readonly tone: 'warning' | 'danger';
  readonly rows: FigureRows;
}

/** A number of today beside that of yesterday. */
export interface DayFigure {
  readonly id: string;
  readonly title: Words;
  readonly unit: FigureUnit;
  readonly today: number;
  readonly yesterday: number;
  readonly rows?: FigureRows;
}

/** One row of a chart: a day, or whatever the chart is about. */
export interface ChartRow {
  readonly key: string;
  readonly label: string | Words;
  /** One for each series. */
  readonly values: readonly number[];
  readonly rows?: FigureRows;
}

/** Numbers side by side: over days, or as bars. Charts of one group stand in one place and are chosen by their titles. */
export interface ChartFigure {
  readonly id: string;
  readonly shape: 'days' | 'bars';
  readonly title: Words;
  readonly group?: { readonly id: string; readonly title: Words };
  readonly unit: FigureUnit;
  readonly series: readonly { readonly title: Words; readonly tone: FigureTone }[];
  readonly rows: readonly ChartRow[];
}

/** What one plugin, or all of them, have to say on the first page. */
export interface Figures {
  readonly waiting?: readonly WaitingFigure[];
  readonly alerts?: readonly AlertFigure[];
  readonly days?: readonly DayFigure[];
  readonly charts?: readonly ChartFigure[];
}
