import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { type ModelRow, model, prototype } from '#plugins/codegen/contract';
import { PrototypeGrid } from '../../../../src/plugins/codegen/console/PrototypeGrid.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const draft = (jdbcName: string) => ({
  id: null,
  modelId: '1',
  name: jdbcName,
  comment: '',
  jdbcName,
  jdbcType: 'int',
  jdbcComment: jdbcName,
  englishName: jdbcName,
  propertyName: jdbcName,
  componentType: 'input',
  dictCode: null,
  isList: 1,
  isForm: 1,
  isRow: 0,
  isRequired: 0,
  isQuery: 1,
  queryType: 'between',
  options: null,
});

async function open() {
  const page = await showPage(<PrototypeGrid row={{ id: '1', modelName: '商品' } as ModelRow} />, {
    codes: ['model_edit'],
    answers: { [model.prototypes.path]: () => ['a', 'b', 'c'].map(draft), [prototype.submitList.path]: () => null },
  });
  const table = await screen.findByRole('table', { name: /商品/ });
  const order = () =>
    within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent?.[0]);
  return { ...page, table, order };
}

test('an order that was not saved comes back after a reload, until it is saved', async () => {
  const first = await open();
  await first.press(screen.getByRole('button', { name: '上移 c' }));
  cleanup();
  const again = await open();
  expect(again.order()).toEqual(['a', 'c', 'b']);
  await again.press(screen.getByRole('button', { name: '保存' }));
  cleanup();
  expect((await open()).order()).toEqual(['a', 'b', 'c']);
});

test('a row is moved by its buttons, its position is announced, and saved', async () => {
  const { press, order, inputs } = await open();
  expect(order()).toEqual(['a', 'b', 'c']);
  expect((screen.getByRole('button', { name: '上移 a' }) as HTMLButtonElement).disabled).toBe(true);
  expect((screen.getByRole('button', { name: '下移 c' }) as HTMLButtonElement).disabled).toBe(true);
  await press(screen.getByRole('button', { name: '上移 c' }));
  expect(order()).toEqual(['a', 'c', 'b']);
  expect(screen.getByText('c 已移到第 2 位，共 3 位')).toBeTruthy();
  await press(screen.getByRole('button', { name: '下移 a' }));
  expect(order()).toEqual(['c', 'a', 'b']);
  await press(screen.getByRole('button', { name: /保存/ }));
  const [saved] = inputs(prototype.submitList) as unknown as { jdbcName: string }[][];
  expect(saved?.map(({ jdbcName }) => jdbcName)).toEqual(['c', 'a', 'b']);
});

test('a row is dragged to its drop position, with its input', async () => {
  const { table, order, settle, user } = await open();
  await user.type(screen.getAllByRole('textbox')[0] as HTMLElement, '!');
  const rows = within(table).getAllByRole('row').slice(1);
  fireEvent.dragStart(rows[0]?.querySelector('[draggable]') as HTMLElement);
  fireEvent.dragOver(rows[2] as HTMLElement);
  fireEvent.drop(rows[2] as HTMLElement);
  await settle();
  expect(order()).toEqual(['b', 'c', 'a']);
  expect(screen.getAllByRole<HTMLInputElement>('textbox').some(({ value }) => value === 'a!')).toBe(true);
});
