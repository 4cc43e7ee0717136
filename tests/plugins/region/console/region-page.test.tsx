import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { region } from '#plugins/region/contract';
import RegionPage from '../../../../src/plugins/region/console/RegionPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const guangdong = { id: '7', parentId: '1', name: '广东省', code: '44', regionLevel: 1, sort: 1, remark: null, hasChildren: true };

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('users with permission can try the picker and see the code that an address field would store', async () => {
  const node = (code: string, title: string, hasChildren: boolean) => ({ id: code, parentId: '0', title, value: code, key: code, hasChildren });
  const { press, inputs } = await showPage(<RegionPage />, {
    codes: ['region', 'region_debug'],
    answers: {
      [region.lazy.path]: () => [guangdong],
      [region.lazyTree.path]: (input: { parentCode?: string }) => (input.parentCode === '44' ? [node('4403', '深圳市', false)] : [node('44', '广东省', true)]),
    },
  });
  await press(await screen.findByRole('button', { name: '区划调试' }));
  await press(await screen.findByLabelText('省份/直辖市'));
  await press(await screen.findByRole('option', { name: '广东省' }));
  await press(await screen.findByLabelText('地市'));
  await press(await screen.findByRole('option', { name: '深圳市' }));
  await screen.findByText('广东省 / 深圳市，存储的编号为 4403');
  expect(inputs(region.lazyTree)).toEqual([{}, { parentCode: '44' }]);
});

test('the picker is not offered without its permission', async () => {
  await showPage(<RegionPage />, { codes: ['region'], answers: { [region.lazy.path]: () => [guangdong] } });
  await screen.findByText('广东省');
  expect(screen.queryByRole('button', { name: '区划调试' })).toBeNull();
});

test('a region is added below another, beginning with its code', async () => {
  const { press, user, inputs, settle } = await showPage(<RegionPage />, {
    codes: ['region', 'region_add'],
    answers: { [region.lazy.path]: () => [guangdong], [region.submit.path]: () => guangdong },
  });
  await screen.findByText('广东省');
  await press(screen.getByRole('button', { name: '新增下级' }));
  await screen.findByRole('button', { name: '保存' });
  await settle();
  const form = within(document.querySelector('.crud-dialog') as HTMLElement);
  expect(form.getByLabelText<HTMLInputElement>('区划编号').value).toBe('44');
  await user.type(form.getByLabelText('区划名称'), '新市');
  await user.type(form.getByLabelText('区划编号'), '98');
  await press(form.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(inputs(region.submit)).toEqual([{ name: '新市', code: '4498', sort: 1, remark: null, parentId: '7' }]));
});

test('a search among regions is answered page by page, and the tree without one level by level', async () => {
  const found = Array.from({ length: 10 }, (_, index) => ({
    ...guangdong,
    id: String(100 + index),
    name: `朝阳区 ${index}`,
    code: `9${index}`,
    regionLevel: 3,
  }));
  const { inputs, user, press } = await showPage(<RegionPage />, {
    codes: ['region'],
    answers: {
      [region.lazy.path]: () => [guangdong],
      [region.list.path]: () => ({ records: found, total: 23, totalExact: true, size: 10, current: 1, pages: 3 }),
    },
  });
  await screen.findByText('广东省');
  expect(inputs(region.lazy)).toEqual([{ parentId: '0' }]);
  await user.type(screen.getByLabelText('区划名称'), '朝阳{Enter}');
  await screen.findByText('99');
  await press(screen.getByRole('button', { name: '下一页' }));
  await waitFor(() =>
    expect(inputs(region.list)).toEqual([
      { current: 1, size: 10, name: '朝阳' },
      { current: 2, size: 10, name: '朝阳' },
    ]),
  );
});
