import type { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { dateOfSerial } from './cell-formats.ts';
import type { Cell, SheetRow } from './cells.ts';
import { unescapeText } from './xlsx-text.ts';
import { type OpenPart, readWorkbook, TextCollector, type Workbook } from './xlsx-workbook.ts';
import { type Attributes, parseXml, type XmlHandler } from './xml-parser.ts';

/** Reads the rows of a workbook's first worksheet as they are unpacked, with at most `maxColumns` cells each. */
export async function* xlsxRows(path: string, maxColumns: number): AsyncGenerator<SheetRow> {
  const archive = await yauzl.openPromise(path, { autoClose: false });
  try {
    const { names, open } = await openArchive(archive);
    const workbook = await readWorkbook(open);
    const content = (await open(workbook.sheet ?? '')) ?? (await open(names.find((name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name)) ?? ''));
    if (!content) throw new Error('The archive has no worksheet.');
    yield* rowsOf(content, workbook, maxColumns);
  } finally {
    archive.close();
  }
}

/** Indexes the parts of an archive by name, ignoring case. */
async function openArchive(archive: ZipFile): Promise<{ names: readonly string[]; open: OpenPart }> {
  const entries = new Map<string, Entry>();
  for await (const entry of archive.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
  const open = async (name: string): Promise<Readable | undefined> => {
    const entry = entries.get(name.toLowerCase());
    return entry && (await archive.openReadStreamPromise(entry));
  };
  return { names: [...entries.keys()], open };
}

async function* rowsOf(content: Readable, workbook: Workbook, maxColumns: number): AsyncGenerator<SheetRow> {
  const collector = new RowCollector(workbook, maxColumns);
  for await (const _ of parseXml(content, collector)) yield* collector.take();
  yield* collector.take();
  if (!collector.isWorksheet) throw new Error('The part is not a worksheet.');
}

/** Builds rows from the elements of a worksheet. */
class RowCollector implements XmlHandler {
  isWorksheet = false;
  private isInData = false;
  private rows: SheetRow[] = [];
  private row = 0;
  private cells: Cell[] = [];
  private column = -1;
  private type: string | undefined;
  private style = 0;
  private readonly value = new TextCollector();

  constructor(
    private readonly workbook: Workbook,
    private readonly maxColumns: number,
  ) {}

  /** Returns the rows completed since the last call. */
  take(): SheetRow[] {
    const rows = this.rows;
    this.rows = [];
    return rows;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'worksheet') this.isWorksheet = true;
    if (name === 'sheetData') this.isInData = true;
    if (!this.isInData) return;
    if (name === 'c') this.openCell(attributes);
    else if (name === 'row') this.openRow(attributes);
    else this.value.open(name);
  }

  text(piece: string): void {
    this.value.text(piece);
  }

  close(name: string): void {
    if (!this.isInData) return;
    if (name === 'c') this.closeCell();
    else if (name === 'row') this.rows.push({ row: this.row, cells: this.cells });
    else if (name === 'sheetData') this.isInData = false;
    else this.value.close(name);
  }

  /** Begins a row; rows and cells without a position follow the previous one. */
  private openRow({ r }: Attributes): void {
    const number = Number(r);
    this.row = Number.isSafeInteger(number) && number > this.row ? number : this.row + 1;
    this.cells = [];
    this.column = -1;
  }

  private openCell({ r, t, s }: Attributes): void {
    this.column = columnOf(r) ?? this.column + 1;
    this.type = t;
    this.style = Number(s ?? 0);
    this.value.clear();
  }

  private closeCell(): void {
    if (this.column >= this.maxColumns) return;
    while (this.cells.length < this.column) this.cells.push(null);
    this.cells[this.column] = cellOf(this.type, this.value.collected, this.style, this.workbook);
  }
}

/** Returns the column of a cell such as `AB12`, counted from zero. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  return letters === undefined ? undefined : [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Returns the value that Excel shows in a cell; for a formula, the result saved with it. */
function cellOf(type: string | undefined, text: string, style: number, { sharedStrings, dateStyles, is1904 }: Workbook): Cell {
  if (text === '') return null;
  if (type === 's') return sharedStrings[Number(text)] ?? null;
  if (type === 'str' || type === 'inlineStr') return unescapeText(text);
  if (type === 'b') return text === '1' || text === 'true';
  if (type === 'e') return text;
  if (type === 'd') return isoDateOf(text) ?? text;
  const number = Number(text);
  if (Number.isNaN(number)) return text;
  return dateStyles[style] ? dateOfSerial(number, is1904) : number;
}

/** Parses a date in text form, without a time zone, as strict documents may write it. */
function isoDateOf(text: string): Date | undefined {
  const date = new Date(/[T ]/.test(text) && !/(Z|[+-]\d\d:\d\d)$/.test(text) ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
