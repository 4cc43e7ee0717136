import { open, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CastingContext, parse } from 'csv-parse';
import yauzl, { type Entry } from 'yauzl';
import { Refusal } from '#shared/errors';
import { transferProblems } from '#shared/transfers';
import { contentTypeOf } from '../files/content-type.ts';
import { counted, megabyte } from '../files/counted.ts';
import type { Cell } from './cells.ts';

/** One row of a sheet, by its number there. */
export interface SheetRow {
  readonly row: number;
  readonly cells: readonly Cell[];
}

/** What a sheet may have at most, whatever it says of itself; `unpacked` are bytes too. */
export const sheetLimits = { bytes: 20 * megabyte, unpacked: 300 * megabyte, rows: 100_000, columns: 200 } as const;

/** The rows of a CSV or XLSX file, headings first, empty ones left out; told apart by content. */
export async function* sheetRows(path: string, limits: { readonly rows: number; readonly unpacked: number } = sheetLimits): AsyncGenerator<SheetRow> {
  const rows = (await isArchive(path)) ? xlsxRows(path, limits.unpacked) : csvRows(path);
  let count = 0;
  for await (const { row, cells } of rows) {
    if (cells.every((cell) => cell === null || cell === '')) continue;
    count += 1;
    // The headings are one more.
    if (count > limits.rows + 1) throw new Refusal(transferProblems.tooManyRows, { count: limits.rows });
    yield { row, cells: cells.slice(0, sheetLimits.columns) };
  }
}

async function isArchive(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4100), 0, 4100, 0);
    const { ext, type } = await contentTypeOf(buffer.subarray(0, bytesRead));
    if (ext === 'xlsx' || type === 'application/zip') return true;
    if (ext === 'txt' || type.startsWith('text/') || type === 'application/octet-stream') return false;
    throw new Refusal(transferProblems.unreadableSheet);
  } finally {
    await file.close();
  }
}

/** UTF-8, else GB18030, which Excel writes in China. */
async function* csvRows(path: string): AsyncGenerator<SheetRow> {
  const bytes = await readFile(path);
  if (bytes.includes(0)) throw new Refusal(transferProblems.unreadableSheet);
  const text = decoded(bytes);
  const parser = Readable.from([text]).pipe(
    parse({ bom: true, relaxColumnCount: true, skipEmptyLines: true, maxRecordSize: megabyte, delimiter: delimiterOf(text), info: true, cast: plain }),
  );
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) yield { row: info.lines, cells: record };
  } catch (cause) {
    throw cause instanceof Refusal ? cause : new Refusal(transferProblems.unreadableSheet, {}, { cause });
  }
}

const plain = (value: string, _context: CastingContext) => value;

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

/** What the first line has most of. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1);
  const most = [',', ';', '\t'].map((mark) => ({ mark, count: line.split(mark).length }));
  return most.reduce((best, one) => (one.count > best.count ? one : best)).mark;
}

/** The library's reader of a workbook, given the parts one by one: its own way through the archive loses one now and then, and all dates or texts with it. */
interface PartReader {
  readonly model?: { readonly sheets?: readonly { readonly rId: string }[] };
  readonly workbookRels?: readonly { readonly Id: string; readonly Target: string }[];
  _parseRels(part: Readable): Promise<void>;
  _parseWorkbook(part: Readable): Promise<void>;
  _parseStyles(part: Readable): Promise<void>;
  _parseSharedStrings(part: Readable): AsyncIterable<unknown>;
  _parseWorksheet(part: Readable, name: string): Iterable<{ readonly value: AsyncIterable<{ readonly number: number; readonly values: unknown }> }>;
}

async function* xlsxRows(path: string, unpackedBytes: number): AsyncGenerator<SheetRow> {
  await refuseBomb(path, unpackedBytes);
  const { default: excel } = await import('exceljs');
  const archive = await yauzl.openPromise(path, { autoClose: false });
  try {
    const entries = new Map<string, Entry>();
    for await (const entry of archive.eachEntry()) entries.set(entry.fileName, entry);
    const part = async (name: string) => {
      const entry = entries.get(name);
      return entry ? archive.openReadStreamPromise(entry) : Readable.from([]);
    };
    const reader = new excel.stream.xlsx.WorkbookReader(Readable.from([]), {
      worksheets: 'emit',
      sharedStrings: 'cache',
      styles: 'cache',
      hyperlinks: 'ignore',
      entries: 'ignore',
    }) as unknown as PartReader;
    await reader._parseRels(await part('xl/_rels/workbook.xml.rels'));
    await reader._parseWorkbook(await part('xl/workbook.xml'));
    await reader._parseStyles(await part('xl/styles.xml'));
    for await (const _ of reader._parseSharedStrings(await part('xl/sharedStrings.xml')));
    const first = firstSheet(reader, entries);
    if (first === undefined) throw new Refusal(transferProblems.unreadableSheet);
    for (const { value: sheet } of reader._parseWorksheet(await part(first), first))
      for await (const row of sheet) yield { row: row.number, cells: cellsOf(row.values as unknown[]) };
  } catch (cause) {
    throw cause instanceof Refusal ? cause : new Refusal(transferProblems.unreadableSheet, {}, { cause });
  } finally {
    archive.close();
  }
}

/** The sheet that stands first in the book, else the first there is. */
function firstSheet({ model, workbookRels }: PartReader, entries: ReadonlyMap<string, Entry>): string | undefined {
  const target = workbookRels?.find(({ Id }) => Id === model?.sheets?.[0]?.rId)?.Target;
  const named = target?.startsWith('/') ? target.slice(1) : `xl/${target}`;
  return entries.has(named) ? named : [...entries.keys()].find((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name));
}

/** Places of a row are counted from one. */
function cellsOf(values: unknown[]): Cell[] {
  return Array.from({ length: Math.max(values.length - 1, 0) }, (_, place) => cellOf(values[place + 1]));
}

/** What is seen of a cell: the outcome of a formula, the text of a link or of rich text. */
function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object' || value instanceof Date) return value as Cell;
  const { result, text, richText, hyperlink, error } = value as Record<string, unknown>;
  if (error !== undefined) return String(error);
  if (Array.isArray(richText)) return richText.map((part: { text?: string }) => part.text ?? '').join('');
  if (result !== undefined) return cellOf(result);
  return text !== undefined ? cellOf(text) : hyperlink !== undefined ? String(hyperlink) : null;
}

/** Unpacks all of an archive without keeping any of it: what it says of its own size is not believed. */
async function refuseBomb(path: string, unpackedBytes: number): Promise<void> {
  let left = unpackedBytes;
  try {
    const archive = await yauzl.openPromise(path);
    try {
      for await (const entry of archive.eachEntry()) {
        const unpacked = counted(await archive.openReadStreamPromise(entry), left);
        await pipeline(unpacked.content, async (content) => {
          for await (const _ of content);
        });
        left -= unpacked.bytes();
      }
    } finally {
      archive.close();
    }
  } catch (cause) {
    throw new Refusal(transferProblems.unreadableSheet, {}, { cause });
  }
}
