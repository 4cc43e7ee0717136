import { PassThrough, type Readable } from 'node:stream';
import { type Language, say, type Words } from '#shared/text';
import { exampleOf } from './example-row.ts';
import type { FormColumn } from './sheet-forms.ts';

const words = {
  required: ['必填', 'required'],
  optional: ['选填', 'optional'],
  oneOf: ['可选值：{list}', 'one of: {list}'],
  several: ['多个值用逗号分隔', 'separate values with commas'],
  moment: ['格式：2026-01-31 08:00:00', 'format: 2026-01-31 08:00:00'],
  day: ['格式：2026-01-31', 'format: 2026-01-31'],
  time: ['格式：08:00:00', 'format: 08:00:00'],
  whole: ['整数', 'whole number'],
  number: ['数字', 'number'],
  yuan: ['金额，单位元', 'amount in yuan'],
  longest: ['最多 {count} 个字符', 'at most {count} characters'],
  id: ['填写编号', 'enter the ID'],
  called: ['填写名称，重名时填写编号', 'write its name; its id where several are called so'],
} as const satisfies Record<string, Words>;

/** Excel offers a list only where its text is at most so long. */
const longestList = 250;
const offeredRows = 1000;

/** A sheet to fill in, with an example that no import takes: required columns are marked, choices are offered, and a note on each heading says what it takes. */
export async function templateOf(columns: readonly FormColumn[], language: Language): Promise<Readable> {
  const { default: excel } = await import('exceljs');
  const book = new excel.Workbook();
  const sheet = book.addWorksheet('Sheet1', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = columns.map(({ title, required }) => ({ header: required ? `${title}*` : title, width: Math.max(16, title.length * 2 + 6) }));
  for (const [place, column] of columns.entries()) {
    const head = sheet.getCell(1, place + 1);
    head.font = column.required ? { bold: true, color: { argb: 'FFC7342F' } } : { bold: true };
    head.note = noteOf(column, language);
    const list = choicesOf(column, language).join(',');
    if (list === '' || list.length > longestList || column.traits.several) continue;
    for (let row = 3; row <= offeredRows; row += 1)
      sheet.getCell(row, place + 1).dataValidation = { type: 'list', allowBlank: !column.required, formulae: [`"${list.replaceAll('"', '""')}"`] };
  }
  const example = sheet.getRow(2);
  example.values = exampleOf(columns, language);
  example.font = { italic: true, color: { argb: 'FF86909C' } };
  const out = new PassThrough();
  book.xlsx.write(out).then(
    () => out.end(),
    (error) => out.destroy(error as Error),
  );
  return out;
}

/** Words with a comma would become two in the list Excel offers. */
const choicesOf = ({ options }: FormColumn, language: Language) => {
  const choices = options.map(([, title]) => say(title, language));
  return choices.some((choice) => choice.includes(',')) ? [] : choices;
};

function noteOf({ traits, schema, options, required }: FormColumn, language: Language): string {
  const { maxLength, type } = schema as { maxLength?: number; type?: string | string[] };
  const list = options.map(([, title]) => say(title, language)).join(language === 'zh' ? '、' : ', ');
  const notes: [boolean, Words, Record<string, string | number>?][] = [
    [required, words.required],
    [!required, words.optional],
    [options.length > 0, words.oneOf, { list: list.slice(0, 500) }],
    [traits.several === true, words.several],
    [traits.widget === 'date-time', words.moment],
    [traits.widget === 'date', words.day],
    [traits.widget === 'time', words.time],
    [traits.widget === 'money', words.yuan],
    [traits.widget === 'number', [type].flat().includes('integer') ? words.whole : words.number],
    [traits.widget === 'parent', words.id],
    [traits.widget === 'reference', words.called],
    [maxLength !== undefined && options.length === 0, words.longest, { count: maxLength ?? 0 }],
  ];
  return notes
    .filter(([applies]) => applies)
    .map(([, told, values]) => say(told, language, values))
    .join('\n');
}
