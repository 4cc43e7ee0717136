import { afterEach, expect, test } from '@rstest/core';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { definePlugin, page } from '#kernel';
import { type MenuItem, menuRoutes } from '#shared/menus';
import { searchRecords } from '#shared/record-uses';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import { Locale } from '../../../../src/kernel/platform/i18n/locale.ts';
import { Theme } from '../../../../src/kernel/platform/theme/theme.ts';
import { answer } from '../../../support/scripted-transport.ts';
import { entryOf, menuItem, testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

// Set up once, because it listens on the document permanently.
const user = userEvent.setup({ pointerEventsCheck: 0 });

const lampMenu = {
  code: 'lamp',
  title: ['灯具', 'Lamps'],
  path: '/base/lamp',
  buttons: ['edit', { code: 'lamp_switch', title: ['开关', 'Switch'] }],
} as const;
const items: MenuItem[] = [
  menuItem('base', {
    name: '基础配置',
    words: ['基础配置', 'Base data'],
    path: '/base',
    children: [
      menuItem('lamp', { name: '灯具', words: ['灯具', 'Lamps'], path: '/base/lamp' }),
      menuItem('sponsor', { name: '广告主', words: ['广告主', 'Advertisers'], path: '/base/sponsor' }),
    ],
  }),
];

const queries: string[] = [];
const record = (title: string) => ({ id: '7', title, subtitle: 'floor', actions: ['lamp_edit', 'lamp_switch'] });
const findLamps = ({ q }: { readonly q: string }) => {
  queries.push(q);
  if (q.startsWith('q')) return [];
  return [
    { entity: 'lamp', menu: 'lamp', records: [record('落地灯')], hasMore: true },
    { entity: 'secret', menu: 'secret', records: [record('机密')], hasMore: false },
  ];
};
const plugin = definePlugin({
  id: 'lamp',
  title: ['灯具', 'Lamps'],
  pages: [page(lampMenu, async () => ({ default: () => <p>shining</p> }))],
});

const cleanups: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const end of cleanups.splice(0)) end();
  queries.length = 0;
});

async function open(search: Parameters<typeof answer<typeof searchRecords>>[1] = findLamps) {
  history.replaceState(null, '', '/base/lamp/index');
  const kernel = await testCoreServices({
    answers: [answer(menuRoutes, items), answer(searchRecords, search)],
    signedIn: tokenReply(1, { role_name: 'operator' }),
  });
  const console = openConsole(kernel.core, [entryOf(plugin)]);
  cleanups.push(() => console.close());
  render(console.screen);
  await screen.findByText('shining');
  return kernel;
}

const field = () => screen.getByRole('combobox', { name: '查找页面、操作、设置或数据' });
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const current = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent;

async function openPalette() {
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('combobox');
}

