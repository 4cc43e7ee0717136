import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import type { TSchema } from 'typebox';
import { crud, entity } from '#shared/contract';
import { DateOnly, Id, Nullable, Reference, Text } from '#shared/fields';
import { Tag } from '../../../../src/kernel/crud/cells/Tag.tsx';
import { CrudPage } from '../../../../src/kernel/crud/page/CrudPage.tsx';
import { ShownRelation } from '../../../../src/kernel/crud/record/related-list.ts';
import { showPage } from '../../../support/crud-screen.tsx';

beforeEach(cleanup);

const Device = entity('device', { id: Id(), name: Text({ title: ['名称', 'Name'] }) });
const device = crud('/api/device', Device);
const deviceId = Reference({ title: ['设备', 'Device'], from: { call: device.list, paged: true } });
const dueDate = DateOnly({ title: ['应还日期', 'Due date'], search: true });

function show(remark: TSchema, text: string | null = '拍摄用') {
  const loan = crud('/api/loan', entity('loan', { id: Id(), deviceId, dueDate, remark }));
  const row = { id: '7', deviceId: '1', dueDate: '2026-12-05', remark: text };
  const page = (record: object) => () => ({ records: [record], total: 1, totalExact: true });
  const answers = { [loan.list.path]: page(row), [loan.detail.path]: () => row, [device.list.path]: page({ id: '1', name: '佳能相机' }) };
  const render = ({ dueDate }: { readonly dueDate: string }) => <Tag tone="danger">{dueDate}</Tag>;
  const list = <CrudPage crud={loan} noun={['借用', 'loan']} columns={{ dueDate: { render } }} />;
  const relation = { list: loan.list.path, field: 'deviceId', value: '1' };
  const shown = (isRelated: boolean) =>
    showPage(isRelated ? <ShownRelation value={relation}>{list}</ShownRelation> : list, { answers, codes: ['loan', 'loan_view'] });
  return { shown };
}

test('a row opens by its reference if its only text can be empty', async () => {
  await show(Nullable(Text({ title: ['备注', 'Remark'] }))).shown(false);
  expect((await screen.findByText('佳能相机')).closest('button')).not.toBeNull();
  expect((await screen.findByText('拍摄用')).closest('button')).toBeNull();
});

test('a row opens by its first text', async () => {
  await show(Text({ title: ['用途', 'Purpose'] })).shown(false);
  expect((await screen.findByText('拍摄用')).closest('button')).not.toBeNull();
  expect((await screen.findByText('佳能相机')).closest('button')).toBeNull();
});

test('a record without a text of its own is headed by its reference', async () => {
  const { press } = await show(Nullable(Text({ title: ['备注', 'Remark'] })), null).shown(false);
  await press(await screen.findByText('佳能相机'));
  expect(await screen.findByRole('heading', { name: '借用 佳能相机' })).not.toBeNull();
});

test('the rows of a record have no column for it', async () => {
  await show(Nullable(Text({ title: ['备注', 'Remark'] }))).shown(true);
  await screen.findByText('2026-12-05');
  expect(screen.queryByRole('columnheader', { name: /设备/ })).toBeNull();
});

test('a column of tags is wide enough for them', async () => {
  await show(Nullable(Text({ title: ['备注', 'Remark'] }))).shown(false);
  await screen.findByText('2026-12-05');
  const place = screen.getAllByRole('columnheader').findIndex((heading) => /应还日期/.test(heading.textContent ?? ''));
  expect(parseFloat(document.querySelectorAll('col')[place]?.style.width ?? '')).toBeGreaterThan(110);
});

test('a date is picked in the panel of the filters', async () => {
  const { press } = await show(Nullable(Text({ title: ['备注', 'Remark'] }))).shown(false);
  expect(screen.queryByRole('textbox', { name: '应还日期' })).toBeNull();
  await press(screen.getByRole('button', { name: '筛选' }));
  const input = await screen.findByRole('textbox', { name: '应还日期' });
  expect(input.closest('.arco-picker')).not.toBeNull();
});
