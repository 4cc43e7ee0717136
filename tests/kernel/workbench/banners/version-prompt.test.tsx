import { afterEach, expect, test } from '@rstest/core';
import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { definePlugin, page, useUnsavedChanges } from '#kernel';
import { LiveOpened } from '#shared/live';
import { menuRoutes } from '#shared/menus';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import { ScriptedStreams } from '../../../support/scripted-streams.ts';
import { answer } from '../../../support/scripted-transport.ts';
import { entryOf, menuItem, testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

const user = userEvent.setup({ pointerEventsCheck: 0 });
const menu = [menuItem('base', { path: '/base', children: [menuItem('lamp', { name: '灯具', path: '/base/lamp' })] })];
const lampMenu = { code: 'lamp', title: ['灯具', 'Lamps'], path: '/base/lamp', under: 'base' } as const;

const endings: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const end of endings.splice(0)) end();
});

function Tidy() {
  return <p>lit</p>;
}

function Draft() {
  useUnsavedChanges(true);
  return <input aria-label="draft" defaultValue="" />;
}

/** Opens a whole console whose live stream opens, breaks and reopens, each time with the build that the server says it delivers. */
async function openDeployed(Page: () => React.ReactNode) {
  history.replaceState(null, '', '/base/lamp/index');
  const { core, transport } = await testCoreServices({ answers: [answer(menuRoutes, menu)], signedIn: tokenReply() });
  const streams = new ScriptedStreams(transport);
  const plugin = definePlugin({ id: 'lamp', title: ['灯具', 'Lamps'], pages: [page(lampMenu, async () => ({ default: Page }))] });
  const opened = openConsole(core, [entryOf(plugin)]);
  endings.push(() => opened.close());
  render(opened.screen);
  const deliver = async (build: string) => {
    if (streams.opened > 0) streams.last.break();
    const stream = await streams.next();
    await act(async () => {
      stream.send(LiveOpened, { build, permissions: 'p1', resumed: true }, String(100 + streams.opened));
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
  };
  return { deliver };
}

const prompt = () => screen.queryByRole('region', { name: '系统已更新' });

test('a reload is offered once the server delivers another console, and not for a reconnected stream', async () => {
  const { deliver } = await openDeployed(Tidy);
  await screen.findByText('lit');
  await deliver('build-1');
  await deliver('build-1');
  expect(prompt()).toBeNull();
  await deliver('build-2');
  expect(prompt()?.textContent).toContain('刷新页面即可使用新版本。');
  await user.click(within(prompt() as HTMLElement).getByRole('button', { name: '稍后' }));
  expect(prompt()).toBeNull();
  expect(screen.getByText('lit')).toBeTruthy();
  await deliver('build-3');
  expect(prompt()).not.toBeNull();
});

test('unsaved changes are pointed out and kept, and no reload discards them without the user', async () => {
  const { deliver } = await openDeployed(Draft);
  const draft = await screen.findByRole('textbox', { name: 'draft' });
  await user.type(draft, '写到一半');
  await deliver('build-1');
  await deliver('build-2');
  expect(prompt()?.textContent).toContain('您有未保存的修改，请保存后再刷新页面。');
  expect((screen.getByRole('textbox', { name: 'draft' }) as HTMLInputElement).value).toBe('写到一半');
});
