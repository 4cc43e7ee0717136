import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { type JobOverview, jobOverview } from '#plugins/job/contract';
import JobHomePage from '../../../../src/plugins/job/console/JobHomePage.tsx';
import { jobInstance } from '../../../../src/plugins/job/run-contract.ts';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

const overview: JobOverview = {
  now: '2026-11-29 08:00:00',
  nextFires: [{ jobInfoId: '1', jobName: '对账', time: '2026-11-29 10:00:00', isEstimate: true }],
  day: { succeeded: 999, failed: 1 },
  week: { succeeded: 0, failed: 0 },
  slowest: [{ jobInfoId: '2', jobName: '报表', p95: 63_000, before: 42_000 }],
  failing: [{ jobInfoId: '1', jobName: '对账', isEnabled: true, runId: '11', time: '2026-11-29 03:00:00', reason: 'HTTP 503', failures: 3 }],
  running: [{ jobInfoId: '2', jobName: '报表', runId: '12', state: 3, time: '2026-11-29 07:58:00', elapsed: 120_000, worker: 'east' }],
  open: 1,
  workers: [],
};

test('the overview names what fails and why and runs it again, and stops what hangs', async () => {
  const answers = { [jobOverview.path]: () => overview, [jobInstance.retry.path]: () => null, [jobInstance.stop.path]: () => null };
  const codes = ['jobhome', 'jobinstance', 'jobinstance_retry', 'jobinstance_stop'];
  const page = await showPage(
    <MemoryRouter>
      <JobHomePage />
    </MemoryRouter>,
    { codes, answers },
  );
  const region = async (name: string) => within(await screen.findByRole('region', { name }));
  const failing = await region('当前失败');
  expect(failing.getByText('HTTP 503')).toBeDefined();
  expect(failing.getByText('连续失败 3 次')).toBeDefined();
  await page.press(failing.getByRole('button', { name: '再次运行' }));
  expect(page.inputs(jobInstance.retry)).toEqual([{ ids: ['11'] }]);
  await page.press((await region('正在运行')).getByRole('button', { name: '停止' }));
  expect(page.inputs(jobInstance.stop)).toEqual([{ ids: ['12'] }]);
  expect((await region('接下来触发')).getByText(/^(1 小时 59|2 小时 0) 分后$/)).toBeDefined();
  expect((await region('成功率')).getByText('99.9%')).toBeDefined();
  const slowest = await region('最慢的作业');
  expect(slowest.getByText(/1 分 3 秒/).textContent).toContain('变慢 50%');
  expect(screen.queryByRole('region', { name: '执行机器' })).toBeNull();
});

test('the focus stays on a link of the next times while the overview is read again', async () => {
  let seconds = 0;
  const answers = {
    [jobOverview.path]: () => ({ ...overview, now: `2026-11-29 08:00:${String(seconds++).padStart(2, '0')}` }),
    [jobInstance.retry.path]: () => null,
  };
  const page = await showPage(
    <MemoryRouter>
      <JobHomePage />
    </MemoryRouter>,
    { codes: ['jobhome', 'jobinstance_retry'], answers },
  );
  const link = within(await screen.findByRole('region', { name: '接下来触发' })).getByRole('link', { name: '对账' });
  link.focus();
  const retry = screen.getByRole('button', { name: '再次运行' });
  retry.click();
  await page.settle();
  expect(page.inputs(jobOverview)).toHaveLength(2);
  expect(document.activeElement).toBe(link);
});
