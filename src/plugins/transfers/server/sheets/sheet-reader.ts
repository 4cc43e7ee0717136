import { isUtf8 } from 'node:buffer';
import { open, readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import yauzl from 'yauzl';
import { contentTypeOf } from '#server';
import { ApiError } from '#shared/errors';
import { transferProblems } from '../problems.ts';
import type { SheetRow } from './cells.ts';
import { csvSlices } from './csv-slices.ts';
import { xlsxRows } from './xlsx-reader.ts';

const megabyte = 1024 * 1024;

/** Limits of a sheet, enforced independently of its own metadata; `unpacked` is in bytes too. */
export const sheetLimits = { bytes: 20 * megabyte, unpacked: 300 * megabyte, rows: 100_000, columns: 200 } as const;

/** Reads the rows of a CSV or XLSX file, headings first, without empty ones; the content determines the format. */
export async function* sheetRows(path: string, limits: { readonly rows: number; readonly unpacked: number } = sheetLimits): AsyncGenerator<SheetRow> {
  const rows = (await isArchive(path)) ? safeXlsxRows(path, limits.unpacked) : csvRows(path, limits.rows);
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
  const ranked = [',', ';', '\t'].map((mark) => ({ mark, count: line.split(mark).length }));
  return ranked.reduce((best, one) => (one.count > best.count ? one : best)).mark;
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
