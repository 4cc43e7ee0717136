import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@rstest/core';
import type { SheetRow } from '../../../../src/plugins/transfers/server/sheets/cells.ts';
import { sheetRows } from '../../../../src/plugins/transfers/server/sheets/sheet-reader.ts';
import { longestTurn, shortest } from '../../../support/event-loop-delay.ts';
import { zipOf } from '../../../support/zip.ts';

const samples = join(import.meta.dirname, 'samples');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-sheet-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function read(path: string): Promise<SheetRow[]> {
  const rows = [];
  for await (const row of sheetRows(path)) rows.push(row);
  return rows;
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relationships = (...all: [type: string, target: string][]) =>
  `<Relationships>${all.map(([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${documents}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
const worksheet = (rows: string) => `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`;

/** Returns the parts of a workbook with one sheet; the given parts replace its own. */
const partsOf = (rows: string, parts: Record<string, string> = {}): Record<string, string> => ({
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels': relationships(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${documents}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relationships(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml'], ['sharedStrings', 'sharedStrings.xml']),
  'xl/worksheets/sheet1.xml': worksheet(rows),
  ...parts,
});

async function readParts(parts: Record<string, string>): Promise<SheetRow[]> {
  const path = join(folder, 'book.xlsx');
  writeFileSync(path, await zipOf(parts));
  return read(path);
}

const cellsOf = async (rows: string, parts?: Record<string, string>) => (await readParts(partsOf(rows, parts))).map(({ cells }) => cells);
const styles = (...codes: string[]) => ({
  'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${codes.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`).join('')}</numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${codes.map((_, index) => `<xf numFmtId="${164 + index}"/>`).join('')}<xf numFmtId="14"/></cellXfs>
    <dxfs><dxf><numFmt numFmtId="164" formatCode="yyyy"/></dxf></dxfs></styleSheet>`,
});

describe('workbooks of other programs', () => {
  const rest = [
    { row: 5, cells: ['hidden'] },
    { row: 6, cells: [null, 'merged', null, null, 'after'] },
  ];
  const row2 = ['海山 <&> "a"', 1234.5, new Date('2026-01-31T00:00:00Z'), new Date('2026-01-31T08:30:15Z'), new Date('1899-12-30T08:30:00Z'), true];
  const row3 = [' two\nlines ', -7, new Date('1999-12-31T00:00:00Z'), new Date('2024-02-29T23:59:59Z'), new Date('1899-12-30T23:59:59Z'), false];
  const headings = { row: 1, cells: ['文本', 'number', 'day', 'moment', 'time', 'yes', 'formula', 'error', 'percent'] };

  test('of openpyxl: texts in cells, dates by format, formulas without results, hidden rows and merged cells are read', async () => {
    expect(await read(join(samples, 'openpyxl.xlsx'))).toEqual([
      headings,
      { row: 2, cells: [...row2, null, '#N/A', 0.25] },
      { row: 3, cells: [...row3, null, '#DIV/0!', 1] },
      ...rest,
    ]);
  });

  test('of LibreOffice: shared texts and the results of formulas are read', async () => {
    const rows = await read(join(samples, 'libreoffice.xlsx'));
    const trimmed = rows.map(({ row, cells }) => ({ row, cells: cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1) }));
    expect(trimmed).toEqual([headings, { row: 2, cells: [...row2, 2469, '#N/A', 0.25] }, { row: 3, cells: [...row3, '=海山 <&> "a"', '#DIV/0!', 1] }, ...rest]);
  });

  test('of openpyxl, written as a stream: every row is read', async () => {
    const rows = await read(join(samples, 'openpyxl-write-only.xlsx'));
    expect(rows).toHaveLength(1000);
    expect(rows.at(-1)).toEqual({ row: 1000, cells: ['row 1000', 1000, new Date('2026-01-01T00:00:01Z')] });
  });

  test('of openpyxl, with dates counted from 1904: dates are the same days', async () => {
    expect(await read(join(samples, 'openpyxl-1904.xlsx'))).toEqual([{ row: 1, cells: [new Date('2026-01-31T00:00:00Z'), new Date('2026-01-31T08:30:00Z')] }]);
  });
});

test('the first sheet of the book is read, with its texts and dates, at any position in the file', async () => {
  const rows = await readParts(
    partsOf('<row r="1"><c r="A1" t="inlineStr"><is><t>another</t></is></c></row>', {
      'xl/workbook.xml': `<workbook xmlns:r="${documents}"><sheets><sheet name="first" sheetId="2" r:id="rId2"/><sheet name="later" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relationships(
        ['worksheet', 'worksheets/sheet1.xml'],
        ['worksheet', '/xl/worksheets/sheet2.xml'],
        ['styles', 'styles.xml'],
        ['sharedStrings', 'SharedStrings.xml'],
      ),
      'xl/worksheets/sheet2.xml': worksheet(
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" s="1"><v>46053</v></c></row>',
      ),
      'xl/sharedStrings.xml': '<sst><si><t>名称</t></si><si><t>日期</t></si><si><t>海山</t></si></sst>',
      ...styles('yyyy-mm-dd'),
    }),
  );
  expect(rows).toEqual([
    { row: 1, cells: ['名称', '日期'] },
    { row: 2, cells: ['海山', new Date('2026-01-31T00:00:00Z')] },
  ]);
});

