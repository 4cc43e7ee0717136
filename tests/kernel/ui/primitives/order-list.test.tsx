import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { useState } from 'react';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import { OrderList, useOrder } from '../../../../src/kernel/ui/primitives/OrderList.tsx';
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

const banners = [{ id: '1' }, { id: '2' }, { id: '3' }];

function SavedBanners({ save, refetch }: { readonly save: (ids: string) => Promise<boolean>; readonly refetch: () => void }) {
  const { rows = [], order } = useOrder({ data: banners, refetch }, (next) => save(next.map(({ id }) => id).join('')));
  return <OrderList rows={rows} nameOf={({ id }) => `横幅 ${id}`} onOrder={(next) => void order(next)} />;
}

test('orders are saved one after the other, and one without an answer is reported', async () => {
  const saves: { readonly ids: string; readonly end: (error?: Error) => void }[] = [];
  const save = (ids: string) => new Promise<boolean>((resolve, reject) => saves.push({ ids, end: (error) => (error ? reject(error) : resolve(true)) }));
  const reloads: string[] = [];
  const { press, messages, settle } = await showPage(<SavedBanners save={save} refetch={() => void reloads.push('again')} />, { answers: {} });
  for (let count = 0; count < 2; count += 1) await press(screen.getByRole('button', { name: '上移 横幅 3' }));
  await press(screen.getByRole('button', { name: '上移 横幅 2' }));
  expect(saves.map(({ ids }) => ids)).toEqual(['132']);
  saves[0]?.end();
  await settle();
  expect(saves.map(({ ids }) => ids)).toEqual(['132', '321']);
  saves[1]?.end(new TransportError('offline'));
  await settle();
  expect([reloads, messages]).toEqual([['again'], ['error: 网络已断开，请检查网络连接']]);
});
