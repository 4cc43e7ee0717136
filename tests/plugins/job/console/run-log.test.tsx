import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { jobInstance } from '#plugins/job/contract';
import { RunLog } from '../../../../src/plugins/job/console/RunLog.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

const line = (id: string, text: string) => ({ id, time: '2026-01-01 08:00:00.000', level: 'INFO', text });
const open = (answer: () => object, language: 'zh' | 'en' = 'zh') =>
  showPage(<RunLog runId="7" />, { language, answers: { [jobInstance.log.path]: () => answer() } });

test('a run of PowerJob says in the user’s language that its log is in PowerJob, and is requested once', async () => {
  const page = await open(() => ({ lines: [], state: 5, isElsewhere: true }));
  expect((await screen.findByRole('status')).textContent).toBe('日志保存在 PowerJob，请在其控制台查看');
  expect(screen.getByRole('list', { name: '运行日志' }).textContent).toBe('暂无日志');
  await new Promise((resolve) => setTimeout(resolve, 1600));
  expect(page.inputs(jobInstance.log)).toEqual([{ id: '7' }]);
  cleanup();
  await open(() => ({ lines: [], state: 3, isElsewhere: true }), 'en');
  expect((await screen.findByRole('status')).textContent).toBe('The log is stored in PowerJob. View it in the PowerJob console.');
});

test('lines are shown in order, and a log that cannot be read shows an error', async () => {
  let isBroken = false;
  const page = await open(() => {
    if (isBroken) throw new Error('broken');
    return { lines: [line('1', '开始'), line('2', '完成')], state: 3, isElsewhere: false };
  });
  const texts = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(await texts()).toEqual(['08:00:00.000INFO开始', '08:00:00.000INFO完成']);
  expect(screen.getByRole('status').textContent).toBe('实时跟随');
  isBroken = true;
  await expect.poll(() => screen.getByRole('status').textContent, { timeout: 4000 }).toBe('日志加载失败，正在重试…');
  expect(await texts()).toHaveLength(2);
  expect(page.inputs(jobInstance.log)[1]).toEqual({ id: '7', after: '2' });
});
