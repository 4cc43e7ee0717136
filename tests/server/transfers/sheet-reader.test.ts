import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@rstest/core';
import excel from 'exceljs';
import { sheetRows } from '../../../src/server/transfers/sheet-reader.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-sheet-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the sheet that stands first in the book is read, with its texts and dates, wherever it is in the file', async () => {
  const book = new excel.Workbook();
  book.addWorksheet('later').addRow(['another']);
  const first = book.addWorksheet('first') as excel.Worksheet & { orderNo: number };
  first.orderNo = -1;
  first.addRow(['名称', '日期']);
  first.addRow(['海山', new Date('2026-01-31T00:00:00Z')]).getCell(2).numFmt = 'yyyy-mm-dd';
  const path = join(folder, 'book.xlsx');
  await book.xlsx.writeFile(path);
  const rows = [];
  for await (const row of sheetRows(path)) rows.push(row);
  expect(rows).toEqual([
    { row: 1, cells: ['名称', '日期'] },
    { row: 2, cells: ['海山', new Date('2026-01-31T00:00:00Z')] },
  ]);
});
