import { afterEach, describe, expect, test } from '@rstest/core';
import { act, cleanup, render, screen, waitFor, waitForElementToBeRemoved, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { contribute, definePlugin, type Plugin, page, UserMenuItems, useTabTitle, useUnsavedChanges } from '#kernel';
import { oauth } from '#shared/auth';
import { bladeAuth } from '#shared/blade-auth';
import { type MenuItem, menuRoutes } from '#shared/menus';
import { openConsole } from '../../../src/kernel/boot/console.tsx';
import { Locale } from '../../../src/kernel/platform/i18n/locale.ts';
import { expectConsoleError } from '../../support/console-errors.ts';
import { answer, refusal } from '../../support/scripted-transport.ts';
import { entryOf, menuItem, testCoreServices, tokenReply } from '../../support/test-kernel.ts';

// Set up once, because it listens on the document permanently.
const user = userEvent.setup({ pointerEventsCheck: 0 });

const lampMenu = { code: 'lamp', title: ['灯具', 'Lamps'], path: '/base/lamp', under: 'base' } as const;
const items: MenuItem[] = [
  menuItem('base', {
    name: '基础配置',
    path: '/base',
    children: [menuItem('lamp', { name: '灯具', path: '/base/lamp' }), menuItem('ghost', { name: '幽灵', path: '/base/ghost' })],
  }),
];

function Counter() {
  const [count, setCount] = useState(0);
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      lit {count}
    </button>
  );
}

function Draft() {
  useUnsavedChanges(true);
  return <p>half written</p>;
}

function Named() {
  useTabTitle(['第 7 盏灯', 'Lamp 7']);
  return null;
}

let isBroken = false;

function Moody() {
  if (isBroken) throw new Error('bulb burst');
  return <p>light</p>;
}

const lamps = (Page: () => React.ReactNode): Plugin =>
  definePlugin({ id: 'lamp', title: ['灯具插件', 'Lamp plugin'], pages: [page(lampMenu, async () => ({ default: Page }))] });

/** Opens the shell of a signed-in user on a scripted network. */
async function open(
  address: string,
  { plugins = [lamps(Counter)], menu = items, tagBar = false }: { plugins?: Plugin[]; menu?: MenuItem[]; tagBar?: boolean } = {},
) {
  history.replaceState(null, '', address);
  localStorage.setItem('test-shell:000000/1', JSON.stringify({ version: 1, preference: { tagBar } }));
  const kernel = await testCoreServices({ answers: [answer(menuRoutes, menu)], signedIn: tokenReply(1, { real_name: '李晓梅', role_name: 'operator' }) });
  const console = openConsole(kernel.core, plugins.map(entryOf));
  endings.push(() => console.close());
  render(console.screen);
  return kernel;
}

test('signing in reloads the user’s data on the server; a reload of the page does not', async () => {
  const answers = [answer(oauth.token, tokenReply(1)), answer(bladeAuth.clearCache, null), answer(menuRoutes, items)];
  const fresh = await testCoreServices({ signedIn: null, answers });
  await fresh.session.signIn({ tenantId: '000000', username: 'admin', password: 'secret' });
  endings.push(openConsole(fresh.core, []).close);
  await waitFor(() => expect(fresh.transport.to(bladeAuth.clearCache)[0]?.headers).toMatchObject({ 'Things-Auth': 'bearer access-1' }));
  const reloaded = await testCoreServices({ signedIn: null, answers });
  endings.push(openConsole(reloaded.core, []).close);
  await waitFor(() => expect(reloaded.transport.to(menuRoutes)).toHaveLength(1));
  expect(reloaded.transport.to(bladeAuth.clearCache)).toEqual([]);
});

const endings: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const end of endings.splice(0)) end();
});

const navigation = () => within(screen.getByRole('navigation', { name: '主导航' }));
const visible = (text: string | RegExp) => screen.getAllByText(text).filter((element) => !element.closest('[style*="display: none"]'));