test('Ctrl+K and a button open it with the focus in its field; Ctrl+K and its close button close it', async () => {
  await open();
  const button = screen.getByRole('button', { name: '快速查找' });
  await openPalette();
  expect(document.activeElement).toBe(field());
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  await user.click(button);
  expect(await screen.findByRole('combobox')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
});

test('without input everything is listed in groups; arrows wrap around, Home and End move to the ends', async () => {
  await open();
  await openPalette();
  const groups = screen.getAllByRole('group').map((group) => document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent);
  expect(groups).toEqual(['已打开的页面', '页面', '操作', '设置']);
  const all = options();
  expect(current()).toBe(all[0]);
  await user.keyboard('{ArrowUp}');
  expect(current()).toBe(all.at(-1));
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(current()).toBe(all[1]);
  await user.keyboard('{End}');
  expect(current()).toBe(all.at(-1));
  await user.keyboard('{Home}');
  expect(current()).toBe(all[0]);
  expect(screen.getAllByRole('option', { selected: true })).toHaveLength(1);
});

test('initials find a page, the match is marked, and Enter opens it', async () => {
  await open();
  await openPalette();
  await user.keyboard('ggz');
  const [first] = screen.getAllByRole('option');
  expect(within(first as HTMLElement).getByText('广告主', { selector: 'mark' })).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(screen.queryByRole('combobox')).toBeNull();
  await waitFor(() => expect(location.pathname).toBe('/base/sponsor/index'));
  await openPalette();
  expect(screen.getAllByRole('group')[0]?.textContent).toContain('最近访问');
  expect(options()[0]).toContain('灯具');
});

test('Ctrl+Enter opens in another window', async () => {
  await open();
  const opened: unknown[] = [];
  const original = window.open;
  window.open = (...args) => {
    opened.push(args);
    return null;
  };
  cleanups.push(() => (window.open = original));
  await openPalette();
  await user.keyboard('广告{Control>}{Enter}{/Control}');
  expect(opened).toEqual([['/base/sponsor/index', '_blank', 'noopener']]);
  expect(location.pathname).toBe('/base/lamp/index');
});

test('entries change settings and run actions; without a match a message is shown', async () => {
  const { core } = await open();
  await openPalette();
  await user.keyboard('外观：深色{Enter}');
  expect(core.get(Theme).appearance).toBe('dark');
  core.get(Theme).select('light');
  await openPalette();
  await user.keyboard('界面设置{Enter}');
  expect(await screen.findByRole('dialog', { name: '界面设置' })).toBeTruthy();
  await user.selectOptions(screen.getByRole('combobox', { name: '闲置自动锁屏' }), '15 分钟后');
  expect(localStorage.getItem(Object.keys(localStorage).find((key) => key.includes('shell:')) ?? '')).toContain('"idleLockMinutes":15');
  await user.keyboard('{Escape}');
  await openPalette();
  await user.keyboard('qqqq');
  expect(await screen.findByText('没有找到「qqqq」')).toBeTruthy();
  expect(options()).toEqual([]);
  await user.clear(field());
  await user.keyboard('语言：English{Enter}');
  await waitFor(() => expect(core.get(Locale).language).toBe('en'));
});

test('records are requested when typing pauses, and the request of an earlier text is cancelled', async () => {
  const { transport } = await open();
  await openPalette();
  await user.keyboard('luodi');
  await waitFor(() => expect(options()).toContain('落地灯floor'));
  expect(queries).toEqual(['luodi']);
  expect(options()).not.toContain('机密floor');
  expect(screen.getByText('仅显示前 1 条，继续输入可缩小范围')).toBeTruthy();
  await user.keyboard('d');
  expect(options()).toContain('落地灯floor');
  await waitFor(() => expect(queries).toEqual(['luodi', 'luodid']));
  expect(transport.to(searchRecords)[0]?.signal.aborted).toBe(true);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(location.pathname + location.search).toBe('/base/lamp/index?record=7'));
  await openPalette();
  expect(screen.getByRole('group', { name: '最近打开的数据' }).textContent).toContain('落地灯');
});

test('the right arrow and Tab show the actions of a record; the left arrow and Escape go back', async () => {
  await open();
  await openPalette();
  await user.keyboard('luodi');
  await waitFor(() => expect(options()).toContain('落地灯floor'));
  await user.keyboard('{ArrowRight}');
  expect(options()).toEqual(['打开', '编辑', '开关']);
  await user.keyboard('{ArrowLeft}');
  expect(options()).toEqual(['落地灯floor']);
  await user.keyboard('{Tab}{Escape}');
  expect(options()).toEqual(['落地灯floor']);
  await user.keyboard('{Tab}{ArrowDown}{Enter}');
  await waitFor(() => expect(location.search).toBe('?record=7&mode=edit'));
  await openPalette();
  await user.keyboard('luodi');
  await waitFor(() => expect(options()).toContain('落地灯floor'));
  await user.keyboard('{ArrowRight}{End}{Enter}');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
});

test('a failed search offers to try again', async () => {
  let isBroken = true;
  await open((input) => {
    if (isBroken) throw new Error('broken');
    return findLamps(input);
  });
  await openPalette();
  await user.keyboard('luodi');
  expect(await screen.findByText('暂时无法查找数据')).toBeTruthy();
  isBroken = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  await waitFor(() => expect(options()).toContain('落地灯floor'));
});

test('an unfinished syllable of an input method is not searched for', async () => {
  await open();
  await openPalette();
  const input = field() as HTMLInputElement;
  fireEvent.compositionStart(input);
  fireEvent.input(input, { target: { value: "luo'd" }, isComposing: true });
  fireEvent.compositionEnd(input, { target: { value: '落地' } });
  await waitFor(() => expect(queries).toEqual(['落地']));
});

test('it closes with the session and stays closed', async () => {
  const { session } = await open();
  await openPalette();
  await act(() => session.signOut());
  expect(screen.queryByRole('combobox')).toBeNull();
  await user.keyboard('{Control>}k{/Control}');
  expect(screen.queryByRole('combobox')).toBeNull();
});
