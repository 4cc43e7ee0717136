import { expect, test } from '@rstest/core';
import { screen } from '@testing-library/react';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { DateTime, Id, Text } from '../../../../src/shared/contract/fields.ts';
import { showCrud } from '../../../support/crud-screen.tsx';

const Visit = entity('visit', {
  id: Id(),
  name: Text({ title: ['名称', 'Name'] }),
  at: DateTime({ title: ['时间', 'Time'], search: true, sort: true }),
});
const visit = crud('/api/shop/visit', Visit);

async function open(search: string) {
  history.replaceState(null, '', `/base/visit/index?layout=calendar.at${search}`);
  const records = [{ id: '1', name: '探店', at: '2026-06-10 12:00:00' }];
  const answers = { '/api/shop/visit/list': () => ({ records, total: 1, totalExact: true, size: 200, current: 1, pages: 1 }) };
  const shown = await showCrud({ crud: visit }, { answers, codes: ['visit', 'visit_view'] });
  await shown.settle();
  return { ...shown, last: () => shown.inputs(visit.list).at(-1) as Record<string, string> };
}
const heading = () => document.querySelector('.calendar__title')?.textContent;

test('a month shows its days, and a filter of the same field narrows them', async () => {
  const { last } = await open('&at=2026-06-15&at.datelt=2026-06-11T00:00:00');
  expect(heading()).toBe('2026年6月');
  expect(last()).toMatchObject({ at_datege: '2026-06-01 00:00:00', at_datelt: '2026-06-11T00:00:00' });
  expect(screen.getByRole('button', { name: /探店/ })).toBeTruthy();
});

test('a week is named by its days, in which its heading differs from that of the next one', async () => {
  const { press } = await open('&at=2026-06-10~week');
  const first = heading();
  expect(first).toContain('14');
  await press(screen.getByRole('button', { name: '下一周' }));
  expect(heading()).not.toBe(first);
});

test('a day that does not exist is that of today', async () => {
  await open('&at=2026-13-01');
  expect(heading()).toMatch(/^\d{4}年\d+月$/);
});
