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

async function openCalendar(search: string) {
  history.replaceState(null, '', `/base/visit/index?layout=calendar.at${search}`);
  const records = [{ id: '1', name: '探店', at: '2026-06-10 12:00:00' }];
  const answers = { '/api/shop/visit/list': () => ({ records, total: 1, totalExact: true, size: 200, current: 1, pages: 1 }) };
  const view = await showCrud({ crud: visit }, { answers, codes: ['visit', 'visit_view'] });
  await view.settle();
  return { ...view, lastQuery: () => view.inputs(visit.list).at(-1) as Record<string, string> };
}
const heading = () => document.querySelector('.calendar__title')?.textContent;

test('a month requests the rows of its days, within a filter of the same field', async () => {
  const { lastQuery } = await openCalendar('&at=2026-06-15&at.datelt=2026-06-11T00:00:00');
  expect(heading()).toBe('2026年6月');
  expect(lastQuery()).toMatchObject({ at_datege: '2026-06-01 00:00:00', at_datelt: '2026-06-11T00:00:00' });
  expect(screen.getByRole('button', { name: /探店/ })).toBeTruthy();
});

test('the heading of a week names its days and changes with the week', async () => {
  const { press } = await openCalendar('&at=2026-06-10~week');
  const first = heading();
  expect(first).toContain('14');
  await press(screen.getByRole('button', { name: '下一周' }));
  expect(heading()).not.toBe(first);
});

test('an address with a date that does not exist shows the current month', async () => {
  await openCalendar('&at=2026-13-01');
  const today = new Date();
  expect(heading()).toBe(`${today.getFullYear()}年${today.getMonth() + 1}月`);
});
