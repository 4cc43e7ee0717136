import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { Id, Integer, Money, MultiSelect, Nullable, Text } from '../../../../src/shared/contract/fields.ts';
import { showCrud } from '../../../support/crud-screen.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const Lamp = entity('lamp', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'], search: true, compare: 'likeright' }),
  watts: Integer({ title: ['瓦数', 'Watts'], search: true, compare: 'between' }),
  price: Money({ title: ['价格', 'Price'], search: true, compare: 'between' }),
  place: Text({ title: ['位置', 'Place'], wide: true }),
  rooms: Nullable(MultiSelect(Text({ title: ['房间', 'Rooms'] }))),
});
const lamp = crud('/api/shop/lamp', Lamp);
const answers = { '/api/shop/lamp/list': () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 }) };

test('a field is compared as declared; either end of a range may stay open', async () => {
  const { http, user, press, settle, openFilters } = await showCrud({ crud: lamp }, { codes: ['lamp'], answers });
  const searchBar = within(document.querySelector('search') as HTMLElement);
  const lastQuery = () => http.to('/list').at(-1)?.input as Record<string, unknown>;
  const chips = () => [...document.querySelectorAll('.crud-chip span')].map(({ textContent }) => textContent);
  let filters = await openFilters();
  const search = async () => {
    await press(filters.getByRole('button', { name: '查询' }));
    await settle();
  };

  await user.type(searchBar.getByRole('textbox', { name: '名称' }), '落地');
  await user.type(await filters.findByRole('spinbutton', { name: '瓦数：最小' }), '5');
  await search();
  expect(lastQuery()).toMatchObject({ name_likeright: '落地', watts_ge: 5 });
  expect(lastQuery()).not.toHaveProperty('watts_le');
  await waitFor(() => expect(chips()).toContain('瓦数: ≥ 5'));

  filters = await openFilters();
  await user.type(await filters.findByRole('spinbutton', { name: '瓦数：最大' }), '40');
  await user.type(await filters.findByRole('spinbutton', { name: '价格：最大' }), '12.5');
  await search();
  expect(lastQuery()).toMatchObject({ watts_ge: 5, watts_le: 40, price_le: 1250 });
  expect(lastQuery()).not.toHaveProperty('price_ge');
  await waitFor(() => expect(chips()).toEqual(expect.arrayContaining(['瓦数: 5 – 40', expect.stringMatching(/^价格: ≤ .*12\.5/)])));

  filters = await openFilters();
  await user.clear(await filters.findByRole('spinbutton', { name: '瓦数：最小' }));
  await user.clear(await filters.findByRole('spinbutton', { name: '瓦数：最大' }));
  await search();
  expect(Object.keys(lastQuery()).filter((name) => name.startsWith('watts'))).toEqual([]);
});

test('a wide field takes a whole row of the form', async () => {
  const { press, settle } = await showCrud({ crud: lamp }, { codes: ['lamp', 'lamp_add'], answers });
  await press(screen.getAllByRole('button', { name: '新增' })[0] as HTMLElement);
  await screen.findByRole('button', { name: '保存' });
  await settle();
  const wide = [...document.querySelectorAll<HTMLElement>('.crud-form__item_wide')].map(({ dataset }) => dataset.field);
  expect(wide).toEqual(['place']);
});

test('a cell shows the first two of many values and the number of the others, and lists them all on demand', async () => {
  const row = (id: string, rooms: readonly string[]) => ({ id, name: 'x', watts: 1, price: 1, place: 'x', rooms });
  const records = [row('1', ['厅', '厨', '卧', '浴', '廊']), row('2', ['厅', '厨', '卧'])];
  const list = () => ({ records, total: 2, totalExact: true, size: 10, current: 1, pages: 1 });
  const { user } = await showCrud({ crud: lamp }, { codes: ['lamp'], answers: { '/api/shop/lamp/list': list } });
  const cells = [...document.querySelectorAll<HTMLElement>('.cell_several')];
  expect(cells.map(({ textContent }) => textContent)).toEqual(['厅厨+3卧浴廊', '厅厨卧']);
  const more = cells[0]?.querySelector<HTMLElement>('.cell_more') as HTMLElement;
  await user.hover(more);
  expect(more.title).toBe('卧 · 浴 · 廊');
});
