import { type PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Widget } from '#shared/fields';
import { serialOf } from './cell-formats.ts';
import { type Cell, dateText, displayText, type Heading } from './cells.ts';
import { escapeText } from './xlsx-text.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const headingStyle = 1;
/** Number formats of widgets, in the order of their cell styles. */
const formats: readonly (readonly [Widget, string])[] = [
  ['date-time', 'yyyy-mm-dd hh:mm:ss'],
  ['date', 'yyyy-mm-dd'],
  ['money', '#,##0.00'],
];
const firstCustomFormat = 164;
const widgetStyles: ReadonlyMap<Widget | undefined, number> = new Map(formats.map(([widget], index) => [widget, headingStyle + 1 + index]));
const styleOf = (widget: Widget | undefined): number => widgetStyles.get(widget) ?? 0;

const widths: Partial<Record<Widget, number>> = { 'date-time': 20, date: 12, textarea: 40, number: 12, money: 14 };
const widthOf = ({ title, widget }: Heading): number => (widget && widths[widget]) ?? Math.max(14, title.length * 2 + 4);

/** Name of the part that contains the worksheet. */
const worksheetPart = 'xl/worksheets/sheet1.xml';

/** The other parts of a workbook, which are independent of its rows. The content types come first, because programs recognize the file by them. */
const constantParts: readonly (readonly [name: string, xml: string])[] = [
  [
    '[Content_Types].xml',
    `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/${worksheetPart}" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`,
  ],
  ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
  [
    'xl/workbook.xml',
    `${declaration}<workbook xmlns="${main}" xmlns:r="${documents}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    relationships([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ]),
  ],
  ['xl/styles.xml', stylesXml()],
];

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const all = targets.map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${documents}/${type}" Target="${target}"/>`);
  return `${declaration}<Relationships xmlns="${packages}/relationships">${all.join('')}</Relationships>`;
}

function stylesXml(): string {
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
  const xf = (formatId: number, fontId: number) =>
    `<xf numFmtId="${formatId}" fontId="${fontId}" fillId="0" borderId="0" xfId="0"${formatId > 0 ? ' applyNumberFormat="1"' : ''}${fontId > 0 ? ' applyFont="1"' : ''}/>`;
  const ids = formats.map((_, index) => firstCustomFormat + index);
  return [
    `${declaration}<styleSheet xmlns="${main}">`,
    `<numFmts count="${formats.length}">${formats.map(([, code], index) => `<numFmt numFmtId="${ids[index]}" formatCode="${code}"/>`).join('')}</numFmts>`,
    `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${formats.length + 2}">${xf(0, 0)}${xf(0, 1)}${ids.map((id) => xf(id, 0)).join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('');
}

const frozenFirstRow =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** Generates the XML of a worksheet in pieces: the bold headings in a frozen first row, then the rows as they arrive. */
async function* worksheetXml(headings: readonly Heading[], rows: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<string> {
  const columns = headings.map((heading, index) => columnXml(heading, index + 1));
  const titles = headings.map(({ title }, index) => textXml(referenceOf(index, 1), title, headingStyle));
  yield `${declaration}<worksheet xmlns="${main}">${frozenFirstRow}<sheetFormatPr defaultRowHeight="15"/><cols>${columns.join('')}</cols><sheetData>`;
  yield `<row r="1">${titles.join('')}</row>`;
  let row = 1;
  for await (const batch of rows) {
    const lines = batch.map((cells) => {
      row += 1;
      return `<row r="${row}">${cells.map((cell, index) => cellXml(referenceOf(index, row), cell, headings[index]?.widget)).join('')}</row>`;
    });
    yield lines.join('');
  }
  yield '</sheetData></worksheet>';
}

const referenceOf = (column: number, row: number) => `${lettersOf(column)}${row}`;

const columnXml = (heading: Heading, number: number) =>
  `<col min="${number}" max="${number}" width="${widthOf(heading)}" style="${styleOf(heading.widget)}" customWidth="1"/>`;

/** Returns the letters of a column counted from zero: A to Z, AA and so on. */
function lettersOf(index: number): string {
  return `${index >= 26 ? lettersOf(Math.floor(index / 26) - 1) : ''}${String.fromCharCode(65 + (index % 26))}`;
}

function cellXml(reference: string, cell: Cell, widget: Widget | undefined): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'string') return textXml(reference, cell, 0);
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const number = cell instanceof Date ? serialOf(cell) : cell;
  if (number === undefined) return textXml(reference, dateText(cell as Date, widget), 0);
  return Number.isFinite(number) ? `<c r="${reference}" s="${styleOf(widget)}"><v>${number}</v></c>` : '';
}

/** Maximum number of characters Excel accepts in one cell. */
const maxCellLength = 32_767;

/** Writes an inline text, which no program reads as a formula; a table of shared strings would have to stay in memory. */
function textXml(reference: string, text: string, style: number): string {
  const content = escapeText(text.length > maxCellLength ? text.slice(0, maxCellLength) : text);
  return `<c r="${reference}"${style > 0 ? ` s="${style}"` : ''} t="inlineStr"><is><t${/^\s|\s$|\n/.test(content) ? ' xml:space="preserve"' : ''}>${content}</t></is></c>`;
}

type RowBatches = AsyncIterable<readonly (readonly Cell[])[]>;

/** Formats a sheet as CSV that Excel reads: UTF-8 with a byte order mark, CRLF, and quotes where needed. */
export function csvOf(headings: readonly Heading[], rows: RowBatches): Readable {
  const lines = async function* () {
    yield `\ufeff${csvLine(headings.map(({ title }) => title))}`;
    for await (const batch of rows) yield batch.map((row) => csvLine(row.map((cell, index) => displayText(cell, headings[index]?.widget)))).join('');
  };
  return Readable.from(lines(), { objectMode: false });
}

const csvLine = (cells: readonly string[]) => `${cells.map((text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(',')}\r\n`;

/** Formats a sheet as XLSX. Rows are compressed as they arrive, at the speed of the reader, so few of them are in memory at a time. */
export function xlsxOf(headings: readonly Heading[], rows: RowBatches): Readable {
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
