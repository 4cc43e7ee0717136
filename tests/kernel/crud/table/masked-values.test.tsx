import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { Id, Phone, Text } from '../../../../src/shared/contract/fields.ts';
import { showPersonal } from '../../../../src/shared/platform/personal-data.ts';
import { showCrud } from '../../../support/crud-screen.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const Guest = entity('guest', { id: Id(), name: Text({ title: ['名称', 'Name'] }), phone: Phone({ title: ['手机号', 'Phone'] }) });
const guest = crud('/api/shop/guest', Guest);
const row = { id: '7', name: '张三', phone: '139****5678', version: '1' };
const answers = {
  '/api/shop/guest/list': () => ({ records: [row], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
  '/api/shop/guest/submit': () => row,
  [showPersonal.path]: () => ({ values: { phone: '13912345678' } }),
};

test('a masked value is shown by its button for one field of one record, and hidden again', async () => {
  const { inputs, press } = await showCrud({ crud: guest }, { codes: ['guest', 'guest_personal'], answers });
  const show = await screen.findByRole('button', { name: '显示手机号' });
  screen.getByText('139****5678');
  show.focus();
  expect(document.activeElement).toBe(show);
  await press(show);
  await screen.findByText('13912345678');
  expect(inputs(showPersonal)).toEqual([{ entity: 'guest', id: '7', fields: ['phone'] }]);
  await press(screen.getByRole('button', { name: '隐藏手机号' }));
  screen.getByText('139****5678');
  expect(inputs(showPersonal)).toHaveLength(1);
});

test('without the permission a masked value has no button', async () => {
  await showCrud({ crud: guest }, { codes: ['guest'], answers });
  await screen.findByText('139****5678');
  expect(screen.queryByRole('button', { name: '显示手机号' })).toBeNull();
});
