import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { dateOfSerial, isDateFormat } from './cell-formats.ts';
import type { Cell, SheetRow } from './cells.ts';
import { unescapeText } from './xlsx-text.ts';
import { type Attributes, parseWholeXml, parseXml, type XmlHandler } from './xml-parser.ts';

/** Opens a part of a workbook's archive; undefined if there is none of this name. */
type OpenPart = (name: string) => Promise<Readable | undefined>;

/** Facts about a workbook that its cells refer to. */
interface Workbook {
  /** Name of the part with the first worksheet. */
  readonly sheet: string | undefined;
  readonly is1904: boolean;
  readonly sharedStrings: readonly string[];
  /** True for each cell style that shows numbers as dates. */
  readonly dateStyles: readonly boolean[];
}

interface Relationship {
  readonly id: string;
  /** Last segment of the type's URI, which strict and transitional documents have in common. */
  readonly type: string;
  readonly part: string;
}

/** Reads the parts that the cells of a workbook refer to; missing parts count as empty. */
async function readWorkbook(open: OpenPart): Promise<Workbook> {
  const [main = { part: 'xl/workbook.xml' }] = (await readRelationships(open, '')).filter(({ type }) => type === 'officeDocument');
  const relationships = await readRelationships(open, main.part);
  const part = (type: string) => relationships.find((one) => one.type === type)?.part ?? '';
  const { is1904, sheetIds } = await readSheetList(await open(main.part));
  const sheets = sheetIds.flatMap((id) => relationships.filter((one) => one.id === id && one.type === 'worksheet'));
  return {
    sheet: sheets[0]?.part,
    is1904,
    sharedStrings: await readSharedStrings(await open(part('sharedStrings'))),
    dateStyles: await readDateStyles(await open(part('styles'))),
  };
}

/** Reads the relationships of a part, or of the whole package for ''. */
async function readRelationships(open: OpenPart, source: string): Promise<Relationship[]> {
  const folder = posix.dirname(source);
  const content = await open(posix.join(folder, '_rels', `${posix.basename(source)}.rels`));
  const found: Relationship[] = [];
  if (!content) return found;
  await parseWholeXml(content, {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name === 'Relationship') found.push({ id: Id, type: posix.basename(Type), part: posix.resolve('/', folder, Target).slice(1) });
    },
  });
  return found;
}

async function readSheetList(content: Readable | undefined): Promise<{ is1904: boolean; sheetIds: string[] }> {
  let is1904 = false;
  const sheetIds: string[] = [];
  if (!content) return { is1904, sheetIds };
  await parseWholeXml(content, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      // The namespace prefix of relationships is the writer's choice.
      if (name === 'sheet') sheetIds.push(Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '');
    },
  });
  return { is1904, sheetIds };
}

async function readDateStyles(content: Readable | undefined): Promise<boolean[]> {
  const codes = new Map<number, string>();
  const formatIds: number[] = [];
  let list = '';
  if (!content) return [];
  await parseWholeXml(content, {
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'numFmts' || name === 'cellXfs') list = name;
      if (name === 'numFmt' && list === 'numFmts') codes.set(Number(numFmtId), formatCode);
      if (name === 'xf' && list === 'cellXfs') formatIds.push(Number(numFmtId ?? 0));
    },
    close(name) {
      if (name === list) list = '';
    },
  });
  return formatIds.map((id) => isDateFormat(id, codes.get(id)));
}

async function readSharedStrings(content: Readable | undefined): Promise<string[]> {
  const strings: string[] = [];
  const collector = new TextCollector();
  if (!content) return strings;
  await parseWholeXml(content, {
    open(name) {
      if (name === 'si') collector.clear();
      else collector.open(name);
    },
    text: (piece) => collector.text(piece),
    close(name) {
      if (name === 'si') strings.push(unescapeText(collector.collected));
      else collector.close(name);
    },
  });
  return strings;
}

/** Maximum number of characters of one cell; Excel accepts 32,767. */
const maxTextLength = 1024 * 1024;

/** Joins the texts of a cell or shared string: its value or all runs of rich text, without phonetic hints. Throws if a text exceeds `maxTextLength`. */
class TextCollector {
  collected = '';
  private isInText = false;
  private isInPhonetic = false;

  clear(): void {
    this.collected = '';
  }

  open(name: string): void {
    if (name === 'rPh') this.isInPhonetic = true;
    else if (name === 't' || name === 'v') this.isInText = !this.isInPhonetic;
  }

  text(piece: string): void {
    if (!this.isInText) return;
    this.collected += piece;
    if (this.collected.length > maxTextLength) throw new Error('A cell contains too much text.');
  }

  close(name: string): void {
    if (name === 'rPh') this.isInPhonetic = false;
    else if (name === 't' || name === 'v') this.isInText = false;
  }
}

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

/** Parses an ISO date of a strict document; without a time zone it counts as UTC, as strict documents may write it. */
function isoDateOf(text: string): Date | undefined {
  const date = new Date(/[T ]/.test(text) && !/(Z|[+-]\d\d:\d\d)$/.test(text) ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
