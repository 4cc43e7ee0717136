import { beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { codes } from '#shared/contract';
import TaskPage from '../../../../src/plugins/task/console/TaskPage.tsx';
import { publicationPlan, task } from '../../../../src/plugins/task/contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';

const row = (id: string, status: number) => ({
  id,
  title: `任务${id}`,
  status,
  unitPrice: 500,
  quantity: 3,
  budget: 1500,
  claimed: 0,
  submitted: 0,
  passed: 0,
});
const records = [row('1', 1), row('2', 2), row('3', 3), row('4', 0), row('5', 4)];
const page = { records, total: records.length, totalExact: true, size: 10, current: 1, pages: 1 };
const answers = { [task.list.path]: () => page, [task.detail.path]: () => records[0] };
const granted = [task.list.path, ...Object.values(codes('tasks')), 'tasks_publish', 'tasks_xiajia'];

beforeEach(cleanup);

test('row actions depend on the state: published tasks can be taken down, waiting ones published, and neither published nor finished ones edited or deleted', async () => {
  await showPage(<TaskPage />, { answers, codes: granted });
  const offered = (id: string) => {
    const own = within(screen.getByRole('row', { name: new RegExp(`任务${id}`) }));
    return ['编辑', '发布', '下架', '删除'].filter((name) => own.queryByRole('button', { name }) !== null);
  };
  expect(['1', '2', '3', '4', '5'].map(offered)).toEqual([['编辑', '发布', '删除'], ['下架'], ['编辑', '发布', '删除'], ['编辑', '删除'], []]);
});

test('a publication that is not confirmed before the tab is left can be asked about again', async () => {
  const share = { advertiserId: '9', name: '广告主', tasks: 1, places: 3, cost: 1500, available: 9000, isLimited: false, isRefused: false };
  const { press, hideTab, showTab, http } = await showPage(<TaskPage />, {
    answers: { ...answers, [publicationPlan.path]: () => ({ shares: [share], preview: null }), [task.publish.path]: () => ({ count: 1, rows: [] }) },
    codes: granted,
  });
  const publish = () => within(screen.getByRole('row', { name: /任务1/ })).getByRole('button', { name: '发布' });
  await press(publish());
  await screen.findByRole('dialog');
  await hideTab();
  await showTab();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(http.to(task.publish.path)).toHaveLength(0);
  await press(publish());
  await press(within(await screen.findByRole('dialog')).getByRole('button', { name: /^发\s*布/ }));
  expect(http.to(task.publish.path)).toHaveLength(1);
});

test('the budget follows price and quantity during input, and is not sent', async () => {
  const { press, user, settle } = await showPage(<TaskPage />, { answers, codes: granted });
  await press(screen.getByRole('button', { name: '新增' }));
  const form = within(await screen.findByRole('dialog'));
  const budget = form.getByRole('status', { name: '预算' });
  expect(budget.textContent).toBe('—');
  await user.type(form.getByLabelText('单价'), '12.5');
  await user.type(form.getByLabelText('数量'), '4');
  await settle();
  expect(budget.textContent).toBe('¥50.00');
});
