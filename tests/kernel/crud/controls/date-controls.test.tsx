import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { SingleDatePicker } from '../../../../src/kernel/crud/controls/SingleDatePicker.tsx';
import { crud, entity } from '../../../../src/shared/contract/contract.ts';
import { DateOnly, DateTime, Id, TimeOnly } from '../../../../src/shared/contract/fields.ts';
import { showCrud } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

const lamp = crud(
  '/api/shop/lamp',
  entity('lamp', {
    id: Id(),
    madeOn: DateOnly({ title: ['生产日期', 'Made on'] }),
    soldAt: DateTime({ title: ['售出时间', 'Sold at'], search: true, compare: 'between' }),
    dueAt: DateTime({ title: ['截止时间', 'Due at'], endOfDay: true }),
    litAt: TimeOnly({ title: ['点灯时间', 'Lit at'] }),
  }),
);
const answers = {
  '/api/shop/lamp/list': () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 }),
  '/api/shop/lamp/submit': () => true,
};

test('typed dates are kept when the focus leaves their fields', async () => {
  const { http, press, user, settle } = await showCrud({ crud: lamp }, { codes: ['lamp', 'lamp_add'], answers });
  await press(screen.getAllByRole('button', { name: '新增' })[0] as HTMLElement);
  await screen.findByRole('button', { name: '保存' });
  await settle();
  const enter = async (name: string, text: string) => {
    await user.click(await screen.findByRole('textbox', { name }));
    await user.keyboard(text);
    await user.tab();
    await settle();
  };
  await enter('生产日期', '2026-02-03');
  await enter('售出时间', '2026-02-04 10:20:30');
  await enter('截止时间', '2026-02-05');
  await enter('点灯时间', '18:30:00');
  await press(screen.getByRole('button', { name: '保存' }));
  await settle();
  expect(http.to('/submit').at(-1)?.input).toMatchObject({
    madeOn: '2026-02-03',
    soldAt: '2026-02-04 10:20:30',
    dueAt: '2026-02-05 23:59:59',
    litAt: '18:30:00',
  });
});

test('a typed text that is no date is not kept, and Escape discards a typed date', async () => {
  const { press, user, settle } = await showCrud({ crud: lamp }, { codes: ['lamp', 'lamp_add'], answers });
  await press(screen.getAllByRole('button', { name: '新增' })[0] as HTMLElement);
  await screen.findByRole('button', { name: '保存' });
  await settle();
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: '生产日期' });
  await user.click(field);
  await user.keyboard('2026-02-30');
  await user.tab();
  await settle();
  expect(field.value).toBe('');
  // A closed calendar takes the focus from its input after 100 ms.
  await waitFor(() => expect(document.querySelector('.arco-picker-container')).toBeNull());
  await user.click(field);
  await user.keyboard('2026-02-28{Escape}');
  await user.tab();
  await settle();
  expect(field.value).toBe('');
});

test('the ends of a range can be typed as dates, and the last day counts whole', async () => {
  const { http, press, user, settle, openFilters } = await showCrud({ crud: lamp }, { codes: ['lamp'], answers });
  const area = await openFilters();
  await user.click(await area.findByRole('textbox', { name: '售出时间：开始' }));
  await user.keyboard('2026-02-01');
  await user.click(await area.findByRole('textbox', { name: '售出时间：结束' }));
  await user.keyboard('2026-02-28');
  await user.tab();
  await settle();
  await press(area.getByRole('button', { name: '查询' }));
  await settle();
  expect(http.to('/list').at(-1)?.input).toMatchObject({ soldAt_dategt: '2026-02-01 00:00:00', soldAt_datelt: '2026-02-28 23:59:59' });
});

test.each([
  [false, '00:00:00'],
  [true, '23:59:59'],
])('a picked day of a filter has the time of its start or its end (end: %s)', async (endOfDay, time) => {
  const picked: unknown[] = [];
  render(<SingleDatePicker widget="date-time" value={undefined} endOfDay={endOfDay} onChange={(value) => picked.push(value)} />);
  fireEvent.click(screen.getByRole('textbox'));
  fireEvent.click((await screen.findAllByText('15')).at(0) as HTMLElement);
  fireEvent.click(screen.getByRole('button', { name: '确定' }));
  expect(picked.at(-1)).toMatch(new RegExp(`^\\d{4}-\\d\\d-15 ${time}$`));
});
