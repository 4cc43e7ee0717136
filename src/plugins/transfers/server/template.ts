import { Readable } from 'node:stream';
import type { DataValidation, Cell as SheetCell } from 'hucre/xlsx';
import { type Language, type LocalizedText, localize } from '#shared/text';
import type { FormColumn } from './sheet-forms.ts';
import { type Cell, cellOf, dateText, type SheetRow } from './sheets/cells.ts';

const templateMessages = {
  required: ['必填', 'required'],
  optional: ['选填', 'optional'],
  oneOf: ['可选值：{list}', 'one of: {list}'],
  multiple: ['多个值用逗号分隔', 'separate values with commas'],
  dateTime: ['格式：2026-01-31 08:00:00', 'format: 2026-01-31 08:00:00'],
  date: ['格式：2026-01-31', 'format: 2026-01-31'],
  time: ['格式：08:00:00', 'format: 08:00:00'],
  integer: ['整数', 'integer'],
  number: ['数字', 'number'],
  money: ['金额，单位元', 'amount in yuan'],
  maxLength: ['最多 {count} 个字符', 'up to {count} characters'],
  id: ['填写编号', 'enter the ID'],
  reference: ['填写名称，重名时填写编号', 'enter the name, or the ID if the name is not unique'],
} as const satisfies Record<string, LocalizedText>;

/** Maximum length of a list that Excel offers in a cell. */
const maxListLength = 250;
const validatedRows = 1000;

/**
 * Creates a sheet to fill in, with an example row that imports ignore: required columns are marked, options are offered, and a note on each heading describes the
 * expected values.
 */
export async function templateOf(columns: readonly FormColumn[], language: Language): Promise<Readable> {
  const { rangeRef, writeXlsx } = await import('hucre/xlsx');
  const headings = columns.map(({ title, required }) => (required ? `${title}*` : title));
  const example = exampleOf(columns, language);
  const cells = new Map<string, Partial<SheetCell>>();
  for (const [index, column] of columns.entries()) {
    const font = column.required ? { bold: true, color: { rgb: 'C7342F' } } : { bold: true };
    cells.set(`0,${index}`, { value: headings[index] ?? null, style: { font }, comment: { text: noteOf(column, language) } });
    cells.set(`1,${index}`, { value: example[index] ?? null, style: { font: { italic: true, color: { rgb: '86909C' } } } });
  }
  const dataValidations = columns.flatMap((column, index): DataValidation[] => {
    const formula1 = listFormula(column, language);
    return formula1 ? [{ type: 'list', allowBlank: !column.required, formula1, range: rangeRef(2, index, validatedRows - 1, index) }] : [];
  });
  const book = await writeXlsx({
    sheets: [
      {
        name: 'Sheet1',
        columns: columns.map(({ title }) => ({ width: Math.max(16, title.length * 2 + 6) })),
        rows: [headings, example],
        cells,
        freezePane: { rows: 1 },
        dataValidations,
      },
    ],
  });
  return Readable.from([book], { objectMode: false });
}

/** Formats a column's options as the formula of Excel's list; undefined if Excel cannot offer them. */
function listFormula(column: FormColumn, language: Language): string | undefined {
  const list = optionLabels(column, language).join(',');
  return list === '' || list.length > maxListLength || column.traits.multiple ? undefined : `"${list.replaceAll('"', '""')}"`;
}

/** Returns the labels of the options; empty if one contains a comma, which Excel would split. */
const optionLabels = ({ options }: FormColumn, language: Language) => {
  const labels = options.map(([, title]) => localize(title, language));
  return labels.some((label) => label.includes(',')) ? [] : labels;
};

function noteOf({ traits, schema, options, required }: FormColumn, language: Language): string {
  const { maxLength, type } = schema as { maxLength?: number; type?: string | string[] };
  const list = options.map(([, title]) => localize(title, language)).join(language === 'zh' ? '、' : ', ');
  const notes: [boolean, LocalizedText, Record<string, string | number>?][] = [
    [required, templateMessages.required],
    [!required, templateMessages.optional],
    [options.length > 0, templateMessages.oneOf, { list: list.slice(0, 500) }],
    [traits.multiple === true, templateMessages.multiple],
    [traits.widget === 'date-time', templateMessages.dateTime],
    [traits.widget === 'date', templateMessages.date],
    [traits.widget === 'time', templateMessages.time],
    [traits.widget === 'money', templateMessages.money],
    [traits.widget === 'number', [type].flat().includes('integer') ? templateMessages.integer : templateMessages.number],
    [traits.widget === 'parent', templateMessages.id],
    [traits.widget === 'reference', templateMessages.reference],
    [maxLength !== undefined && options.length === 0, templateMessages.maxLength, { count: maxLength ?? 0 }],
  ];
  return notes
    .filter(([applies]) => applies)
    .map(([, note, values]) => localize(note, language, values))
    .join('\n');
}

/** Marker at the beginning of a template's example row, unlikely to be typed by accident. */
const exampleMarker: LocalizedText = ['【示例行，导入时忽略】', '[Example row, not imported] '];

/** True for the example row of a template. */
export const isExample = ({ cells }: SheetRow): boolean => {
  const first = String(cells.find((cell) => cell !== null && cell !== '') ?? '').trim();
  return exampleMarker.some((prefix) => first.startsWith(prefix.trim()));
};

/** Builds a sample row, marked as an example. */
function exampleOf(columns: readonly FormColumn[], language: Language): Cell[] {
  const cells = columns.map((column) => {
    const cell = cellOf(column, sampleOf(column, language), language);
    return cell instanceof Date ? dateText(cell, column.traits.widget) : cell;
  });
  return [`${localize(exampleMarker, language)}${cells[0] ?? ''}`, ...cells.slice(1)];
}

const samples: Readonly<Record<string, unknown>> = {
  'date-time': '2026-01-31 08:00:00',
  date: '2026-01-31',
  time: '08:00:00',
  email: 'name@example.com',
  phone: '13800138000',
  url: 'https://example.com/',
  image: 'https://example.com/picture.png',
  attachment: ['https://example.com/paper.pdf'],
  'rich-text': '<p>…</p>',
  cron: '0 0 8 * * ?',
  parent: '0',
  secret: '******',
};

function sampleOf({ schema, traits, options, title }: FormColumn, language: Language): unknown {
  const { minimum = 0, maximum = 1, default: preset, format } = schema as { minimum?: number; maximum?: number; default?: unknown; format?: string };
  const [first] = options;
  if (first) return traits.multiple ? [first[0]] : first[0];
  if (preset !== undefined && traits.widget !== 'parent') return preset;
  if (traits.widget === 'number') return Math.min(Math.max(1, minimum), maximum);
  if (traits.widget === 'money') return Math.min(Math.max(9900, minimum), maximum);
  if (format === 'json') return '{}';
  return samples[traits.widget] ?? localize(traits.placeholder ?? [title, title], language);
}
