import { afterEach, expect, test } from '@rstest/core';
import { act, cleanup, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { BehaviorSubject } from 'rxjs';
import { backupCalls } from '#plugins/backup/contract';
import { type HealthReport, healthReport } from '#plugins/health/contract';
import { MenuTree } from '../../../../src/kernel/platform/menu/menu.ts';
import BackupPanel from '../../../../src/plugins/backup/console/BackupPanel.tsx';
import type { BackupRun } from '../../../../src/plugins/backup/contract.ts';
import HealthPage from '../../../../src/plugins/health/console/HealthPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

const server: HealthReport['servers'][number] = {
  id: 'a',
  host: 'alpha',
  isAlive: true,
  startTime: '2026-11-29 08:00:00',
  seenTime: '2026-11-29 12:00:00',
  uptimeSeconds: 14_400,
  figures: { version: '0.1.0', node: '22.11.0', plugins: 34, skipped: [], loopDelayMs: 3, memoryBytes: 2 ** 28, memoryLimitBytes: 2 ** 31 },
};
const well: HealthReport = {
  time: '2026-11-29 12:00:00',
  servers: [server],
  items: [
    { section: 'database', id: 'size', title: ['大小', 'Size'], value: 5 * 2 ** 20, unit: 'bytes' },
    { section: 'queues', id: 'lag', title: ['作业等待时间', 'Longest wait for a worker'], value: 180, unit: 'seconds' },
  ],
};
const ill: HealthReport = {
  ...well,
  servers: [server, { ...server, id: 'b', host: 'beta', isAlive: false }],
  items: [
    ...well.items,
    {
      section: 'disk',
      id: 'low',
      title: ['剩余', 'Free'],
      value: 1,
      unit: 'bytes',
      problem: { isUrgent: false, text: ['请清理磁盘', 'Free some space.'], page: 'plugin' },
    },
    {
      section: 'servers',
      id: 'gone',
      title: ['beta', 'beta'],
      problem: { isUrgent: true, text: ['beta 已无响应', 'beta has stopped.'], since: '2026-11-29 11:58:00' },
    },
  ],
};
const state = { status: 'ready' as const, items: [{ id: '1', code: 'plugin', path: '/system/plugin', name: '插件管理' }] };
const services = [[MenuTree, { state, state$: new BehaviorSubject(state) }]] as const;

const show = (answer: () => unknown) =>
  showPage(
    <MemoryRouter>
      <HealthPage />
    </MemoryRouter>,
    { answers: { [healthReport.path]: answer }, language: 'en', codes: ['health'], services },
  );

test('a deployment that is well says so in one line, with the facts of each section', async () => {
  await show(() => well);
  const summary = screen.getByRole('region', { name: 'Health' });
  expect(within(summary).getByRole('status').textContent).toBe('All systems operational');
  expect(screen.queryByRole('list', { name: 'Problems' })).toBeNull();
  expect(screen.getByRole('region', { name: 'Servers' }).textContent).toContain('34 running');
  expect(screen.getByRole('region', { name: 'Database' }).textContent).toContain('5.0 MB');
  expect(screen.getByRole('region', { name: 'Queues' }).textContent).toContain('3 min');
  expect(screen.getByRole('region', { name: 'Certificates' }).textContent).toContain('No known certificates');
  expect(screen.queryByRole('region', { name: 'Backups' })).toBeNull();
});

test('problems are listed urgent ones first, with their time and the page that helps', async () => {
  await show(() => ill);
  expect(screen.getByRole('region', { name: 'Health' }).textContent).toContain('Needs attention: 2');
  const problems = within(screen.getByRole('list', { name: 'Problems' })).getAllByRole('listitem');
  expect(problems.map(({ textContent }) => textContent)).toEqual([
    'UrgentServers beta has stopped.since 2026-11-29 11:58:00',
    'AttentionDisks and files Free some space.Open the page',
  ]);
  expect(screen.getByRole('link', { name: 'Open the page' }).getAttribute('href')).toContain('/system/plugin/index');
  expect(screen.getByRole('heading', { name: /^beta/ }).textContent).toBe('beta Not responding');
});

test('a failed first reading offers a retry; a later failure leaves the last state with its time', async () => {
  let answer: () => unknown = () => {
    throw new Error('down');
  };
  const { press } = await show(() => answer());
  expect(screen.getByRole('alert')).toBeTruthy();
  answer = () => well;
  await press(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('All systems operational');
  answer = () => {
    throw new Error('down');
  };
  await press(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByText('Could not refresh. Showing the state at 12:00:00.');
  screen.getByText('All systems operational');
});

test('a hidden browser tab reads nothing, and reads at once when it is shown', async () => {
  let reads = 0;
  await show(() => {
    reads += 1;
    return well;
  });
  const turn = (visibility: string) =>
    act(async () => {
      Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
  await turn('hidden');
  expect(reads).toBe(1);
  await turn('visible');
  expect(reads).toBe(2);
});

const made: BackupRun = {
  id: '1',
  server: 'alpha',
  startTime: '2026-11-29 02:00:00',
  seconds: 65,
  state: 'made',
  isRequested: false,
  isVerified: true,
  bytes: 2 ** 20,
  missing: 0,
  problem: '',
};
const backupPanel = (backup: () => unknown, codes: readonly string[], start = () => null) =>
  showPage(<BackupPanel />, { answers: { [backupCalls.state.path]: backup, [backupCalls.start.path]: start }, language: 'en', codes });

test('a backup is requested once, and its result appears', async () => {
  let runs: BackupRun[] = [made];
  const { press, messages } = await backupPanel(
    () => ({ isConfigured: true, nextTime: '2026-11-30 02:00:00', runs }),
    ['health_backup'],
    () => {
      runs = [{ ...made, id: '2', state: 'running', isRequested: true, seconds: 1 }, made];
      return null;
    },
  );
  const list = () =>
    within(screen.getByRole('list', { name: 'Recent backups' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(list()).toEqual(['Complete2026-11-29 02:00:00Scheduledalpha · 1.0 MB in 1 min 5 s · Test restored']);
  const button = screen.getByRole('button', { name: 'Back up now' });
  await press(button);
  expect(messages).toEqual(['success: Backup started']);
  await expect.poll(list).toEqual([expect.stringMatching(/^In progress.+RequestedRunning on alpha for/), expect.anything()]);
  expect((button as HTMLButtonElement).disabled).toBe(true);
  runs = [{ ...made, id: '2', state: 'failed', isRequested: true, problem: 'The disk of /backups is full.' }, made];
  await expect.poll(() => list()[0], { timeout: 5000 }).toMatch(/^Failed.+The disk of \/backups is full\.$/);
});

test('without BACKUP_DIR the section says how to set it up, and without the permission there is no button', async () => {
  const { unmount } = await backupPanel(() => ({ isConfigured: false, nextTime: '', runs: [] }), ['health_backup']);
  expect(document.body.textContent).toContain('No server makes backups. Set BACKUP_DIR');
  expect(screen.queryByRole('button')).toBeNull();
  unmount();
  await backupPanel(() => ({ isConfigured: true, nextTime: '2026-11-30 02:00:00', runs: [] }), []);
  expect(document.body.textContent).toContain('No backups yet');
  expect(screen.queryByRole('button')).toBeNull();
});
