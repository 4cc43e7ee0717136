import { open, readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CastingContext, parse } from 'csv-parse';
import yauzl from 'yauzl';
import { Refusal } from '#shared/errors';
import { transferProblems } from '#shared/transfers';
import { contentTypeOf } from '../files/content-type.ts';
import { counted, megabyte } from '../files/counted.ts';
import type { SheetRow } from './cells.ts';
import { xlsxRows } from './xlsx-reader.ts';

/** What a sheet may have at most, whatever it says of itself; `unpacked` are bytes too. */
export const sheetLimits = { bytes: 20 * megabyte, unpacked: 300 * megabyte, rows: 100_000, columns: 200 } as const;

/** The rows of a CSV or XLSX file, headings first, empty ones left out; told apart by content. */
export async function* sheetRows(path: string, limits: { readonly rows: number; readonly unpacked: number } = sheetLimits): AsyncGenerator<SheetRow> {
  const rows = (await isArchive(path)) ? safeXlsxRows(path, limits.unpacked) : csvRows(path);
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

/** The rows of an XLSX file. Anything that is wrong with the file is one refusal for the operator, with the error as its cause. */
async function* safeXlsxRows(path: string, unpackedBytes: number): AsyncGenerator<SheetRow> {
  await refuseBomb(path, unpackedBytes);
  try {
    yield* xlsxRows(path, sheetLimits.columns);
  } catch (cause) {
    throw new Refusal(transferProblems.unreadableSheet, {}, { cause });
  }
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
