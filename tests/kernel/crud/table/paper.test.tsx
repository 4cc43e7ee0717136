import { expect, test } from '@rstest/core';
import { act } from '@testing-library/react';
import { crud, entity } from '../../../../src/shared/contract.ts';
import { Id, Text } from '../../../../src/shared/fields.ts';
import { showCrud } from '../../../support/crud-screen.tsx';

const Lamp = entity('lamp', { id: Id(), name: Text({ title: ['名称', 'Name'] }) });

test('of a long list every row is on paper, and only those in sight are on screen', async () => {
  const rows = Array.from({ length: 260 }, (_, index) => ({ id: String(index + 1), name: `灯 ${index + 1}` }));
  await showCrud({ crud: crud('/api/shop/lamp', Lamp, { tree: true }) }, { answers: { '/api/shop/lamp/list': () => rows }, codes: ['lamp'] });
  const drawn = () => document.querySelectorAll('[data-row]').length;
  expect(drawn()).toBeLessThan(100);
  act(() => void window.dispatchEvent(new Event('beforeprint')));
  expect(drawn()).toBe(260);
  act(() => void window.dispatchEvent(new Event('afterprint')));
  expect(drawn()).toBeLessThan(100);
});
