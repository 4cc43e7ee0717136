import { afterEach, expect, test } from '@rstest/core';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { uploadErrors } from '#shared/error-log';
import { menuRoutes } from '#shared/menus';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import { ErrorLog } from '../../../../src/kernel/platform/errors/error-log.ts';
import { answer, inputOf } from '../../../support/scripted-transport.ts';
import { testCoreServices } from '../../../support/test-kernel.ts';
import { testManifest } from '../../../support/test-manifest.ts';

// Set up once, because it listens on the document permanently.
const user = userEvent.setup({ pointerEventsCheck: 0 });

const endings: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const end of endings.splice(0)) end();
});

async function open(address: string, debug: boolean) {
  history.replaceState(null, '', address);
  const kernel = await testCoreServices({
    answers: [answer(menuRoutes, []), answer(uploadErrors, null)],
    manifest: { modes: { ...testManifest.modes, debug } },
  });
  const log = kernel.core.get(ErrorLog);
  const console = openConsole(kernel.core, []);
  endings.push(() => console.close());
  render(console.screen);
  return { ...kernel, log };
}

const confirmed = async () => {
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: '确定' }));
};

test('the badge in the top bar of a deployment with debugging shows 99+ at most, and opens the log', async () => {
  const { log } = await open('/wel/index', true);
  const badge = await screen.findByRole('button', { name: '错误日志，0 条' });
  act(() => {
    for (let index = 0; index < 120; index += 1) log.record('error', new Error(`bulb ${index}`));
  });
  expect(badge.textContent).toBe('99');
  await user.click(badge);
  expect(await screen.findByRole('heading', { name: '错误日志' })).toBeDefined();
});

test('other deployments have no badge', async () => {
  await open('/wel/index', false);
  await screen.findByRole('button', { name: /^账户/ });
  expect(screen.queryByRole('button', { name: /错误日志/ })).toBeNull();
});

test('errors are listed, expanded to their stack, sent and cleared', async () => {
  const { log, transport, toasts } = await open('/logs', false);
  await screen.findByText('没有记录到错误。');
  act(() => {
    log.record('plugin', new Error('bulb burst'), 'lamp · lamp:lit');
    log.record('request', 'GET /lamps', 'GET /lamps');
    log.record('request', 'GET /lamps', 'GET /lamps');
  });
  expect(screen.getByText('GET /lamps ×2')).toBeDefined();
  const row = screen.getByText('bulb burst').closest('tr') as HTMLElement;
  await user.click(within(row).getByRole('button'));
  expect(await screen.findByText(/lamp · lamp:lit[\s\S]*Error: bulb burst/)).toBeDefined();

  await user.click(screen.getByRole('button', { name: '上传日志' }));
  await confirmed();
  await waitFor(() => expect(transport.to(uploadErrors)).toHaveLength(1));
  const [sent] = transport.to(uploadErrors);
  expect(sent && inputOf(sent)).toMatchObject([
    { type: 'request', message: 'GET /lamps' },
    { type: 'plugin', info: 'lamp · lamp:lit' },
  ]);
  await waitFor(() => expect(toasts.shown).toContain('success 发送成功!'));
  expect(log.entries).toEqual([]);
});

test('clearing asks first', async () => {
  const { log, toasts } = await open('/logs', false);
  act(() => log.record('error', new Error('bulb burst')));
  await user.click(await screen.findByRole('button', { name: '清空日志' }));
  expect(log.entries).toHaveLength(1);
  await confirmed();
  await waitFor(() => expect(toasts.shown).toContain('success 清空成功!'));
  expect(log.entries).toEqual([]);
});
