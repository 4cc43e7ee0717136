import { afterEach, expect, test } from '@rstest/core';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { definePlugin, page } from '#kernel';
import { oauth } from '#shared/auth';
import { bladeAuth } from '#shared/blade-auth';
import type { Manifest } from '#shared/manifest';
import { type MenuItem, menuRoutes, type TopMenu, topMenus } from '#shared/menus';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import { Locale } from '../../../../src/kernel/platform/i18n/locale.ts';
import type { ShellPreferences } from '../../../../src/kernel/workbench/state/preferences.ts';
import { answer } from '../../../support/scripted-transport.ts';
import { entryOf, menuItem, testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

// Set up once, because it listens on the document permanently.
const user = userEvent.setup({ pointerEventsCheck: 0 });

const leaf = (code: string, zh: string, en: string, change: Partial<MenuItem> = {}) =>
  menuItem(code, { name: zh, words: [zh, en], path: `/base/${code}`, ...change });
const items: MenuItem[] = [
  menuItem('base', { name: '基础', words: ['基础', 'Base'], path: '/base', children: [leaf('lamp', '灯具', 'Lamps'), leaf('bulb', '灯泡', 'Bulbs')] }),
  menuItem('office', {
    name: '办公',
    words: ['办公', 'Office'],
    path: '/office',
    children: [leaf('desk', '书桌', 'Desks'), leaf('guide', '手册', 'Guide', { path: 'https://elsewhere.example/?t=\u0024{token}' })],
  }),
  leaf('wiki', '百科', 'Wiki', { path: 'https://wiki.example/', isOpen: 2 }),
];
const plugin = definePlugin({
  id: 'lamp',
  title: ['灯具', 'Lamps'],
  pages: [page({ code: 'lamp', title: ['灯具', 'Lamps'], path: '/base/lamp' }, async () => ({ default: () => <p>shining</p> }))],
});

const endings: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const end of endings.splice(0)) end();
});

async function open(address: string, preference: Partial<ShellPreferences> = {}, { tops = [] as TopMenu[], manifest = {} as Partial<Manifest> } = {}) {
  history.replaceState(null, '', address);
  localStorage.setItem('test-shell:000000/1', JSON.stringify({ version: 1, preference }));
  const signedIn = tokenReply(1, { role_name: 'cashier,auditor', roleName: '出纳,审核员', role_id: '7,8', dept_id: '3,4' });
  const kernel = await testCoreServices({ answers: [answer(menuRoutes, items), answer(topMenus, tops)], signedIn, manifest });
  const console = openConsole(kernel.core, [entryOf(plugin)]);
  endings.push(() => console.close());
  render(console.screen);
  return kernel;
}

const navigation = () => within(screen.getByRole('navigation', { name: '主导航' }));
const sections = () => within(screen.getByRole('navigation', { name: '菜单分区' }));
const entries = () =>
  navigation()
    .getAllByRole('listitem')
    .map((entry) => within(entry).queryAllByRole('link')[0]?.textContent);

