import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { BehaviorSubject } from 'rxjs';
import { MenuTree } from '../../../../src/kernel/platform/menu/menu.ts';
import { RunSums } from '../../../../src/plugins/payment/console/RunSums.tsx';
import { type PayeeSum, type PaymentRunRow, paymentRun } from '../../../../src/plugins/payment/contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';

beforeEach(cleanup);

const run = { id: '7', runNo: 'B-7', state: 1, payouts: 12, people: 12, awaiting: 0, processing: 1, paid: 11, failed: 0, refused: 0 } as PaymentRunRow;
const row = (n: number): PayeeSum => ({
  userId: String(n),
  name: `小王${n}`,
  payouts: 1,
  amount: 1000,
  withheld: 100,
  net: 900,
  states: [{ state: 2, count: 1 }],
});
const mixed: PayeeSum = {
  ...{ userId: '1', name: '小王1', payouts: 3, amount: 3000, withheld: 300, net: 2700 },
  states: [
    { state: 2, count: 2 },
    { state: 3, count: 1 },
  ],
};
const items = [{ id: '1', code: 'payout', path: '/task/payout', children: [] }];
const menu = { state: { status: 'ready', items }, state$: new BehaviorSubject({ status: 'ready', items }) };

/** Shows the sums of a run, with a server that answers its payees by page and name. */
const show = (payees: (input: { current?: number; name?: string }) => unknown) =>
  showPage(
    <MemoryRouter>
      <RunSums row={run} />
    </MemoryRouter>,
    { answers: { [paymentRun.shares.path]: () => [], [paymentRun.payees.path]: payees as never }, services: [[MenuTree, menu]] },
  );
const rowOf = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));

test('each payee of a run has sums, states and a link to the own payouts in it', async () => {
  await show(() => ({ records: [mixed, row(2)], total: 2 }));
  const table = await screen.findByRole('table', { name: '收款人构成' });
  expect(within(table).getAllByRole('row')[1]?.textContent).toBe('小王13¥30.00¥3.00¥27.00已付 2失败 1');
  expect(rowOf('小王2').getByText('已付').textContent).toBe('已付');
  const link = decodeURIComponent(rowOf('小王1').getByRole('link').getAttribute('href') ?? '');
  expect(link).toContain('B-7');
  expect(link).toMatch(/userId=1(&|$)/);
});

test('payees come page by page, and a search begins with its first page', async () => {
  const { http } = await show(({ current = 1, name }) =>
    name ? { records: [row(12)], total: 1 } : { records: [...Array(current === 1 ? 10 : 2).keys()].map((n) => row(10 * (current - 1) + n + 1)), total: 12 },
  );
  await screen.findByText('小王1');
  fireEvent.click(screen.getByText('2', { selector: 'li' }));
  await screen.findByText('小王12');
  fireEvent.change(screen.getByLabelText('搜索收款人'), { target: { value: '王12' } });
  await waitFor(() => expect(screen.queryByText('小王11')).toBeNull());
  expect(http.to(paymentRun.payees.path).map(({ input }) => input)).toEqual([
    { id: '7', current: 1, size: 10 },
    { id: '7', current: 2, size: 10 },
    { id: '7', current: 1, size: 10, name: '王12' },
  ]);
});

test('hidden amounts and names leave their cells empty, and lead nowhere', async () => {
  await show(() => ({ records: [{ ...row(1), userId: null, name: null, amount: null, withheld: null, net: null, states: [] }], total: 1 }));
  const table = await screen.findByRole('table', { name: '收款人构成' });
  expect(within(table).getAllByRole('row')[1]?.textContent).toBe('1');
  expect(within(table).queryByRole('link')).toBeNull();
});

test('without withheld tax each payee has one amount', async () => {
  await show(() => ({ records: [{ ...mixed, withheld: 0, net: 3000 }], total: 1 }));
  const table = await screen.findByRole('table', { name: '收款人构成' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['收款人', '笔数', '金额', '状态']);
  expect(within(table).getAllByRole('row')[1]?.textContent).toBe('小王13¥30.00已付 2失败 1');
});
