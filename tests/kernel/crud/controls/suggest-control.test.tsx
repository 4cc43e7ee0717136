import { expect, test } from '@rstest/core';
import { act, screen, waitFor } from '@testing-library/react';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { Id, Text } from '../../../../src/shared/contract/fields.ts';
import { showCrud } from '../../../support/crud-screen.tsx';

const known = [
  { value: 'file.most', title: ['文件上限', 'Most files'], help: ['', ''] },
  { value: 'log.days', title: ['日志天数', 'Days of logs'], help: ['', ''] },
] as const;
const lamp = crud(
  '/api/shop/lamp',
  entity('lamp', { id: Id(), name: Text({ title: ['名称', 'Name'] }), key: Text({ title: ['键名', 'Key'], suggestions: known }) }),
);

test('suggestions appear on typing, clicking and arrow keys, and the active option is announced', async () => {
  const { press, user, settle } = await showCrud(
    { crud: lamp },
    {
      codes: ['lamp', 'lamp_add'],
      answers: { '/api/shop/lamp/list': () => ({ records: [], total: 0, totalExact: true, size: 20, current: 1, pages: 0 }) },
    },
  );
  await press(screen.getAllByRole('button', { name: '新增' })[0] as HTMLElement);
  await screen.findByRole('button', { name: '保存' });
  await settle();
  const field = await screen.findByRole('combobox', { name: '键名' });
  const list = () => screen.queryByRole('listbox', { name: '键名：可选值' });
  const offered = () => Array.from(list()?.querySelectorAll('[role=option]') ?? [], ({ textContent }) => textContent);
  const pointed = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
  const keys = async (text: string) => {
    await user.keyboard(text);
    await settle();
  };

  await act(() => field.focus());
  await settle();
  expect([list(), field.getAttribute('aria-expanded')]).toEqual([null, 'false']);

  await keys('{ArrowDown}');
  expect(list()?.id).toBe(field.getAttribute('aria-controls'));
  expect([field.getAttribute('aria-expanded'), pointed()?.textContent]).toEqual(['true', 'file.most 文件上限']);
  await keys('{ArrowUp}');
  expect([pointed()?.textContent, pointed()?.getAttribute('aria-selected')]).toEqual(['log.days 日志天数', 'true']);
  await keys('{Escape}');
  expect(field.getAttribute('aria-expanded')).toBe('false');
  await waitFor(() => expect(list()).toBeNull());
  expect(screen.getByRole('button', { name: '保存' })).toBeTruthy();

  await user.click(field);
  await settle();
  expect([offered().length, pointed()]).toEqual([2, null]);
  await keys('日志');
  expect(offered()).toEqual(['log.days 日志天数']);
  await keys('{ArrowDown}{Enter}');
  expect([(field as HTMLInputElement).value, field.getAttribute('aria-expanded')]).toEqual(['log.days', 'false']);
  expect(document.activeElement).toBe(field);
});
