import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { region } from '#plugins/region/contract';
import RegionPage from '../../../../src/plugins/region/console/RegionPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const guangdong = { id: '7', parentId: '1', name: '广东省', code: '44', regionLevel: 1, sort: 1, remark: null, hasChildren: true };

beforeEach(() => localStorage.clear());
afterEach(cleanup);

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
