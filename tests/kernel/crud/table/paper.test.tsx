import { expect, test } from '@rstest/core';
import { act, screen } from '@testing-library/react';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { Id, Text } from '../../../../src/shared/contract/fields.ts';
import { showCrud } from '../../../support/crud-screen.tsx';

const Lamp = entity('lamp', { id: Id(), name: Text({ title: ['名称', 'Name'] }) });

test('a long list prints every row, renders only visible ones on screen, and shows cards with a button for more on a phone', async () => {
  const rows = Array.from({ length: 260 }, (_, index) => ({ id: String(index + 1), name: `灯 ${index + 1}` }));
  const { press } = await showCrud({ crud: crud('/api/shop/lamp', Lamp, { tree: true }) }, { answers: { '/api/shop/lamp/list': () => rows }, codes: ['lamp'] });
  const drawn = () => document.querySelectorAll('[data-row]').length;
  const resize = (width: number) =>
    act(() => (window as unknown as { happyDOM: { setViewport(size: { width: number }): void } }).happyDOM.setViewport({ width }));
  expect(drawn()).toBeLessThan(100);
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(drawn()).toBe(260);
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(drawn()).toBeLessThan(100);

  const wide = window.innerWidth;
  resize(390);
  expect(drawn()).toBe(200);
  await press(screen.getByRole('button', { name: '再显示 60 条' }));
  expect(drawn()).toBe(260);
  expect(document.activeElement?.getAttribute('data-row')).toBe('201');
  expect(screen.queryByText(/已显示/)).toBeNull();
  resize(wide);
});
