import { expect, test } from '@rstest/core';
import { before, entity } from '#shared/contract';
import { DateTime, Id, Integer, Money, Nullable, Text } from '#shared/fields';
import { formOfRow } from '../../../../src/plugins/transfers/server/sheet-forms.ts';
import { type Cell, columnsOf } from '../../../../src/plugins/transfers/server/sheets/cells.ts';

const Sale = entity(
  'sale',
  {
    id: Id(),
    name: Text({ title: ['名称', 'Name'] }),
    price: Money({ title: ['单价', 'Price'], minimum: 1, maximum: 5_000_000 }),
    pieces: Integer({ title: ['件数', 'Pieces'], default: 1 }),
    startTime: Nullable(DateTime({ title: ['开始时间', 'Start'] })),
    endTime: Nullable(DateTime({ title: ['结束时间', 'End'], endOfDay: true })),
  },
  { rules: [before('startTime', 'endTime')] },
);

const { id: _, version: _version, ...properties } = Sale.form.properties;
const columns = columnsOf(properties, 'zh').map((column) => ({ ...column, required: column.name === 'name' || column.name === 'price' }));
const mapping = columns.map(({ name }, column) => ({ column, field: name }));

async function judge(...cells: Cell[]) {
  const { form, problems } = await formOfRow(columns, mapping, { row: 2, cells }, undefined, Sale.rules);
  return { form, problems: problems.map(({ field, message }) => [field, message[0]]) };
}

test('a sheet with values out of bounds or with a third decimal is refused instead of changed', async () => {
  expect((await judge('a', '-50', 1)).problems).toEqual([['price', '单价须在0.01到50000.00之间']]);
  for (const price of ['300.555', 300.555, '300.0004', '¥1,300.555']) expect((await judge('a', price, 1)).problems).toEqual([['price', '单价最多2位小数']]);
  expect((await judge('a', '1.1', 1)).form).toMatchObject({ price: 110 });
  expect((await judge('a', 5, '1.5')).problems).toEqual([['pieces', '件数须为整数']]);
});

test('an end date without a time of day is its last second, and rules between fields are judged in the sheet', async () => {
  expect((await judge('a', 5, 1, '2099-01-01', '2099/1/1')).form).toMatchObject({ startTime: '2099-01-01 00:00:00', endTime: '2099-01-01 23:59:59' });
  expect((await judge('a', 5, 1, '2099-01-02', '2099-01-01')).problems).toEqual([['endTime', '结束时间须晚于开始时间']]);
  expect((await judge('a', 5, 1, '2099-01-02 08:00', '2099-01-02 08:00')).problems).toEqual([['endTime', '结束时间须晚于开始时间']]);
});