describe('a deep link', () => {
  test('shows the page, its breadcrumb, and its title', async () => {
    await open('/base/lamp');
    await screen.findByRole('button', { name: 'lit 0' });
    expect(location.pathname).toBe('/base/lamp/index');
    expect(
      within(screen.getByRole('navigation', { name: '当前位置' }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['基础配置', '灯具']);
    expect(navigation().getByRole('link', { name: '灯具' }).getAttribute('aria-current')).toBe('page');
    expect(document.title).toBe('灯具 - 广告与任务分发管理平台');
  });

  test('to an unknown page ends at 404, to a forbidden page at 403', async () => {
    await open('/nowhere');
    await screen.findByRole('heading', { name: '页面不存在', level: 2 });
    expect(location.pathname).toBe('/404');
    cleanup();
    await open('/base/lamp/index', { menu: [] });
    await screen.findByRole('heading', { name: '没有访问权限', level: 2 });
    expect(location.pathname).toBe('/403');
  });

  test('to an entry without a plugin names the missing plugin', async () => {
    await open('/base/ghost/index');
    await screen.findByText('菜单「幽灵」（编号 ghost）没有对应的插件。请联系管理员安装插件，或在菜单管理中删除该菜单。');
  });
});

describe('pages in tabs', () => {
  test('are announced when shown, and detail pages of one route are distinguishable', async () => {
    await open('/wel/index');
    await user.click(await screen.findByRole('button', { name: '基础配置' }));
    const go = (address: string) =>
      act(async () => {
        history.pushState(null, '', address);
        window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
      });
    await go('/base/lamp/index?id=1');
    await screen.findByText(/^已进入：灯具/);
    await go('/base/lamp/index?id=2');
    await screen.findByText('已进入：灯具 · id=2');
    await go('/base/lamp/index?id=1');
    await screen.findByText('已进入：灯具 · id=1');
  });

  test('keep their state while another one is shown', async () => {
    await open('/base/lamp/index');
    await user.click(await screen.findByRole('button', { name: 'lit 0' }));
    await user.click(navigation().getByRole('link', { name: '首页' }));
    await waitFor(() => expect(location.pathname).toBe('/wel/index'));
    expect(visible('快捷入口')).toHaveLength(1);
    await user.click(navigation().getByRole('link', { name: '灯具' }));
    await screen.findByRole('button', { name: 'lit 1' });
  });

  test('start again if the menu disables keep-alive for them', async () => {
    const fleeting = menuItem('base', { path: '/base', children: [menuItem('lamp', { name: '灯具', path: '/base/lamp', keepAlive: 1 })] });
    await open('/base/lamp/index', { menu: [fleeting] });
    await user.click(await screen.findByRole('button', { name: 'lit 0' }));
    expect(screen.getByRole('button', { name: 'lit 1' })).toBeTruthy();
    await user.click(navigation().getByRole('link', { name: '首页' }));
    await waitFor(() => expect(document.querySelectorAll('h1')).toHaveLength(1));
    expect(screen.queryByText('lit 1')).toBeNull();
    await user.click(navigation().getByRole('link', { name: '灯具' }));
    await screen.findByRole('button', { name: 'lit 0' });
  });

  test('start again when refreshed', async () => {
    await open('/base/lamp/index', { tagBar: true });
    await user.click(await screen.findByRole('button', { name: 'lit 0' }));
    await user.click(screen.getByRole('button', { name: '标签操作' }));
    await user.click(screen.getByRole('menuitem', { name: '刷新当前' }));
    await screen.findByRole('button', { name: 'lit 0' });
  });

  test('are navigated with arrows and closed with Delete', async () => {
    await open('/base/lamp/index', { tagBar: true });
    const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent);
    await screen.findByRole('tab', { name: '灯具', selected: true });
    expect(tabs()).toEqual(['首页', '灯具']);
    act(() => screen.getByRole('tab', { name: '灯具' }).focus());
    await user.keyboard('{ArrowLeft}');
    await screen.findByRole('tab', { name: '首页', selected: true });
    await waitFor(() => expect(location.pathname).toBe('/wel/index'));
    await user.keyboard('{Delete}');
    expect(tabs()).toEqual(['首页', '灯具']);
    await user.keyboard('{ArrowRight}{Delete}');
    await waitFor(() => expect(tabs()).toEqual(['首页']));
    await waitFor(() => expect(location.pathname).toBe('/wel/index'));
  });

  test('have titles in the user’s language, at once', async () => {
    const { core } = await open('/base/lamp/index', { tagBar: true });
    await screen.findByRole('tab', { name: '灯具' });
    core.get(Locale).setLanguage('en');
    await screen.findByRole('tab', { name: 'Lamps' });
    await waitFor(() => expect(document.title).toBe('Lamps - Advertising and task distribution'));
  });
});

describe('a page', () => {
  test('without a tab asks before unsaved changes are lost', async () => {
    const draftMenu = { code: 'draft', title: ['草稿', 'Draft'], path: '/wel/dashboard' } as const;
    await open('/wel/dashboard', {
      plugins: [definePlugin({ id: 'draft', title: ['草稿', 'Draft'], pages: [page(draftMenu, async () => ({ default: Draft }))] })],
    });
    await screen.findByText('half written');
    const leave = async (choice: string) => {
      await user.click(navigation().getByRole('link', { name: '首页' }));
      const question = within(await screen.findByRole('dialog'));
      question.getByText('当前页面有未保存的修改，离开后将丢失。');
      await user.click(question.getByRole('button', { name: choice }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    await leave('继续编辑');
    expect(location.pathname).toBe('/wel/dashboard');
    await leave('放弃修改');
    await waitFor(() => expect(location.pathname).toBe('/wel/index'));
    expect(screen.queryByText('half written')).toBeNull();
  });

  test('with its own title sets that of its tab and of the window', async () => {
    const { core } = await open('/base/lamp/index', { plugins: [lamps(Named)], tagBar: true });
    await screen.findByRole('tab', { name: '第 7 盏灯' });
    await waitFor(() => expect(document.title).toBe('第 7 盏灯 - 广告与任务分发管理平台'));
    core.get(Locale).setLanguage('en');
    await screen.findByRole('tab', { name: 'Lamp 7' });
    await waitFor(() => expect(document.title).toBe('Lamp 7 - Advertising and task distribution'));
  });
});

describe('when something fails', () => {
  test('a page that throws names its plugin, and everything else works', async () => {
    expectConsoleError(/bulb burst/);
    isBroken = true;
    await open('/base/lamp/index', { plugins: [lamps(Moody)] });
    await screen.findByText('「灯具插件」功能出错，其他页面不受影响。');
    isBroken = false;
    await user.click(screen.getByRole('button', { name: '重试' }));
    await screen.findByText('light');
  });

  test('a plugin that does not start is shown to administrators with its cause', async () => {
    const broken = definePlugin({
      id: 'broken',
      title: ['坏插件', 'Broken plugin'],
      start() {
        throw new Error('no fuse');
      },
    });
    await open('/wel/index', { plugins: [lamps(Counter), broken] });
    const notice = await screen.findByRole('region', { name: '1 个功能未能启动' });
    expect(within(notice).getByText('坏插件')).toBeTruthy();
    expect(within(notice).getByText(/no fuse/)).toBeTruthy();
  });

  test('safe mode shows once that plugins are skipped; they are not errors', async () => {
    const core = definePlugin({
      id: 'core',
      title: ['核心', 'Core'],
      core: true,
      pages: [page({ ...lampMenu, code: 'ghost', path: '/base/ghost' }, async () => ({ default: Counter }))],
    });
    await open('/base/ghost/index?safe', { plugins: [lamps(Counter), core] });
    await screen.findByRole('button', { name: 'lit 0' });
    await screen.findByRole('region', { name: '安全模式' });
    expect(screen.queryByRole('region', { name: /未能启动/ })).toBeNull();
    await user.click(navigation().getByRole('link', { name: '灯具' }));
    await screen.findByText('插件「灯具插件」未运行，其他功能不受影响。');
  });

  test('a menu that failed to load can be reloaded', async () => {
    const kernel = await open('/wel/index');
    kernel.transport.answer(refusal(menuRoutes, 500, '服务器异常'));
    sessionStorage.clear();
    cleanup();
    for (const end of endings.splice(0)) end();
    history.replaceState(null, '', '/base/lamp/index');
    const console = openConsole(kernel.core, []);
    endings.push(() => console.close());
    render(console.screen);
    await screen.findByText('服务器异常');
    kernel.transport.answer(answer(menuRoutes, items));
    await user.click(screen.getByRole('button', { name: '重试' }));
    await screen.findByRole('heading', { name: '功能未安装' });
  });
});

describe('the user menu', () => {
  test('names the user and the role, and has the items of plugins that the user may see, which open their pages', async () => {
    const item = { title: ['灯光', 'Lighting'], icon: 'light', path: '/base/lamp/index' } as const;
    const contributions = [contribute(UserMenuItems, item), contribute(UserMenuItems, { ...item, title: ['暗室', 'Darkroom'], code: 'dark' })];
    await open('/wel/index', { plugins: [{ ...lamps(Counter), contributions }] });
    await user.click(await screen.findByRole('button', { name: /^账户：李晓梅/ }));
    expect(screen.getAllByText('operator').length).toBeGreaterThan(0);
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['控制台', '灯光', '锁屏', 'English', '更多界面设置', '退出登录']);
    await user.click(screen.getByRole('menuitem', { name: '灯光' }));
    await waitFor(() => expect(location.pathname).toBe('/base/lamp/index'));
    await screen.findByRole('button', { name: 'lit 0' });
  });

  test('signs out only after a confirmation', async () => {
    const { session } = await open('/wel/index');
    await user.click(await screen.findByRole('button', { name: /^账户：李晓梅/ }));
    await user.click(screen.getByRole('menuitem', { name: '退出登录' }));
    await screen.findByText('确定要退出登录吗？');
    await user.click(screen.getByRole('button', { name: '取消' }));
    await waitForElementToBeRemoved(screen.queryByRole('dialog'));
    expect(session.user).toBeTruthy();
  });

  test('shows the tab bar, and the choice is kept', async () => {
    await open('/wel/index');
    await user.click(await screen.findByRole('button', { name: /^账户：李晓梅/ }));
    await user.click(screen.getByRole('menuitemcheckbox', { name: '显示标签栏' }));
    expect(screen.getByRole('tablist', { name: '已打开的页面' })).toBeTruthy();
    expect(JSON.parse(localStorage.getItem('test-shell:000000/1') ?? '{}')).toMatchObject({ preference: { tagBar: true } });
  });
});
