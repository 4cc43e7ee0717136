import { type PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Widget } from '#shared/fields';
import { type Cell, dateText, type Heading } from './cells.ts';
import { constantParts, worksheetPart, worksheetXml } from './xlsx-parts.ts';

type Rows = AsyncIterable<readonly (readonly Cell[])[]>;

/** Formats a sheet as CSV that Excel reads: UTF-8 with a byte order mark, CRLF, and quotes where needed. */
export function csvOf(headings: readonly Heading[], rows: Rows): Readable {
  const lines = async function* () {
    yield `\ufeff${csvLine(headings.map(({ title }) => title))}`;
    for await (const batch of rows) yield batch.map((row) => csvLine(row.map((cell, index) => csvText(cell, headings[index]?.widget)))).join('');
  };
  return Readable.from(lines(), { objectMode: false });
}

const csvLine = (cells: readonly string[]) => `${cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')}\r\n`;

const csvText = (cell: Cell, widget: Widget | undefined) => (cell === null ? '' : cell instanceof Date ? dateText(cell, widget) : String(cell));

/** Formats a sheet as XLSX. Rows are compressed as they arrive, at the speed of the reader, so few of them are in memory at a time. */
export function xlsxOf(headings: readonly Heading[], rows: Rows): Readable {
  const zip = new ZipFile();
  const out = zip.outputStream as PassThrough;
  const worksheet = Readable.from(worksheetXml(headings, rows), { objectMode: false });
  zip.on('error', (error: Error) => out.destroy(error));
  worksheet.on('error', (error) => out.destroy(error));
  // The reader of an abandoned file no longer listens, and an error without a listener would end the process.
  out.on('error', () => undefined);
  // Closes the rows if the file is abandoned.
  out.on('close', () => worksheet.destroy());
  for (const [name, xml] of constantParts) zip.addBuffer(Buffer.from(xml), name);
  zip.addReadStream(worksheet, worksheetPart);
  zip.end();
  return out;
}
