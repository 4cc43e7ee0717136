import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@rstest/core';
import type { Cell, Heading } from '../../../../src/plugins/transfers/server/sheets/cells.ts';
import { xlsxOf } from '../../../../src/plugins/transfers/server/sheets/sheet-writer.ts';
import { openSheet, sheetOf } from '../../../support/workbook.ts';

const batches = async function* (...all: Cell[][][]) {
  for (const batch of all) yield batch;
};
const write = (headings: readonly Heading[], ...all: Cell[][][]) => buffer(xlsxOf(headings, batches(...all)));

test('a sheet has bold headings in a frozen row, a width for each column, and formats for dates and amounts', async () => {
  const headings: Heading[] = [{ title: '名称' }, { title: '时刻', widget: 'date-time' }, { title: '日', widget: 'date' }, { title: '金额', widget: 'money' }];
  const noon = new Date('2026-01-31T12:00:00Z');
  const sheet = await openSheet(await write(headings, [['a', noon, noon, 1.5]], [['b', null, null, null]]));
  expect(sheet.freezePane).toMatchObject({ rows: 1 });
  expect(sheet.columns?.map(({ width }) => width)).toEqual([14, 20, 12, 14]);
  expect(sheet.rows).toEqual([
    ['名称', '时刻', '日', '金额'],
    ['a', noon, noon, 1.5],
    ['b', null, null, null],
  ]);
  const formatOf = (column: number) => sheet.cells?.get(`1,${column}`)?.style?.numFmt;
  expect([1, 2, 3].map(formatOf)).toEqual(['yyyy-mm-dd hh:mm:ss', 'yyyy-mm-dd', '#,##0.00']);
  expect(sheet.cells?.get('0,3')?.style?.font).toMatchObject({ bold: true });
});

test('every text stays a text, with any content', async () => {
  const texts = ['=1+1', '<&>"\'', ' a\nb ', '\t', '_x0041_', 'a\u0001\u001f\uffffb', '😀', '00012', '2026-01-31', 'TRUE', 'x'.repeat(32_767)];
  const bytes = await write([{ title: 'a' }], [texts.map((text) => text)]);
  expect(await sheetOf(bytes)).toEqual([['a'], texts]);
  const sheet = await openSheet(bytes);
  expect([...(sheet.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined)).toEqual([]);
  expect(await sheetOf(await write([{ title: '<b>' }], [['a\r\nb\rc'], ['x'.repeat(40_000)]]))).toEqual([['<b>'], ['a\nb\nc'], ['x'.repeat(32_767)]]);
});

test('numbers that Excel cannot represent are omitted, and such dates are texts', async () => {
  const headings: Heading[] = [{ title: 'a', widget: 'date-time' }, { title: 'b', widget: 'date' }, { title: 'c' }];
  const old = new Date('1900-02-28T08:00:00Z');
  const rows = [
    [old, old, Number.NaN],
    [new Date('1900-03-01T00:00:00Z'), new Date(Number.NaN), true],
  ];
  expect(await sheetOf(await write(headings, rows))).toEqual([
    ['a', 'b', 'c'],
    ['1900-02-28 08:00:00', '1900-02-28'],
    [new Date('1900-03-01T00:00:00Z'), null, true],
  ]);
});

test('columns after Z are named as in Excel', async () => {
  const cells = Array.from({ length: 705 }, (_, index) => index);
  const bytes = await write(
    cells.map((index) => ({ title: `c${index}` })),
    [cells],
  );
  expect((await sheetOf(bytes))[1]).toEqual(cells);
});

test('rows are read no faster than the file is written, and no more of them once it is cancelled', async () => {
  let taken = 0;
  let isClosed = false;
  const rows = async function* () {
    try {
      // The digits of a random number cannot be compressed away.
      for (; taken < 1000; taken += 1) yield Array.from({ length: 100 }, () => [String(Math.random()), String(Math.random())]);
    } finally {
      isClosed = true;
    }
  };
  const chunks = xlsxOf([{ title: 'a' }, { title: 'b' }], rows())[Symbol.asyncIterator]();
  while (taken === 0) await chunks.next();
  for (let before = -1; before < taken; await wait(250)) before = taken;
  expect(taken).toBeLessThan(500);
  expect(isClosed).toBe(false);
  await chunks.return?.();
  await expect.poll(() => isClosed).toBe(true);
  expect(taken).toBeLessThan(500);
});

test('a failure while rows are read is the failure of the file', async () => {
  const rows = async function* () {
    yield [['a']];
    throw new Error('no more rows');
  };
  await expect(buffer(xlsxOf([{ title: 'a' }], rows()))).rejects.toThrow('no more rows');
  // Also if the rows fail before the file is read.
  const file = xlsxOf([{ title: 'a' }], rows());
  await new Promise((done) => file.once('close', done));
  await expect(buffer(file)).rejects.toThrow('no more rows');
});
