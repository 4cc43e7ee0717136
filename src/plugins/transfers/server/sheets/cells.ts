import type { TSchema } from 'typebox';
import { type FieldTraits, type Option, traitsOf, type Widget } from '#shared/fields';
import { escapeFormula, isWireDateTime } from '#shared/formats';
import { isEmpty, type Language, localize } from '#shared/text';

/** Value of a sheet cell. Sheets have no time zone, so the UTC parts of a date are the local time of the deployment. */
export type Cell = string | number | boolean | Date | null;

/** A row of a sheet with its row number. */
export interface SheetRow {
  readonly row: number;
  readonly cells: readonly Cell[];
}

/** Heading of a sheet's column. */
export interface Heading {
  readonly title: string;
  readonly widget?: Widget | undefined;
}

/** A field as a column of a sheet. */
export interface SheetColumn {
  readonly name: string;
  readonly title: string;
  readonly schema: TSchema;
  readonly traits: FieldTraits;
  /** Options of a select, a flag or a dictionary, with their labels. */
  readonly options: readonly Option[];
}

/** Lists the fields of a schema's properties as columns. */
export function columnsOf(
  properties: Readonly<Record<string, TSchema>>,
  language: Language,
  entries: ReadonlyMap<string, readonly Option[]> = new Map(),
): SheetColumn[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const traits = traitsOf(schema);
    if (!traits) return [];
    const options = traits.options ?? entries.get(traits.dictionary ?? '') ?? [];
    return [{ name, schema, traits, options, title: localize(traits.title, language) }];
  });
}

/** Maximum number of values in one cell if the field sets no limit. */
const maxItems = 1000;
/** Separators between several values in one cell. */
export const itemSeparator = /[,，、;；\n]/;
const separators = { zh: '、', en: ', ' } as const;

/** Formats a value for a cell: options as labels, amounts in yuan, and no text that a spreadsheet would run as a formula. */
export function cellOf(column: SheetColumn, value: unknown, language: Language): Cell {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value)) return escapeFormula(value.map((item) => labelOf(column, item, language)).join(separators[language]));
  const { widget, comma } = column.traits;
  if (comma && typeof value === 'string') return cellOf(column, value.split(','), language);
  if (widget === 'money') return Number(value) / 100;
  if (widget === 'number' && typeof value === 'number') return value;
  if (widget === 'date-time' && typeof value === 'string' && isWireDateTime(value)) return new Date(`${value.replace(' ', 'T')}Z`);
  if (widget === 'date' && typeof value === 'string' && isWireDateTime(`${value} 00:00:00`)) return new Date(`${value}T00:00:00Z`);
  return escapeFormula(typeof value === 'object' ? JSON.stringify(value) : labelOf(column, value, language));
}

function labelOf({ options }: SheetColumn, value: unknown, language: Language): string {
  const option = options.find(([one]) => String(one) === String(value));
  return option ? localize(option[1], language) : String(value);
}

/** Formats a date; columns of dates or times omit the other part. */
export function dateText(date: Date, widget?: Widget): string {
  const text = date.toISOString().slice(0, 19).replace('T', ' ');
  return widget === 'date' ? text.slice(0, 10) : widget === 'time' ? text.slice(11) : text;
}

/** Parses a cell to a form value; an invalid text stays unchanged, so that the form's rules reject it. */
export function parseCell(column: SheetColumn, cell: Cell): unknown {
  const { traits } = column;
  const text = textOf(cell, traits.widget);
  if (text === '') return undefined;
  // One value beyond the limit suffices for the form's rules to reject it.
  if (traits.multiple)
    return text
      .split(itemSeparator, ((column.schema as { maxItems?: number }).maxItems ?? maxItems) + 1)
      .map((item) => item.trim())
      .filter(Boolean)
      .map((item) => parseValue(column, item));
  return parseValue(column, text);
}

function parseValue({ schema, traits, options }: SheetColumn, text: string): unknown {
  const lower = text.toLowerCase();
  const option = options.find(([value, labels]) => [String(value), ...labels].some((label) => label.toLowerCase() === lower));
  const types = [(schema as { type?: string | string[]; items?: { type?: string } }).items?.type ?? (schema as { type?: string | string[] }).type].flat();
  const optionValue = option ? String(option[0]) : text;
  if (types.includes('boolean')) return /^(true|1)$/i.test(optionValue) ? true : /^(false|0)$/i.test(optionValue) ? false : text;
  if (types.includes('integer') || types.includes('number')) return parseNumber(optionValue, traits.widget === 'money');
  // An export writes the name of a parent before its id.
  if (traits.widget === 'parent') return /\[(\d{1,19})\]$/.exec(text)?.[1] ?? text;
  if (traits.widget === 'date-time') return parseDateTime(text, traits.endOfDay);
  return traits.widget === 'date' ? parseDateTime(text).slice(0, 10) : optionValue;
}

function parseNumber(text: string, isMoney: boolean): unknown {
  const plain = text.replace(/[,，\s¥￥]/g, '');
  if (plain === '' || !Number.isFinite(Number(plain))) return text;
  // A third decimal of the yuan stays, so that the form's rules refuse it.
  return isMoney ? Number((Number(plain) * 100).toFixed(6)) : Number(plain);
}

/** Converts `2026-1-5`, `2026/01/05 8:30` and similar texts to the wire format of times; a date alone is its first or its last second. */
function parseDateTime(text: string, isEnd = false): string {
  const parts = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?)?$/.exec(text);
  if (!parts) return text;
  if (isEnd && parts[4] === undefined) return `${parseDateTime(text).slice(0, 10)} 23:59:59`;
  const [year, month, day, hour, minute, second] = parts.slice(1).map((part = '0') => part.padStart(2, '0'));
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`;
}

/** Formats a cell as text, as CSV files and screens show it. */
export const displayText = (cell: Cell, widget?: Widget): string => (cell instanceof Date ? dateText(cell, widget) : String(cell ?? ''));

/** Converts a cell to text without the prefix that prevents formulas. */
export function textOf(cell: Cell, widget?: Widget): string {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : dateText(cell, widget);
  if (isEmpty(cell)) return '';
  const text = String(cell).trim();
  const unescaped = text.replace(/^'/, '');
  return escapeFormula(unescaped) === text ? unescaped : text;
}
