import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { type JobDifference, jobServer } from '#plugins/job/contract';
import { SyncJobs } from '../../../../src/plugins/job/console/JobServerPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const differences: readonly JobDifference[] = [
  { key: 'here:1', name: '两边', kind: 'differs', fields: [{ field: 'executeType', here: '1', there: '2' }], unsupported: '' },
  { key: 'here:2', name: '仅此处', kind: 'here', fields: [], unsupported: '' },
  { key: 'there:3', name: '脚本', kind: 'there', fields: [], unsupported: '作业使用了此处没有的「processorType」：3' },
];
afterEach(cleanup);

function open(found: () => unknown = () => differences, sync: () => unknown = () => ({ done: 2, failed: [] }), language: 'zh' | 'en' = 'zh') {
  return showPage(<SyncJobs serverId="9" />, { language, answers: { [jobServer.differences.path]: found, [jobServer.sync.path]: sync } });
}
const row = (name: string) => within(screen.getByRole('radiogroup', { name }));

test('differences stay unresolved until an option is selected; selected ones are sent and compared again', async () => {
  let left = differences;
  const page = await open(
    () => left,
    () => {
      left = [];
      return { done: 2, failed: [] };
    },
  );
  await screen.findByText('两边');
  expect(screen.getByText(/^只同步作业。PowerJob 的工作流在其控制台编排和运行/)).toBeDefined();
  expect(screen.getByRole('table', { name: '两边' }).textContent).toContain('执行器类型单机执行广播执行');
  expect((screen.getByRole('button', { name: '执行所选（0）' }) as HTMLButtonElement).disabled).toBe(true);
  await page.press(row('两边').getByRole('radio', { name: '以 PowerJob 为准' }));
  await page.press(row('仅此处').getByRole('radio', { name: '新增到 PowerJob' }));
  await page.press(screen.getByRole('button', { name: '执行所选（2）' }));
  const choices = [
    { key: 'here:1', way: 'pull' },
    { key: 'here:2', way: 'push' },
  ];
  expect(page.inputs(jobServer.sync)).toEqual([{ id: '9', choices }]);
  await screen.findByText('两端作业一致');
  expect(page.messages).toContain('success: 已同步 2 项');
});

test('a difference that cannot be imported is not offered, not even with all others', async () => {
  const page = await open();
  await screen.findByText('脚本');
  expect(screen.getByText('作业使用了此处没有的「processorType」：3')).toBeDefined();
  expect((row('脚本').getByRole('radio', { name: '新增到本地' }) as HTMLInputElement).disabled).toBe(true);
  await page.press(screen.getByRole('button', { name: '全部以 PowerJob 为准' }));
  expect(screen.getByRole('button', { name: '执行所选（2）' })).toBeDefined();
});

test('failures are listed, in English as well', async () => {
  const page = await open(undefined, () => ({ done: 0, failed: [{ name: '两边', reason: 'PowerJob rejected the request: busy' }] }), 'en');
  await screen.findByText('两边');
  await page.press(screen.getByRole('button', { name: 'Use local for all' }));
  await page.press(screen.getByRole('button', { name: 'Apply selected (3)' }));
  expect((await screen.findByRole('alert', { name: 'Could not sync: 1' })).textContent).toContain('两边: PowerJob rejected the request: busy');
});

test('a server that does not answer can be asked again', async () => {
  let answer: unknown = new Refused(502, 'x');
  const page = await open(() => answer);
  await screen.findByText(/无法与 PowerJob 比较/);
  answer = [];
  await page.press(screen.getByRole('button', { name: '重新比较' }));
  await screen.findByText('两端作业一致');
});