test('above the page, groups open below their buttons, are navigated with arrows and close on Escape', async () => {
  await open('/base/lamp/index', { layout: 'top' });
  await screen.findByText('shining');
  expect(screen.queryByRole('complementary')).toBeNull();
  const group = navigation().getByRole('button', { name: '基础' });
  act(() => group.focus());
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(navigation().getByRole('link', { name: '灯具' }));
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(navigation().getByRole('link', { name: '灯泡' }));
  await user.keyboard('{Escape}');
  expect(group.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(group);
});

test('mixed: the groups are above, the pages of one of them beside; the current page decides until another group is selected', async () => {
  const { core } = await open('/base/lamp/index', { layout: 'mixed' });
  await screen.findByText('shining');
  expect(sections().getByRole('button', { name: '基础' }).getAttribute('aria-pressed')).toBe('true');
  expect(entries()).toEqual(['首页', '灯具', '灯泡']);
  await user.click(sections().getByRole('button', { name: '办公' }));
  expect(location.pathname).toBe('/base/lamp/index');
  expect(entries()).toEqual(['首页', '书桌', '手册']);
  await user.click(navigation().getByRole('link', { name: '书桌' }));
  await waitFor(() => expect(location.pathname).toBe('/base/desk/index'));
  expect(entries()).toEqual(['首页', '书桌', '手册']);
  core.get(Locale).setLanguage('en');
  expect(await screen.findByRole('button', { name: 'Office' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Desks' })).toBeTruthy();
});

test('an entry that opens in a window is a link without a referrer', async () => {
  await open('/wel/index');
  const link = await navigation().findByRole('link', { name: /百科/ });
  expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    'https://wiki.example/',
    '_blank',
    'noopener noreferrer',
  ]);
});

test('the sections of the console switch the side menu; a section without a page of the user is hidden', async () => {
  const top = (id: string, zh: string, menuIds: string[]): TopMenu => ({ id, code: id, name: zh, words: [zh, id], source: 'apps', path: '', sort: 1, menuIds });
  await open('/base/lamp/index', {}, { tops: [top('one', '运营', ['desk']), top('two', '配置', ['lamp']), top('three', '空的', [])] });
  await screen.findByText('shining');
  expect(
    sections()
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['运营', '配置']);
  expect(sections().getByRole('button', { name: '配置' }).getAttribute('aria-pressed')).toBe('true');
  expect(navigation().getByRole('link', { name: '灯具' })).toBeTruthy();
  await user.click(sections().getByRole('button', { name: '运营' }));
  expect(navigation().queryByRole('link', { name: '灯具' })).toBeNull();
  expect(navigation().getByRole('button', { name: '办公' })).toBeTruthy();
  expect(screen.getByText('shining')).toBeTruthy();
});

test('a page of a forbidden origin opens in a window at once, and the required setting is named', async () => {
  const opened: unknown[] = [];
  const own = window.open;
  window.open = (address) => {
    opened.push(address);
    return null;
  };
  endings.push(() => {
    window.open = own;
  });
  await open('/myiframe/guide', {}, { manifest: { frames: ['https://other.example'] } });
  await screen.findByRole('heading', { name: '无法在此显示「手册」' });
  expect(screen.getByText(/https:\/\/elsewhere\.example.*CONSOLE_SETTINGS.*frames/)).toBeTruthy();
  expect(opened).toEqual([expect.stringContaining('https://elsewhere.example/')]);
  expect(screen.getByRole('button', { name: '在新窗口打开' })).toBeTruthy();
  expect(document.querySelector('iframe')).toBeNull();
});

test('a page of another origin that is opened by its address asks once', async () => {
  const asked: string[] = [];
  const { fetch } = (window as unknown as { happyDOM: { settings: { fetch: { interceptor: unknown } } } }).happyDOM.settings;
  fetch.interceptor = {
    beforeAsyncRequest: async ({ request, window: frame }: { request: Request; window: typeof globalThis }) => {
      asked.push(request.url);
      return new frame.Response('<p>guide</p>', { headers: { 'content-type': 'text/html' } });
    },
  };
  endings.push(() => {
    fetch.interceptor = null;
  });
  await open('/myiframe/guide', {}, { manifest: { frames: ['https://elsewhere.example'] } });
  await waitFor(() => expect(document.querySelector('main iframe')).toBeTruthy());
  await waitFor(() => expect(asked).not.toEqual([]));
  expect(asked).toEqual(['https://elsewhere.example/']);
});

test('the user menu lists the roles, and offers to switch only where the deployment allows it', async () => {
  await open('/wel/index');
  await user.click(await screen.findByRole('button', { name: /^账户：管理员/ }));
  expect(screen.getAllByText('出纳、审核员').length).toBe(2);
  expect(screen.queryByRole('menuitem', { name: '切换部门/角色' })).toBeNull();
});

test('switching requires a department and a role, and acts as them', async () => {
  const modes = { tenant: false, switch: true, debug: false };
  const { transport, session, toasts } = await open('/base/lamp/index', {}, { manifest: { modes } });
  const named = (id: string, name: string) => ({ id, name });
  const choices = { depts: [named('3', '北区'), named('4', '南区')], roles: [named('7', '出纳'), named('8', '审核员')] };
  transport.answer(answer(oauth.userInfo, { ...tokenReply(), roles: [], choices }));
  await user.click(await screen.findByRole('button', { name: /^账户：管理员/ }));
  await user.click(screen.getByRole('menuitem', { name: '切换部门/角色' }));
  const dialog = within(await screen.findByRole('dialog'));
  const confirm = await dialog.findByRole('button', { name: '切换' });
  await waitFor(() => expect((confirm as HTMLButtonElement).disabled).toBe(false));
  await user.click(confirm);
  expect([...document.querySelectorAll('[aria-live=polite]')].map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['请选择部门', '请选择角色']),
  );
  for (const [name, option] of [
    ['部门', '南区'],
    ['角色', '审核员'],
  ] as const) {
    await user.click(dialog.getByRole('combobox', { name }));
    await user.click(await screen.findByRole('option', { name: option }));
  }
  transport.answer(answer(oauth.token, tokenReply(2, { role_id: '8', role_name: 'auditor', roleName: '审核员', dept_id: '4' })), answer(menuRoutes, []));
  await user.click(confirm);
  await waitFor(() => expect(session.user?.roles).toEqual(['auditor']));
  expect(transport.to(oauth.token).at(-1)?.headers).toMatchObject({ 'Dept-Id': '4', 'Role-Id': '8' });
  await waitFor(() => expect(location.pathname).toBe('/wel/index'));
  await waitFor(() => expect(screen.queryByRole('link', { name: '灯具' })).toBeNull());
  expect(toasts.shown).toContain('success 已切换为 南区 · 审核员');
});

test('clearing the cache resets the layout in this browser, and reloads the operator on the server', async () => {
  const { transport, toasts } = await open('/base/lamp/index', { tagBar: true, layout: 'top' });
  transport.answer(answer(bladeAuth.clearCache, null));
  await user.click(await screen.findByRole('button', { name: '标签操作' }));
  transport.requests.length = 0;
  await user.click(await screen.findByRole('menuitem', { name: '清除缓存' }));
  await user.click(await within(await screen.findByRole('dialog')).findByRole('button', { name: '确定' }));
  await waitFor(() => expect(toasts.shown).toContain('success 清除完毕'));
  expect(transport.to(bladeAuth.clearCache)).toHaveLength(1);
});

test('entries that do not fit into a narrow bar are in the user menu', async () => {
  const wide = window.innerWidth;
  const resize = (width: number) =>
    act(() => (window as unknown as { happyDOM: { setViewport(size: { width: number }): void } }).happyDOM.setViewport({ width }));
  resize(390);
  endings.push(() => resize(wide));
  const kernel = await open('/base/lamp/index');
  await screen.findByText('shining');
  expect(screen.queryByRole('button', { name: '锁屏' })).toBeNull();
  expect(screen.queryByRole('button', { name: '语言' })).toBeNull();
  const menu = async () => user.click(screen.getByRole('button', { name: /^账户/ }));
  await menu();
  await user.click(screen.getByRole('menuitem', { name: '锁屏' }));
  await user.click(await screen.findByRole('button', { name: '取消' }));
  await menu();
  await user.click(screen.getByRole('menuitem', { name: 'English' }));
  await waitFor(() => expect(kernel.core.get(Locale).language).toBe('en'));
});