test('a number is a date where its format shows one', async () => {
  const dates = ['yyyy\\-mm\\-dd', 'm&quot;月&quot;d&quot;日&quot;', '[$-804]h:mm AM/PM', '[h]:mm', 'mm:ss.0', '[$-F800]dddd\\,\\ mmmm', 'yyyy年m月d日'];
  const numbers = ['0.00_);[Red]\\(0.00\\)', '#,##0&quot; days&quot;', 'General&quot;m&quot;', '[Red]0.0E+00', '@', '0_d', '[&gt;100]0\\h;0'];
  const cells = [...dates, ...numbers].map((_, index) => `<c s="${index + 1}"><v>46053.5</v></c>`);
  const last = `<c s="${cells.length + 1}"><v>1</v></c><c s="0"><v>59</v></c>`;
  const [row] = await cellsOf(`<row>${cells.join('')}${last}</row>`, styles(...dates, ...numbers));
  const noon = new Date('2026-01-31T12:00:00Z');
  expect(row).toEqual([...dates.map(() => noon), ...numbers.map(() => 46053.5), new Date('1900-01-01T00:00:00Z'), 59]);
});

test('texts in runs are joined, without hints of how they are read aloud', async () => {
  const rich = '<r><rPr><b/></rPr><t>海</t></r><r><t xml:space="preserve"> 山_x000D_</t></r><rPh sb="0" eb="1"><t>hai</t></rPh>';
  const rows = await cellsOf(
    `<row><c t="s"><v>0</v></c><c t="inlineStr"><is>${rich}</is></c><c t="str"><f>A1</f><v>a&amp;b</v></c><c t="s"><v>9</v></c><c t="inlineStr"/><c><f>1+1</f></c></row>`,
    { 'xl/sharedStrings.xml': `<sst><si>${rich}</si></sst>` },
  );
  expect(rows).toEqual([['海 山\r', '海 山\r', 'a&b', null, null, null]]);
});

test('prefixes of names, missing places, dates as text and CDATA are read', async () => {
  const rows = await readParts(
    partsOf('', {
      '_rels/.rels': relationships(['officeDocument', '/xl/book.xml']),
      'xl/book.xml': '<x:workbook><x:sheets><x:sheet name="a" rel:id="rId1"/></x:sheets></x:workbook>',
      'xl/_rels/book.xml.rels': relationships(['worksheet', './worksheets/Sheet1.xml']),
      'xl/worksheets/sheet1.xml': `<x:worksheet><x:sheetData><x:row r="3"><x:c><x:v>1</x:v></x:c><x:c r="C3" t="d"><x:v>2026-01-31T08:00:00</x:v></x:c></x:row>
        <x:row><x:c t="inlineStr"><x:is><x:t><![CDATA[<a>]]></x:t></x:is></x:c><x:c t="b"><x:v>true</x:v></x:c></x:row></x:sheetData>
        <x:extLst><x:row><x:c><x:v>9</x:v></x:c></x:row></x:extLst></x:worksheet>`,
    }),
  );
  expect(rows).toEqual([
    { row: 3, cells: [1, null, new Date('2026-01-31T08:00:00Z')] },
    { row: 4, cells: ['<a>', true] },
  ]);
});

