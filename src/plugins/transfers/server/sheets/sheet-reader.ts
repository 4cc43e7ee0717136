import { isUtf8 } from 'node:buffer';
import { open, readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import yauzl from 'yauzl';
import { contentTypeOf } from '#server';
import { ApiError } from '#shared/errors';
import { transferProblems } from '../problems.ts';
import type { SheetRow } from './cells.ts';
import { xlsxRows } from './xlsx-reader.ts';

const megabyte = 1024 * 1024;

/** Limits of a sheet, enforced independently of its own metadata. */
export const sheetLimits = { bytes: 20 * megabyte, unpackedBytes: 300 * megabyte, rows: 100_000, columns: 200 } as const;

/** Reads the rows of a CSV or XLSX file, headings first, without empty ones; the content determines the format. */
export async function* sheetRows(path: string, limits: { readonly rows: number; readonly unpackedBytes: number } = sheetLimits): AsyncGenerator<SheetRow> {
  const rows = (await isArchive(path)) ? safeXlsxRows(path, limits.unpackedBytes) : csvRows(path, limits.rows);
  let count = 0;
  for await (const { row, cells } of rows) {
    if (cells.every((cell) => cell === null || cell === '')) continue;
    count += 1;
    // One more for the headings.
    if (count > limits.rows + 1) throw new ApiError(transferProblems.tooManyRows, { count: limits.rows });
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
    throw new ApiError(transferProblems.unreadableSheet);
  } finally {
    await file.close();
  }
}

/** Reads a CSV file as UTF-8, or else as GB18030, which Excel writes in China. */
async function* csvRows(path: string, maxRows: number): AsyncGenerator<SheetRow> {
  const bytes = await readFile(path);
  if (bytes.includes(0)) throw new ApiError(transferProblems.unreadableSheet);
  const encoding = isUtf8(bytes) ? 'utf-8' : 'gb18030';
  const delimiter = delimiterOf(new TextDecoder(encoding).decode(bytes.subarray(0, maxHeadingBytes)));
  const slices = csvSlices(bytes, encoding, delimiter, { rows: maxRows, columns: sheetLimits.columns });
  const parser = parse({ relaxColumnCount: true, skipEmptyLines: true, maxRecordSize: megabyte, delimiter, info: true });
  // An error of the slices destroys the parser and thus reaches its reader.
  pipeline(slices, parser).catch(() => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) yield { row: info.lines, cells: record };
  } catch (cause) {
    throw cause instanceof ApiError ? cause : new ApiError(transferProblems.unreadableSheet, {}, { cause });
  }
}

/** Number of bytes searched for the delimiter. */
const maxHeadingBytes = 65_536;

/** Returns the most frequent delimiter in the first line. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1);
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

/** Reads the rows of an XLSX file. Any problem with the file gives the same error, with the original one as its cause. */
async function* safeXlsxRows(path: string, unpackedBytes: number): AsyncGenerator<SheetRow> {
  await assertUnpackedSize(path, unpackedBytes);
  try {
    yield* xlsxRows(path, sheetLimits.columns);
  } catch (cause) {
    throw new ApiError(transferProblems.unreadableSheet, {}, { cause });
  }
}

/** Unpacks an archive without storing it, to measure its real size: the size it declares cannot be trusted. */
async function assertUnpackedSize(path: string, unpackedBytes: number): Promise<void> {
  let left = unpackedBytes;
  try {
    const archive = await yauzl.openPromise(path);
    try {
      for await (const entry of archive.eachEntry())
        for await (const chunk of await archive.openReadStreamPromise(entry)) {
          left -= (chunk as Buffer).length;
          if (left < 0) throw new RangeError('the archive is larger than a sheet may be');
        }
    } finally {
      archive.close();
    }
  } catch (cause) {
    throw new ApiError(transferProblems.unreadableSheet, {}, { cause });
  }
}

/** Maximum amount parsed in one turn of the event loop. The parser creates an error for each row whose width differs from the first. */
const slice = { bytes: 16_384, rows: 100 } as const;

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

interface CsvLimits {
  /** Maximum number of rows besides the headings. */
  readonly rows: number;
  readonly columns: number;
}

/** Splits a CSV file into slices, one per turn of the event loop. Content beyond the limits is rejected before it is parsed. */
async function* csvSlices(bytes: Buffer, encoding: string, delimiter: string, limits: CsvLimits): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  const slicer = new CsvSlicer(delimiter.charCodeAt(0), limits);
  for (let at = 0; at < bytes.length; at += slice.bytes) {
    const isLast = at + slice.bytes >= bytes.length;
    for (const text of slicer.slices(decoder.decode(bytes.subarray(at, at + slice.bytes), { stream: !isLast }))) {
      yield text;
      await new Promise(setImmediate);
    }
  }
}

/** Counts rows and columns of a CSV text that arrives in pieces. All quotes count alike, because the parser rejects quotes within unquoted fields. */
class CsvSlicer {
  private isQuoted = false;
  private isLineEmpty = true;
  private columns = 1;
  private rows = 0;
  private rowsOfSlice = 0;

  constructor(
    private readonly delimiter: number,
    private readonly limits: CsvLimits,
  ) {}

  /** Splits a piece after a fixed number of rows. */
  *slices(piece: string): Generator<string> {
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      if (!this.isEndOfLine(piece.charCodeAt(at)) || this.rowsOfSlice < slice.rows) continue;
      yield piece.slice(start, at + 1);
      start = at + 1;
      this.rowsOfSlice = 0;
    }
    if (start < piece.length) yield piece.slice(start);
    this.rowsOfSlice = 0;
  }

  private isEndOfLine(character: number): boolean {
    if (!this.isQuoted && (character === lineFeed || character === carriageReturn)) {
      this.isLineEmpty = true;
      return true;
    }
    if (this.isLineEmpty) this.beginRow();
    if (character === quote) this.isQuoted = !this.isQuoted;
    else if (character === this.delimiter && !this.isQuoted) this.addColumn();
    return false;
  }

  private beginRow(): void {
    this.isLineEmpty = false;
    this.columns = 1;
    this.rows += 1;
    this.rowsOfSlice += 1;
    // One more for the headings.
    if (this.rows > this.limits.rows + 1) throw new ApiError(transferProblems.tooManyRows, { count: this.limits.rows });
  }

  private addColumn(): void {
    this.columns += 1;
    if (this.columns > this.limits.columns) throw new ApiError(transferProblems.tooManyColumns, { count: this.limits.columns });
  }
}
