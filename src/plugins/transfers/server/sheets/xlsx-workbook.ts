import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { isDateFormat } from './cell-formats.ts';
import { unescapeText } from './xlsx-text.ts';
import { parseWholeXml } from './xml-parser.ts';

/** Opens a part of a workbook's archive; undefined if there is none of this name. */
export type OpenPart = (name: string) => Promise<Readable | undefined>;

/** Facts about a workbook that its cells refer to. */
export interface Workbook {
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
export async function readWorkbook(open: OpenPart): Promise<Workbook> {
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

/** Joins the texts of a cell or shared string: its value or all runs of rich text, without phonetic hints. Throws for a text no cell can contain. */
export class TextCollector {
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
