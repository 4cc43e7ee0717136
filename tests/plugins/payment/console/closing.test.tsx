import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { BehaviorSubject } from 'rxjs';
import { MenuTree } from '../../../../src/kernel/platform/menu/menu.ts';
import ClosingPage from '../../../../src/plugins/payment/console/ClosingPage.tsx';
import { ledger, ledgerMonth, type MonthChecks, reconciliation, trialBalance } from '../../../../src/plugins/payment/contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';

beforeEach(cleanup);

const items = [
  { id: '1', name: '资金流水', code: ledger.menu, path: '/task/ledger', children: [] },
  { id: '2', name: '对账', code: reconciliation.menu, path: '/task/reconciliation', children: [] },
];
const state = { status: 'ready', items };
const services = [[MenuTree, { state, state$: new BehaviorSubject(state) }]] as const;

const sound: MonthChecks = {
  month: '2026-10',
  status: 'due',
  next: '2026-10',
  lastClosed: null,
  lastDay: '2026-10-31',
  difference: 0,
  mismatches: [],
  openDifferences: 0,
  openDays: 0,
  uncomparedDays: [],
};
const accounts = [
  { account: 1, code: '2203', name: '预收账款', opening: 0, debit: 1000, credit: 5000, closing: 4000 },
  { account: 2, code: '1002', name: '银行存款', opening: 0, debit: 5000, credit: 1000, closing: -4000 },
];
const advertisers = [{ advertiserId: '7', name: '面包店', opening: 0, debit: 1000, credit: 5000, closing: 4000 }];

async function show(checks: Partial<MonthChecks>, { codes = ['ledger_close'], confirms = true } = {}) {
  const sent: unknown[] = [];
  const answers = {
    [ledgerMonth.checks.path]: () => ({ ...sound, ...checks }),
    [trialBalance.path]: () => ({ from: '2026-10-01', accounts, advertisers, isCut: false, mismatches: [] }),
    [ledgerMonth.close.path]: (input: unknown) => {
      sent.push(input);
      return {};
    },
  };
  const page = (
    <MemoryRouter>
      <ClosingPage />
    </MemoryRouter>
  );
  const { messages } = await showPage(page, { answers, codes, confirms, services });
  await screen.findByRole('table', { name: '试算平衡' });
  return { messages, sent };
}
const closeButton = () => screen.queryByRole('button', { name: '结账 2026-10' }) as HTMLButtonElement | null;

test('a sound month is closed with two clicks', async () => {
  const { messages, sent } = await show({});
  fireEvent.click(closeButton() as HTMLButtonElement);
  await waitFor(() => expect(messages).toEqual(['asked: 结账后，2026-10 及以前不能再记账。', 'success: 2026-10 已结账']));
  expect(sent).toEqual([{ month: '2026-10' }]);
});

test('open differences and days are confirmed with their numbers and lead to their days', async () => {
  const { messages, sent } = await show({ openDifferences: 3, openDays: 2, uncomparedDays: ['2026-10-07'] });
  const checks = screen.getByRole('list', { name: '结账检查' });
  expect(within(checks).getByText(/1 天未与渠道对账：10-07/)).toBeTruthy();
  const address = within(checks).getByRole('link', { name: '去处理' }).getAttribute('href');
  expect(address).toMatch(/^\/task\/reconciliation\/index\?.*state=2/);
  expect(address).toContain('2026-11-01');
  fireEvent.click(closeButton() as HTMLButtonElement);
  await waitFor(() => expect(messages).toContain('success: 2026-10 已结账'));
  expect(messages[0]).toContain('还有 3 笔差异未处理、1 天未对账');
  expect(sent).toEqual([{ month: '2026-10', confirmed: { openDifferences: 3, uncomparedDays: 1 } }]);
});

test('an imbalance leads to its postings and prevents the close', async () => {
  await show({ mismatches: [{ what: 'balance', id: '7', kept: 100, added: 90 }] });
  expect(closeButton()?.disabled).toBe(true);
  const checks = screen.getByRole('list', { name: '结账检查' });
  expect(within(checks).getByText(/广告主 7：账面 ¥1.00，流水合计 ¥0.90/)).toBeTruthy();
  expect(within(checks).getByRole('link', { name: '查看' }).getAttribute('href')).toContain('advertiserId=7');
});

test('users without the permission see the month and do not close it, and nothing is sent without a confirmation', async () => {
  await show({}, { codes: [] });
  expect(closeButton()).toBeNull();
  cleanup();
  const { messages, sent } = await show({}, { confirms: false });
  fireEvent.click(closeButton() as HTMLButtonElement);
  await waitFor(() => expect(messages).toHaveLength(1));
  expect(sent).toEqual([]);
});

test('the debits and credits of an account and of an advertiser lead to the postings of the period', async () => {
  await show({});
  const row = screen.getByRole('row', { name: /面包店/ });
  expect(within(row).getByText('贷')).toBeTruthy();
  const address = decodeURIComponent(within(row).getByRole('link', { name: '¥50.00' }).getAttribute('href') ?? '');
  for (const part of ['/task/ledger/index', 'advertiserId=7', 'account=1', '2026-10-01', '2026-11-01']) expect(address).toContain(part);
});
