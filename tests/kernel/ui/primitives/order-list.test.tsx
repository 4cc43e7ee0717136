import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { useState } from 'react';
import { OrderList } from '../../../../src/kernel/ui/primitives/OrderList.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

function Banners() {
  const [rows, setRows] = useState<readonly { readonly id: string }[]>([{ id: '1' }, { id: '2' }, { id: '3' }]);
  return <OrderList rows={rows} nameOf={({ id }) => `横幅 ${id}`} onOrder={setRows} />;
}

test('a row that is moved by its buttons keeps the focus at the ends of the list too', async () => {
  const { press } = await showPage(<Banners />, { answers: {} });
  const focused = () => document.activeElement?.getAttribute('aria-label');
  await press(screen.getByRole('button', { name: '上移 横幅 3' }));
  expect(focused()).toBe('上移 横幅 3');
  await press(screen.getByRole('button', { name: '上移 横幅 3' }));
  expect(focused()).toBe('下移 横幅 3');
  await press(screen.getByRole('button', { name: '下移 横幅 1' }));
  expect(focused()).toBe('上移 横幅 1');
});
