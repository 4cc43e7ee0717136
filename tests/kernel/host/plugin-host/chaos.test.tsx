import { expect, rs, test } from '@rstest/core';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { plugins as deployed } from '#deployment/console';
import { param } from '#plugins/settings/contract';
import { kernelVersion } from '#shared/kernel-version';
import { menuButtons, menuRoutes } from '#shared/menus';
import { Bus } from '../../../../src/kernel/base/bus/bus.ts';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import { ErrorLog } from '../../../../src/kernel/platform/errors/error-log.ts';
import { runawayLimits } from '../../../../src/kernel/ui/errors/runaway-renders.ts';
import { expectConsoleError } from '../../../support/console-errors.ts';
import { answer } from '../../../support/scripted-transport.ts';
import { entryOf, menuItem, testCoreServices, testKernel } from '../../../support/test-kernel.ts';
import { hostile } from './hostile-plugins.tsx';
import { Happened, statuses } from './plugins.ts';

const user = userEvent.setup({ pointerEventsCheck: 0 });
/** A number distinguishes the second plugin with an id from the first. */
const expected = Object.fromEntries(hostile.map(([{ id }, status]) => [id === 'settings' ? 'settings#2' : id, status]));
const entries = [...hostile.slice(0, 9).map(([plugin]) => entryOf(plugin)), ...deployed, ...hostile.slice(9).map(([plugin]) => entryOf(plugin))];

test('each hostile plugin has its cause, and every real plugin runs beside them', async () => {
  const { host, get } = await testKernel({ plugins: entries });
  const found = statuses(host);
  for (const { id } of deployed) expect({ id, status: found[id] }).toEqual({ id, status: 'running' });
  for (const { id } of deployed) delete found[id];
  expect(found).toEqual(expected);
  for (const { status, cause } of host.states) if (status === 'quarantined') expect(cause?.text.every((words) => words.length > 0)).toBe(true);
  const causeOf = (id: string) => host.states.find((state) => state.id === id)?.cause?.text[1];
  expect(causeOf('throws-start')).toBe('It failed in the “start” phase: burst');
  expect(causeOf('too-new')).toBe(
    `Incompatible: version 3.1.0 requires kernel ^99, but this is ${kernelVersion}; use Marquee ^99, or install a plugin version that supports ${kernelVersion}.`,
  );
  expect(causeOf('wants-newer')).toBe(
    'Incompatible: version 2.0.0 requires “dated” ^2, but 1.4.0 is installed; install “dated” ^2, or a plugin version that supports 1.4.0.',
  );
  expect(causeOf('wants-nonsense')).toBe('Incompatible: “newest” is not a valid version range; use one like ^1.2.');
  expect(causeOf('pollutes-start')).toBe('It changed Array.prototype.map, Array.prototype.last, window.fetch, shared by all plugins. The change was reverted.');
  expect(Object.hasOwn(Array.prototype, 'last')).toBe(false);
  expect([1].map((one) => one + 1)).toEqual([2]);
  get(Bus).emit(Happened, { count: 1 });
  expect(host.states.find(({ id }) => id === 'leaks')?.faults).toBe(1);
  expect(await host.disable('throws-stop')).toBe(true);
  expect(get(ErrorLog).entries[0]).toMatchObject({ type: 'plugin', info: 'throws-stop' });
});

test('the shell works beside them: their pages name them, and real pages show their rows', async () => {
  for (const pattern of [/burst on screen/, /Maximum update depth exceeded/]) expectConsoleError(pattern);
  const page = (code: string, name: string, path = `/test/${code}`) => menuItem(code, { name, path });
  const menu = menuItem('all', {
    name: '全部',
    path: '/all',
    children: [page('bursts', '爆'), page('circles', '转'), page('circles_at_once', '快转'), page('param', '参数管理', '/system/param')],
  });
  const rows = { records: [{ id: '1', paramName: '首页地址', paramKey: 'home', paramValue: '/' }], total: 1, totalExact: true, size: 10, current: 1, pages: 1 };
  // A busy browser has few frames; the DOM of tests has as many as it can.
  const frames = rs.spyOn(window, 'requestAnimationFrame').mockImplementation((draw) => setTimeout(() => draw(performance.now()), 500) as unknown as number);
  const noFrames = rs.spyOn(window, 'cancelAnimationFrame').mockImplementation((frame) => clearTimeout(frame));
  runawayLimits.span = 20_000;
  history.replaceState(null, '', '/wel/index');
  const kernel = await testCoreServices({ answers: [answer(menuRoutes, [menu]), answer(menuButtons, []), answer(param.list, rows as never)] });
  const console = openConsole(kernel.core, entries, { startTimeoutMs: 100, phaseTimeoutMs: 400 });
  try {
    render(console.screen);
    const navigation = within(await screen.findByRole('navigation', { name: '主导航' }));
    // Without a pointer, no page is fetched before the click: `act` would render an endless one in one task.
    const go = async (name: string) => fireEvent.click(await navigation.findByRole('link', { name }));
    await user.click(await navigation.findByRole('button', { name: '全部' }));
    await go('爆');
    await screen.findByText('「bursts」功能出错，其他页面不受影响。');
    await go('转');
    await screen.findByText('「circles」功能出错，其他页面不受影响。', undefined, { timeout: 20_000 });
    await go('快转');
    await screen.findByText('「circles-at-once」功能出错，其他页面不受影响。');
    await go('参数管理');
    await screen.findByRole('cell', { name: '首页地址' });
    expect(kernel.core.get(ErrorLog).entries.some(({ info, message }) => info === 'circles' && /renders endlessly/.test(message))).toBe(true);
  } finally {
    cleanup();
    console.close();
    runawayLimits.span = 2000;
    frames.mockRestore();
    noFrames.mockRestore();
  }
});