test('cells beyond the known columns are ignored', async () => {
  expect(await cellsOf('<row><c r="A1"><v>1</v></c><c r="GR1"><v>200</v></c><c r="GS1"><v>201</v></c><c r="XFD1"><v>9</v></c></row>')).toEqual([
    [1, ...Array.from({ length: 198 }, () => null), 200],
  ]);
});

test('an archive that is not a workbook, or a truncated one, is refused', async () => {
  const refusal = 'The file cannot be read. Use a CSV or XLSX file.';
  await expect(readParts({ 'word/document.xml': '<w:document/>' })).rejects.toThrow(refusal);
  await expect(readParts(partsOf('', { 'xl/worksheets/sheet1.xml': '<chartsheet/>' }))).rejects.toThrow(refusal);
  await expect(readParts(partsOf('', { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row><c><v>1' }))).rejects.toThrow(refusal);
  await expect(readParts(partsOf('', { 'xl/sharedStrings.xml': '<sst><si><t>a' }))).rejects.toThrow(refusal);
  await expect(readParts(partsOf('<row><c><v>&x;</v></c></row>', { 'xl/styles.xml': '<!DOCTYPE a [<!ENTITY x "1">]><styleSheet/>' }))).resolves.toEqual([
    { row: 1, cells: ['&x;'] },
  ]);
});

describe('a CSV file', () => {
  async function readCsv(content: string | Uint8Array): Promise<SheetRow[]> {
    const path = join(folder, 'sheet.csv');
    writeFileSync(path, content);
    return read(path);
  }

  test('is read in slices that cut nothing apart: characters, quotes, line ends and the numbers of rows', async () => {
    const rows = Array.from({ length: 5000 }, (_, each) => ({ row: 3 * each + 4, cells: [`海${each}`, '山,\n"x"', '😀'] }));
    const csv = `\ufeffa,b,c\r\n\r\n${rows.map(({ cells: [name] }) => `${name},"山,\n""x""",😀\r\n\r\n`).join('')}`;
    expect(Buffer.byteLength(csv)).toBeGreaterThan(100_000);
    expect(await readCsv(csv)).toEqual([{ row: 1, cells: ['a', 'b', 'c'] }, ...rows]);
    expect(await readCsv(Buffer.concat([Buffer.from('a;b\n'), Buffer.from([0xba, 0xa3, 0x3b, 0xc9, 0xbd, 0x0a])]))).toEqual([
      { row: 1, cells: ['a', 'b'] },
      { row: 2, cells: ['海', '山'] },
    ]);
  });

  test('with the maximum number of rows blocks no request', async () => {
    let rows: SheetRow[] = [];
    const csv = `name,phone,email\n${'海山,13800000000,a@b.cn\n'.repeat(100_000)}`;
    const took = await shortest(() =>
      longestTurn(async () => {
        rows = await readCsv(csv);
      }),
    );
    expect(rows).toHaveLength(100_001);
    expect(took).toBeLessThan(50);
  });

  test('of too many columns or rows is refused before they are parsed; delimiters and line ends in quotes do not count', async () => {
    expect(await readCsv(`a\n"${','.repeat(300)}"${','.repeat(199)}`)).toMatchObject([{ cells: ['a'] }, { cells: { length: 200 } }]);
    expect(await readCsv(`a\n"${'\n'.repeat(100_010)}"\nb`)).toHaveLength(3);
    await expect(readCsv(`a\n${','.repeat(200)}`)).rejects.toThrow('A file can have up to 200 columns.');
    await expect(readCsv(`a\n${'1\n'.repeat(100_001)}`)).rejects.toThrow('A file can have up to 100000 rows.');
    await expect(readCsv('a\n"b"c')).rejects.toThrow('The file cannot be read.');
  });
});
