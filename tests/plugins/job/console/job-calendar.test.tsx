import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { jobTimeline } from '#plugins/job/contract';
import JobCalendarPage from '../../../../src/plugins/job/console/JobCalendarPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

function open(lanes: (from: string) => object[], language: 'zh' | 'en' = 'zh', address = '/') {
  const page = (
    <MemoryRouter initialEntries={[address]}>
      <JobCalendarPage />
    </MemoryRouter>
  );
  const answer = ({ from }: { from: string }) => ({ now: from, isCut: false, lanes: lanes(from.slice(0, 10)) });
  return showPage(page, { language, answers: { [jobTimeline.path]: (input: unknown) => answer(input as { from: string }) } });
}
const lane = (day: string) => ({
  jobInfoId: '7',
  jobName: '清扫',
  hasMore: false,
  dense: null,
  isEstimate: false,
  fires: [`${day} 22:00:00`],
  runs: [
    { id: '71', state: 5, time: `${day} 01:00:00`, duration: 1500 },
    { id: '72', state: 4, time: `${day} 01:05:00`, duration: 20 },
    { id: '73', state: 5, time: `${day} 09:00:00`, duration: null },
  ],
});

test('adjacent runs are one mark; arrows move between marks, and each links to its runs or its job', async () => {
  const page = await open((day) => [lane(day)]);
  const marks = within(await screen.findByRole('group', { name: '清扫' })).getAllByRole('button');
  expect(marks.map((mark) => mark.getAttribute('aria-label')?.slice(12))).toEqual(['运行 2 次，失败 1 次', '运行 1 次，失败 0 次', '计划触发 1 次']);
  expect(marks.map((mark) => mark.tabIndex)).toEqual([0, -1, -1]);
  const legend = within(screen.getByRole('list', { name: '图例' })).getAllByRole('listitem');
  const kindOf = (element: Element | null | undefined) => element?.getAttribute('data-kind');
  expect(legend.map((item) => [kindOf(item.firstElementChild), item.textContent])).toEqual([
    ['ran', '已运行'],
    ['failed', '有失败'],
    ['due', '计划触发'],
    ['estimate', '预计（固定延迟）'],
  ]);
  expect(marks.map(kindOf)).toEqual(['failed', 'ran', 'due']);
  marks[0]?.focus();
  await page.user.keyboard('{ArrowRight}{ArrowRight}');
  expect(document.activeElement).toBe(marks[2]);
  await page.user.keyboard('{Home}{Enter}');
  await page.settle();
  const links = await screen.findAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/job/jobinstance/index?id=71', '/job/jobinstance/index?id=72']);
  await page.press(marks[2] as HTMLElement);
  expect((await screen.findByRole('link')).getAttribute('href')).toBe('/job/jobinfo/index?id=7');
});

test('dense times are one band with their interval, and times of a fixed delay are marked as estimates', async () => {
  await open((day) => [
    { ...lane(day), jobName: '每五秒', fires: [], runs: [], dense: { from: `${day} 12:00:00`, every: 5000 } },
    { ...lane(day), jobInfoId: '8', jobName: '延迟', runs: [], isEstimate: true },
  ]);
  const dense = await screen.findByRole('group', { name: '每五秒' });
  expect(dense.textContent).toBe('每 5 秒');
  expect((dense.firstElementChild as HTMLElement).style.insetInlineStart).toBe('50%');
  expect(within(screen.getByRole('group', { name: '延迟' })).getByRole('button').dataset.kind).toBe('estimate');
});

test('a week starts on Monday, and a period without runs shows a message', async () => {
  const page = await open(() => [], 'en');
  await screen.findByText('No past or scheduled runs in this period.');
  await page.press(screen.getByRole('radio', { name: 'Week' }));
  const { from, to } = page.inputs(jobTimeline).at(-1) as { from: string; to: string };
  expect(new Date(from.replace(' ', 'T')).getDay()).toBe(1);
  expect(Date.parse(to.replace(' ', 'T')) - Date.parse(from.replace(' ', 'T'))).toBeGreaterThan(6.9 * 24 * 3_600_000);
});

test('marks stand at the times of the server, also on a day on which the clocks of the device change', async () => {
  const { TZ } = process.env;
  process.env.TZ = 'America/New_York';
  try {
    await open((day) => [{ ...lane(day), fires: [`${day} 12:00:00`], runs: [] }], 'zh', '/?day=2026-03-08');
    const mark = within(await screen.findByRole('group', { name: '清扫' })).getByRole('button');
    expect(mark.style.insetInlineStart).toBe('50%');
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});
