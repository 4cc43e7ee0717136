import type { TSchema, TUnsafe } from 'typebox';
import type { Call, Page } from '../contract/contract.ts';
import type { FilterGroup } from '../text/filter-groups.ts';
import type { LocalizedText } from '../text/text.ts';

/** Rows behind a metric: the page of a menu entry, and the filters of its list. */
export interface FigureRows {
  /** Code of the menu entry; users without it get no link. */
  readonly menu: string;
  /** Path of the list call to which filters and conditions belong. */
  readonly list?: string;
  readonly filters?: Readonly<Record<string, string | number>>;
  readonly conditions?: readonly RowCondition[];
  /** Group of conditions, of which rows meet all or any. */
  readonly where?: FilterGroup<RowCondition>;
}

/** Condition that the filter builder of a list shows. */
export interface RowCondition<Field extends string = string> {
  readonly field: Field;
  readonly operator: 'equal' | 'datege' | 'datelt' | 'null' | 'several';
  readonly value: string;
}

/** Screen whose list has rows of a type. */
interface ListedScreen<Row> {
  readonly menu: string;
  readonly list: Call<TSchema, TUnsafe<Page<Row>>>;
}

type FilterValue = string | number;

/**
 * Names the rows of a screen that meet all filters and conditions: `rowsOf(lamp, { status: 1 })`. A filter with several values is met by each of them:
 * `rowsOf(lamp, { status: [1, 2] })`.
 */
export function rowsOf<Row extends object>(
  { menu, list }: ListedScreen<Row>,
  filters: { readonly [Field in keyof Row & string]?: FilterValue | readonly FilterValue[] } = {},
  conditions: readonly RowCondition<keyof Row & string>[] = [],
): FigureRows {
  const single: Record<string, FilterValue> = {};
  const anyOf: FilterGroup<RowCondition>[] = [];
  for (const [field, value] of Object.entries(filters) as [string, FilterValue | readonly FilterValue[]][])
    if (typeof value === 'object') anyOf.push({ join: 'or', of: value.map((one) => ({ field, operator: 'equal', value: String(one) })) });
    else single[field] = value;
  const where: FilterGroup<RowCondition> | undefined = anyOf.length > 1 ? { join: 'and', of: anyOf } : anyOf[0];
  return { menu, list: list.path, filters: single, conditions, ...(where ? { where } : {}) };
}

/** Unit of a metric: a count, or money in 分 (cents). */
export type FigureUnit = 'count' | 'money';

/** Colour of a metric. */
export type FigureTone = 'brand' | 'good' | 'warning' | 'danger' | 'neutral';

/** Work that is waiting for the current user, counted up to 10,001. */
export interface WaitingFigure {
  readonly id: string;
  readonly title: LocalizedText;
  readonly count: number;
  /** Amount in 分 (cents). */
  readonly amount?: number;
  readonly rows: FigureRows;
}

/** A condition that needs attention. */
export interface AlertFigure {
  readonly id: string;
  readonly title: LocalizedText;
  readonly tone: 'warning' | 'danger';
  readonly rows: FigureRows;
}

/** A number of today, compared with yesterday. */
export interface DayFigure {
  readonly id: string;
  readonly title: LocalizedText;
  readonly unit: FigureUnit;
  readonly today: number;
  readonly yesterday: number;
  readonly rows?: FigureRows;
}

/** One row of a chart, such as a day. */
export interface ChartRow {
  readonly key: string;
  readonly label: string | LocalizedText;
  /** One value per series. */
  readonly values: readonly number[];
  readonly rows?: FigureRows;
}

/** A chart of columns per day, or with bars. Charts of one group share a place and are selected by title. */
export interface ChartFigure {
  readonly id: string;
  readonly shape: 'days' | 'bars';
  readonly title: LocalizedText;
  readonly group?: { readonly id: string; readonly title: LocalizedText };
  readonly unit: FigureUnit;
  /** Series with the same `stack` share a column of a day. */
  readonly series: readonly { readonly title: LocalizedText; readonly tone: FigureTone; readonly stack?: string }[];
  readonly rows: readonly ChartRow[];
}

/** A step in the setup of a deployment or a tenant. */
export interface SetupStep {
  readonly id: string;
  /** Title of the form verb and object. */
  readonly title: LocalizedText;
  /** The reason in one sentence. */
  readonly note: LocalizedText;
  readonly isDone: boolean;
  /** Screen where the step is done: the page of a menu entry, or a path that every user can open. */
  readonly leadsTo: FigureRows | { readonly path: string };
}

/** Metrics of one plugin, or of all of them, on the first page. */
export interface Figures {
  readonly waiting?: readonly WaitingFigure[];
  readonly alerts?: readonly AlertFigure[];
  readonly days?: readonly DayFigure[];
  readonly charts?: readonly ChartFigure[];
  /** Steps of the setup checklist. */
  readonly setup?: readonly SetupStep[];
}
