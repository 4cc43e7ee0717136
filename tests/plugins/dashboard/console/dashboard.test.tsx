import { afterEach, expect, test } from '@rstest/core';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Board, dashboard } from '#plugins/dashboard/contract';
import { menuRoutes } from '#shared/menus';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import plugin from '../../../../src/plugins/dashboard/console/plugin.ts';
import { answer } from '../../../support/scripted-transport.ts';
import { entryOf, menuItem, testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

const user = userEvent.setup({ pointerEventsCheck: 0 });
const list = '/api/things-task/task/getRecordList';
const board: Board = {
  asOf: '2026-03-01 09:00:00',
  waiting: [
    { id: 'audit', title: ['待审核', 'To review'], count: 10_001, rows: { menu: 'task_audit' } },
    { id: 'pay', title: ['待付款', 'Pending payment'], count: 3, amount: 123_456, rows: { menu: 'task_pay' } },
  ],
  alerts: [{ id: 'late', title: ['2 份凭证超时', 'Late: 2'], tone: 'warning', rows: { menu: 'task_audit' } }],
  days: [{ id: 'approved', title: ['今日通过', 'Approved today'], unit: 'count', today: 1234, yesterday: 5 }],
  charts: [
    {
      id: 'work',
      shape: 'days',
      title: ['趋势', 'Trend'],
      unit: 'count',
      series: [{ title: ['通过', 'Approved'], tone: 'good' }],
      rows: [
        { key: '2026-02-28', label: '2026-02-28', values: [4] },
        { key: '2026-03-01', label: '2026-03-01', values: [7], rows: { menu: 'task_record', list, filters: { auditStatus: 1 } } },
      ],
    },
    {
      id: 'by-platform',
      shape: 'bars',
      title: ['平台', 'Platform'],
      group: { id: 'by', title: ['构成', 'Shares'] },
      unit: 'money',
      series: [{ title: ['付款', 'Paid'], tone: 'brand' }],
      rows: [],
    },
    {
      id: 'by-city',
      shape: 'bars',
      title: ['城市', 'City'],
      group: { id: 'by', title: ['构成', 'Shares'] },
      unit: 'money',
      series: [{ title: ['付款', 'Paid'], tone: 'brand' }],
      rows: [{ key: '0', label: ['不限城市', 'All cities'], values: [5050] }],
    },
  ],
  setup: [
    { id: 'account', title: ['保护您的账号', 'Protect your account'], note: ['绑定手机', 'Add a phone'], isDone: false, leadsTo: { path: '/info/index' } },
    { id: 'audit', title: ['审核', 'Audit'], note: ['说明', 'Note'], isDone: true, leadsTo: { menu: 'task_audit' } },
  ],
};
const nothing: Board = { asOf: '2026-03-01 09:00:00', waiting: [], alerts: [], days: [], charts: [], setup: [] };

const endings: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const end of endings.splice(0)) end();
  localStorage.clear();
});

async function open(shown: Board, address = '/wel/index') {
  history.replaceState(null, '', address);
  const items = [menuItem('task_audit', { path: '/task/audit' }), menuItem('task_record', { path: '/task/record' })];
  const kernel = await testCoreServices({ answers: [answer(menuRoutes, items), answer(dashboard.figures, shown)], signedIn: tokenReply(1) });
  const opened = openConsole(kernel.core, [entryOf(plugin)]);
  endings.push(() => opened.close());
  render(opened.screen);
  return kernel;
}

test('pending work comes first, one click from its queue, with numbers in the user’s format', async () => {
  await open(board);
  const audit = await screen.findByRole('link', { name: /待审核.*10,000\+/ });
  expect(audit.getAttribute('href')).toBe('/task/audit/index');
  expect(screen.queryByRole('link', { name: /待付款/ })).toBeNull();
  expect(screen.getByText('¥1,234.56')).toBeTruthy();
  expect(screen.getByText('1,234')).toBeTruthy();
  expect(screen.getByText('昨日 5')).toBeTruthy();
  expect(screen.getByRole('link', { name: '2 份凭证超时' }).getAttribute('href')).toBe('/task/audit/index');
  expect(screen.getByRole('heading', { name: '快捷入口' })).toBeTruthy();
});

test('the setup checklist leads to each screen and is put away for good', async () => {
  await open(board);
  const region = (await screen.findByRole('heading', { name: '开通清单' })).closest('section') as HTMLElement;
  expect(within(region).getByText('已完成 1/2')).toBeTruthy();
  expect(within(region).getByRole('link', { name: '保护您的账号' }).getAttribute('href')).toBe('/info/index');
  expect(within(region).getByRole('link', { name: '审核' }).getAttribute('href')).toBe('/task/audit/index');
  expect(
    within(region)
      .getAllByRole('img')
      .map((one) => one.getAttribute('aria-label')),
  ).toEqual(['待完成', '已完成']);
  await user.click(within(region).getByRole('button', { name: '收起' }));
  expect(screen.queryByRole('heading', { name: '开通清单' })).toBeNull();
  cleanup();
  await open(board);
  await screen.findByRole('link', { name: /待审核/ });
  expect(screen.queryByRole('heading', { name: '开通清单' })).toBeNull();
});

test('a checklist of which everything is done is shown no more', async () => {
  await open({ ...board, setup: board.setup.map((step) => ({ ...step, isDone: true })) });
  await screen.findByRole('link', { name: /待审核/ });
  expect(screen.queryByRole('heading', { name: '开通清单' })).toBeNull();
});

test('a chart is a table as well, whose rows link to the underlying lists', async () => {
  await open(board);
  await user.click(await screen.findByRole('switch', { name: '趋势：以表格显示' }));
  const rows = within(screen.getByRole('region', { name: '趋势' })).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual(['日期通过', '2026-03-017', '2026-02-284']);
  const link = within(rows[1] as HTMLElement).getByRole('link');
  expect(link.getAttribute('href')).toMatch(/\/index\?auditStatus=1/);
});

test('each day of a chart leads to its records, and names its values', async () => {
  await open(board);
  const day = await screen.findByRole('link', { name: '2026-03-01 通过 7' });
  expect(day.getAttribute('href')).toMatch(/\/index\?auditStatus=1/);
  expect(screen.getByRole('img', { name: '2026-02-28 通过 4' })).toBeTruthy();
});

test('charts of one place are selected by topic, and an empty one says so', async () => {
  await open(board);
  await user.click(await screen.findByRole('switch', { name: '构成：以表格显示' }));
  expect(screen.getByText('这段时间没有数据')).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: '城市' }));
  expect(within(screen.getByRole('region', { name: '构成' })).getByRole('row', { name: '不限城市 ¥50.50' })).toBeTruthy();
});

test('a user without metrics sees pages and no empty cards, on the console page as well', async () => {
  await open(nothing);
  await waitFor(() => expect(screen.queryByRole('heading', { name: '待我处理' })).toBeNull());
  expect(screen.queryByRole('heading', { name: '提醒' })).toBeNull();
  expect(screen.getByRole('heading', { name: '最近访问' })).toBeTruthy();
  cleanup();
  await open(nothing, '/wel/dashboard');
  expect(await screen.findByRole('heading', { name: '快捷入口' })).toBeTruthy();
});
