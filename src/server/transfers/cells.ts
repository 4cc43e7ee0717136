import type { TSchema } from 'typebox';
import { type FieldTraits, type Option, traitsOf, type Widget } from '#shared/fields';
import { isMoment } from '#shared/formats';
import { isEmpty, type Language, say } from '#shared/text';

/** A cell of a sheet. Moments are dates whose UTC parts are those of the deployment's zone, as sheets know no zones. */
export type Cell = string | number | boolean | Date | null;

/** A row of a sheet, with its number there. */
export interface SheetRow {
  readonly row: number;
  readonly cells: readonly Cell[];
}

/** The heading of a sheet's column. */
export interface Heading {
  readonly title: string;
  readonly widget?: Widget | undefined;
}

/** A field as a column of a sheet. */
export interface Column {
  readonly name: string;
  readonly title: string;
  readonly schema: TSchema;
  readonly traits: FieldTraits;
  /** What may be chosen, in words: of a choice, a flag, a dictionary. */
  readonly options: readonly Option[];
}

/** The fields of a schema's properties as columns. */
export function columnsOf(
  properties: Readonly<Record<string, TSchema>>,
  language: Language,
  entries: ReadonlyMap<string, readonly Option[]> = new Map(),
): Column[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const traits = traitsOf(schema);
    if (!traits) return [];
    const options = traits.options ?? entries.get(traits.dictionary ?? '') ?? [];
    return [{ name, schema, traits, options, title: say(traits.title, language) }];
  });
}

/** What stands between several values of one cell. */
export const between = /[,，、;；\n]/;
const separators = { zh: '、', en: ', ' } as const;

/** A value as it stands in a sheet: choices in words, amounts in yuan, and no text that a spreadsheet would run as a formula. */
export function cellOf(column: Column, value: unknown, language: Language): Cell {
  if (value === null || value === undefined || value === '') return null;
  if (Array.isArray(value)) return safeText(value.map((item) => wordsOf(column, item, language)).join(separators[language]));
  const { widget } = column.traits;
  if (widget === 'money') return Number(value) / 100;
  if (widget === 'number' && typeof value === 'number') return value;
  if (widget === 'date-time' && typeof value === 'string' && isMoment(value)) return new Date(`${value.replace(' ', 'T')}Z`);
  if (widget === 'date' && typeof value === 'string' && isMoment(`${value} 00:00:00`)) return new Date(`${value}T00:00:00Z`);
  return safeText(typeof value === 'object' ? JSON.stringify(value) : wordsOf(column, value, language));
}

function wordsOf({ options }: Column, value: unknown, language: Language): string {
  const option = options.find(([one]) => String(one) === String(value));
  return option ? say(option[1], language) : String(value);
}

const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/** A text no spreadsheet takes for a formula. */
export const safeText = (text: string) => (formula.test(text) ? `'${text}` : text);

/** A date as text, whole days without their midnight where the column knows days only. */
export function dateText(date: Date, widget?: Widget): string {
  const text = date.toISOString().slice(0, 19).replace('T', ' ');
  return widget === 'date' ? text.slice(0, 10) : widget === 'time' ? text.slice(11) : text;
}

/** What a cell means in a form; a text that means nothing stays as it is, for the form's own rules to refuse. */
export function meantBy(column: Column, cell: Cell): unknown {
  const { traits } = column;
  const text = textOf(cell, traits.widget);
  if (text === '') return undefined;
  if (traits.several)
    return text
      .split(between)
      .map((item) => item.trim())
      .filter(Boolean)
      .map((item) => oneOf(column, item));
  return oneOf(column, text);
}

function oneOf({ schema, traits, options }: Column, text: string): unknown {
  const option = options.find(([value, words]) => [String(value), ...words].some((known) => known.toLowerCase() === text.toLowerCase()));
  const types = [(schema as { type?: string | string[]; items?: { type?: string } }).items?.type ?? (schema as { type?: string | string[] }).type].flat();
  const meant = option ? String(option[0]) : text;
  if (types.includes('boolean')) return /^(true|1)$/i.test(meant) ? true : /^(false|0)$/i.test(meant) ? false : text;
  if (types.includes('integer') || types.includes('number')) return numberOf(meant, traits.widget === 'money');
  if (traits.widget === 'date-time') return momentOf(text);
  return traits.widget === 'date' ? momentOf(text).slice(0, 10) : meant;
}

function numberOf(text: string, isMoney: boolean): unknown {
  const plain = text.replace(/[,，\s¥￥]/g, '');
  if (plain === '' || !Number.isFinite(Number(plain))) return text;
  return isMoney ? Math.round(Number(plain) * 1000) / 10 : Number(plain);
}

/** `2026-1-5`, `2026/01/05 8:30` and the like as the wire writes moments. */
function momentOf(text: string): string {
  const parts = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T](\d{1,2}):(\d{1,2})(?::(\d{1,2}))?)?$/.exec(text);
  if (!parts) return text;
  const [year, month, day, hour, minute, second] = parts.slice(1).map((part = '0') => part.padStart(2, '0'));
  return `${year}-${month}-${day} ${hour}:${minute}:${second}`;
}

/** A cell as an operator reads it; the mark that keeps a text from being a formula is taken off. */
export function textOf(cell: Cell, widget?: Widget): string {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : dateText(cell, widget);
  if (isEmpty(cell)) return '';
  const text = String(cell).trim();
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}
