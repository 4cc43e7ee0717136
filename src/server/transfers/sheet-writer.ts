import { once } from 'node:events';
import { PassThrough, Readable, type Writable } from 'node:stream';
import type { Widget } from '#shared/fields';
import { type Cell, dateText } from './cells.ts';

/** The head of a sheet's column. */
export interface Heading {
  readonly title: string;
  readonly widget?: Widget | undefined;
}

type Rows = AsyncIterable<readonly (readonly Cell[])[]>;

/** A sheet as CSV that Excel reads: UTF-8 with its mark, CRLF, every text quoted where it must be. */
export function csvOf(headings: readonly Heading[], rows: Rows): Readable {
  const lines = async function* () {
    yield `\ufeff${csvLine(headings.map(({ title }) => title))}`;
    for await (const some of rows) yield some.map((row) => csvLine(row.map((cell, place) => csvText(cell, headings[place]?.widget)))).join('');
  };
  return Readable.from(lines(), { objectMode: false });
}

const csvLine = (cells: readonly string[]) => `${cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')}\r\n`;

const csvText = (cell: Cell, widget: Widget | undefined) => (cell === null ? '' : cell instanceof Date ? dateText(cell, widget) : String(cell));

/** Characters Excel takes in one cell. */
const longestCell = 32_767;
const formats: Partial<Record<Widget, string>> = { 'date-time': 'yyyy-mm-dd hh:mm:ss', date: 'yyyy-mm-dd', money: '#,##0.00' };
const widths: Partial<Record<Widget, number>> = { 'date-time': 20, date: 12, textarea: 40, number: 12, money: 14 };

/** A sheet as XLSX, written row by row: however many there are, few are in memory. */
export function xlsxOf(headings: readonly Heading[], rows: Rows): Readable {
  const out = new PassThrough({ highWaterMark: 1024 * 1024 });
  writeBook(out, headings, rows).catch((error) => out.destroy(error as Error));
  return out;
}

async function writeBook(out: PassThrough, headings: readonly Heading[], rows: Rows): Promise<void> {
  const { default: excel } = await import('exceljs');
  const book = new excel.stream.xlsx.WorkbookWriter({ stream: out, useStyles: true, useSharedStrings: false });
  const sheet = book.addWorksheet('Sheet1', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = headings.map(({ title, widget }) => ({
    header: title,
    width: (widget && widths[widget]) ?? Math.max(14, title.length * 2 + 4),
    ...(widget && formats[widget] ? { style: { numFmt: formats[widget] } } : {}),
  }));
  const head = sheet.getRow(1);
  head.font = { bold: true };
  head.commit();
  for await (const some of rows) {
    for (const row of some) sheet.addRow(row.map((cell) => (typeof cell === 'string' ? cell.slice(0, longestCell) : cell))).commit();
    await packed(sheet, out);
    if (out.destroyed) return;
  }
  sheet.commit();
  await book.commit();
}

/** A stream as the library makes them, older than `writableNeedDrain`. */
type Packing = Writable & { readonly _writableState: { readonly needDrain: boolean } };

/** Resolves when what was written has been packed: the library itself writes on however far the packing is behind, and holds the whole sheet then. */
async function packed(sheet: unknown, out: PassThrough): Promise<void> {
  const { pipes = [] } = (sheet as { stream: { pipes?: readonly Packing[] } }).stream;
  for (const stream of [...pipes, out] as Packing[]) {
    if (!stream._writableState.needDrain || out.destroyed) continue;
    const waiting = new AbortController();
    const either = { signal: waiting.signal };
    await Promise.race([once(stream, 'drain', either), once(out, 'close', either)]).finally(() => waiting.abort());
  }
}
