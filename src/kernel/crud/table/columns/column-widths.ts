import { maskedFieldOf } from '#shared/entity';
import type { Widget } from '#shared/fields';
import { isMaskedText } from '#shared/personal';
import { isEmpty, type LocalizedText } from '#shared/text';
import { progressText } from '../../cells/progress-bar.tsx';
import { moneyText, numberText, textWidth } from '../../model/cell-text.ts';
import type { Row } from '../../model/crud-screen.ts';
import type { ScreenField } from '../../model/entity-fields.ts';
import type { FormatField } from '../../model/parent-trees.ts';

/** Horizontal padding of a cell in pixels. */
const padding = 24;
const minWidth = 64;
const maxWidth = 320;
const copyWidth = 24;
const showWidth = 28;
export const tagPadding = 18;
/** Width of the shortest bar with the gap to its text. */
const minBar = 56;

/** Widths of widgets whose content is not text, or whose text the rows do not contain. */
const widgetWidths: { readonly [Kind in Widget]?: number } = { dictionary: 84, reference: 120, parent: 120, image: 64, attachment: 160, 'rich-text': 200 };

type TranslateTitle = (text: LocalizedText) => string;

interface MeasuredField {
  readonly field: ScreenField;
  readonly title: string;
  readonly isSortable: boolean;
  readonly t: TranslateTitle;
}

/**
 * Returns the width of a column in pixels from the values of its rows, at least that of its heading. A width that the field declares limits it; without
 * rows the width is that of the widget. A column whose rows have no value takes no more than its heading.
 */
export function contentWidth({ field, title, isSortable, t }: MeasuredField, rows: readonly Row[], format: FormatField): number {
  const { traits } = field;
  const heading = headingWidth(title, isSortable);
  if (traits.progress) return Math.max(narrowestProgress(field, rows, title), 176);
  const options = Math.max(0, ...(traits.options ?? []).map(([, option]) => textWidth(t(option))));
  const widest = rows.reduce((width, row) => Math.max(width, textWidth(textOf(field, row, format))), 0);
  const isEmptyColumn = rows.length > 0 && rows.every((row) => isEmpty(row[field.name]));
  const fixed = options > 0 ? options + (traits.tones ? tagPadding : 0) : widest > 0 || isEmptyColumn ? undefined : widgetWidths[traits.widget];
  const content =
    Math.max(widest, fixed ?? (rows.length === 0 ? 96 : 0)) + (traits.copyable ? copyWidth : 0) + (maskedFieldOf(field.schema) ? showWidth : 0) + padding;
  // A list of options is known and short, so no option is cut off.
  const limit = options > 0 ? maxWidth : Math.max(heading, traits.width ?? maxWidth);
  return Math.round(Math.min(Math.max(minWidth, heading, content), limit));
}

const headingWidth = (title: string, isSortable = false) => textWidth(title) + padding + (isSortable ? 20 : 4);

/** Returns the width to which a column of options shrinks: that of the options in its rows, at least that of its heading. */
export function narrowestOptions({ field, title, isSortable }: MeasuredField, rows: readonly Row[], format: FormatField): number {
  const widest = rows.reduce((width, row) => Math.max(width, textWidth(textOf(field, row, format))), 0);
  return Math.max(minWidth, headingWidth(title, isSortable), widest + padding + (field.traits.tones ? tagPadding : 0));
}

function textOf(field: ScreenField, row: Row, format: FormatField): string {
  const value = row[field.name];
  if (isEmpty(value)) return '';
  // Asterisks are narrower than the digits that they stand for.
  if (isMaskedText(value)) return value.replaceAll('*', '0');
  const { widget } = field.traits;
  if (widget === 'money') return moneyText(value);
  if (widget === 'number') return numberText(value);
  if (widget === 'reference') return String(row[field.name.replace(/Id$/, 'Name')] ?? '');
  return widgetWidths[widget] === undefined && !Array.isArray(value) ? format(field, row) : '';
}

/** A column with the width that its content takes. */
export interface MeasuredColumn {
  readonly key: string;
  readonly width: number;
  /** True for a column that takes a share of the free space. */
  readonly isGrowing: boolean;
  /** True for a column of options, which gets no more room than it needs while others can use it. */
  readonly isShort?: boolean;
  /** Width to which the column shrinks where there is too little room for all. */
  readonly narrowest: number;
}

/** Returns the width to which a column of long texts may shrink: a part of its content, at least its heading and a few words. */
export const narrowestWidth = (width: number, heading: string, part: number): number =>
  Math.min(width, Math.max(headingWidth(heading), Math.round(width * part), 96));

/** Returns the width below which a progress column would cut its text: a short bar and the longest text. */
export const narrowestProgress = (field: ScreenField, rows: readonly Row[], heading: string): number =>
  Math.max(headingWidth(heading), minBar + padding + Math.max(0, ...rows.map((row) => textWidth(progressText(field, row)))));

/**
 * Fits the columns into the available width. Free space goes to the growing columns in proportion to their width, at most doubling each, then to all except those of
 * options. If the columns do not fit, those of long texts and of options shrink, each by the same share of its slack.
 */
export function fitWidths(columns: readonly MeasuredColumn[], available: number): number[] {
  const totalWidth = columns.reduce((sum, { width }) => sum + width, 0);
  const slack = columns.reduce((sum, { width, narrowest }) => sum + width - narrowest, 0);
  const share = totalWidth > available && slack > 0 ? Math.min(1, (totalWidth - available) / slack) : 0;
  const widths = columns.map(({ width, narrowest }) => width - (width - narrowest) * share);
  const distribute = (mayGrow: (index: number) => boolean, maxFactor: number, count = widths.length) => {
    const room = available - widths.slice(0, count).reduce((sum, width) => sum + width, 0);
    const base = widths.reduce((sum, width, index) => sum + (index < count && mayGrow(index) ? width : 0), 0);
    if (room <= 0 || base === 0) return;
    const factor = Math.min(maxFactor, 1 + room / base);
    widths.forEach((width, index) => {
      if (index < count && mayGrow(index)) widths[index] = width * factor;
    });
  };
  const count = wholeColumns(columns, widths, available);
  distribute((index) => columns[index]?.isGrowing === true, 2, count);
  distribute((index) => columns[index]?.isShort !== true, Number.POSITIVE_INFINITY, count);
  distribute(() => true, Number.POSITIVE_INFINITY, count);
  return widths;
}

/**
 * Returns the number of columns that share the free space. If the edge of the table cuts through a column with a number or a time, only the columns before it share the space
 * and it moves out of sight, because a part of such a value reads like another one. If all columns fit, or the edge cuts through a text, all of them share it.
 */
function wholeColumns(columns: readonly MeasuredColumn[], widths: readonly number[], available: number): number {
  let room = available;
  const cut = widths.findIndex((width) => {
    room -= width;
    // The tolerance is for rounding errors.
    return room < -1;
  });
  return cut === -1 || columns[cut]?.isGrowing ? widths.length : cut;
}
