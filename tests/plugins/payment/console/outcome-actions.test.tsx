import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { of } from 'rxjs';
import { MenuTree } from '../../../../src/kernel/platform/menu/menu.ts';
import PayoutPage from '../../../../src/plugins/payment/console/PayoutPage.tsx';
import { payout, payoutOutcome } from '../../../../src/plugins/payment/contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';

beforeEach(cleanup);

const menu = { state: { status: 'ready', items: [] }, state$: of({ status: 'ready', items: [] }) };
const unknown = { payNo: 'P-1', nickName: '小王', amount: 500, state: 1, providerState: 'NOT_FOUND', userId: '7', outcome: null, recordedBy: null };
const recorded = { outcome: 3, recordedBy: '8', recorderName: '李会计', remark: '账单中没有' };

/** Shows payouts to the user 1, who has both permissions. */
async function show(
  rows: readonly object[],
  answers: Readonly<Record<string, () => unknown>> = {},
  codes: readonly string[] = ['payout_outcome', 'payout_approve'],
) {
  const records = rows.map((row, index) => ({ ...unknown, id: String(index + 1), ...row }));
  const page = { records, total: records.length, totalExact: true, size: 10, current: 1, pages: 1 };
  return showPage(
    <MemoryRouter>
      <PayoutPage />
    </MemoryRouter>,
    { answers: { [payout.list.path]: () => page, ...answers }, codes: [payout.list.path, ...codes], services: [[MenuTree, menu]] },
  );
}
const names = ['登记为已付', '登记为未付', '复核登记结果', '驳回登记结果'];
const offered = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => names.filter((name) => within(row).queryByRole('button', { name }) !== null));

test('an outcome is recorded of payouts that the provider no longer knows, and decided by others than its recorder and the payee', async () => {
  const rows = [{}, { providerState: 'ACCEPTED' }, { state: 2 }, { userId: '1' }, recorded, { ...recorded, recordedBy: '1' }, { ...recorded, state: 3 }];
  await show(rows);
  expect(offered()).toEqual([['登记为已付', '登记为未付'], [], [], [], ['复核登记结果', '驳回登记结果'], [], []]);
  cleanup();
  await show(rows, {}, []);
  expect(offered()).toEqual(rows.map(() => []));
});

test('the forms that record an outcome name the payout, and send number, day and proof', async () => {
  const { messages, http } = await show([{}], {
    [payoutOutcome.recordPaid.path]: () => ({ id: '1', state: 2 }),
    [payoutOutcome.recordUnpaid.path]: () => ({ id: '1', state: 1 }),
  });
  fireEvent.click(screen.getByRole('button', { name: '登记为已付' }));
  const paid = within(await screen.findByRole('dialog', { name: '登记 P-1 已付' }));
  expect(paid.getByText(/^付款单 P-1：付给 小王 ¥5\.00。/)).toBeTruthy();
  fireEvent.click(paid.getByRole('button', { name: '登记为已付' }));
  expect(http.to(payoutOutcome.recordPaid.path)).toEqual([]);
  fireEvent.change(paid.getByLabelText('渠道单号'), { target: { value: 'W-12' } });
  fireEvent.change(paid.getByLabelText('付款日期'), { target: { value: '2026-10-01' } });
  fireEvent.keyDown(paid.getByLabelText('付款日期'), { key: 'Enter', keyCode: 13 });
  fireEvent.change(paid.getByLabelText('说明'), { target: { value: '账单第 12 行' } });
  fireEvent.click(paid.getByRole('button', { name: '登记为已付' }));
  await waitFor(() => expect(messages).toEqual(['success: 付款单 P-1 已登记为已付']));
  expect(http.to(payoutOutcome.recordPaid.path).map(({ input }) => input)).toMatchObject([
    { id: '1', outcomeNo: 'W-12', outcomeDay: '2026-10-01', remark: '账单第 12 行' },
  ]);

  fireEvent.click(screen.getByRole('button', { name: '登记为未付' }));
  const unpaid = within(await screen.findByRole('dialog', { name: '登记 P-1 未付' }));
  expect(unpaid.getByText(/¥5\.00 将退回广告主余额/)).toBeTruthy();
  fireEvent.change(unpaid.getByLabelText('说明'), { target: { value: '账单中没有' } });
  fireEvent.click(unpaid.getByRole('button', { name: '登记为未付' }));
  await waitFor(() => expect(messages.at(-1)).toBe('success: 付款单 P-1 的结果已登记，超过免复核额度，等待他人复核'));
  expect(http.to(payoutOutcome.recordUnpaid.path).map(({ input }) => input)).toMatchObject([{ id: '1', remark: '账单中没有' }]);
});

test('an approval names the payout and what was recorded of it, and sends the outcome that was read', async () => {
  const rows = [recorded, { ...recorded, payNo: 'P-2', outcome: 2, outcomeNo: 'W-12', outcomeDay: '2026-10-01', remark: '账单第 12 行' }];
  const { messages, questions, http } = await show(rows, { [payoutOutcome.approve.path]: () => null, [payoutOutcome.reject.path]: () => null });
  for (const index of [0, 1]) fireEvent.click(screen.getAllByRole('button', { name: '复核登记结果' })[index] as HTMLElement);
  await waitFor(() => expect(http.to(payoutOutcome.approve.path)).toHaveLength(2));
  expect(questions).toEqual(['复核 P-1 的登记结果', '复核 P-2 的登记结果']);
  expect(messages.filter((text) => text.startsWith('asked'))).toEqual([
    'asked: 李会计 登记付款单 P-1（付给 小王 ¥5.00）为未付，说明“账单中没有”。通过后资金退回广告主余额，可重新付款，不能更改。',
    'asked: 李会计 登记付款单 P-2（付给 小王 ¥5.00）为已付：渠道单号 W-12，付款日期 2026-10-01，说明“账单第 12 行”。通过后入账，不能更改。',
  ]);
  expect(http.to(payoutOutcome.approve.path).map(({ input }) => input)).toEqual([
    { id: '1', outcome: 3 },
    { id: '2', outcome: 2 },
  ]);
  fireEvent.click(screen.getAllByRole('button', { name: '驳回登记结果' })[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: '驳回 P-1 的登记结果' }));
  fireEvent.click(dialog.getByRole('button', { name: '驳回' }));
  await waitFor(() => expect(http.to(payoutOutcome.reject.path).map(({ input }) => input)).toMatchObject([{ id: '1', outcome: 3 }]));
});
