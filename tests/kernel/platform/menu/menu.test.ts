import { describe, expect, test } from '@rstest/core';
import { oauth } from '#shared/auth';
import { menu } from '#shared/menu-entry';
import { type MenuItem, menuButtons, menuRoutes, type TopMenu, topMenus } from '#shared/menus';
import { Bus } from '../../../../src/kernel/base/bus/bus.ts';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import { MenuTree } from '../../../../src/kernel/platform/menu/menu.ts';
import { menuTitle, visibleItems } from '../../../../src/kernel/platform/menu/menu-items.ts';
import { Permission } from '../../../../src/kernel/platform/permission/permission.ts';
import { SignedOut } from '../../../../src/kernel/platform/session/session.ts';
import { menuGroups } from '../../../../src/shared/contract/menu-groups.ts';
import { answer, refusal, response, script } from '../../../support/scripted-transport.ts';
import { menuItem, testKernel, tokenReply } from '../../../support/test-kernel.ts';

const tree = [menuItem('system', { children: [menuItem('param')] })];
/** Answer with the menu that is pending until it is released. */
const pendingMenu = () => {
  let release: (items: MenuItem[]) => void = () => undefined;
  const pending = script(
    menuRoutes,
    () =>
      new Promise((resolve) => {
        release = (items) => resolve({ status: 200, body: { code: 200, data: items } });
      }),
  );
  return { pending, release: (items: MenuItem[]) => release(items) };
};
const statuses = (menuTree: MenuTree) => {
  const seen: string[] = [];
  menuTree.state$.subscribe(({ status }) => seen.push(status));
  return seen;
};
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('menu', () => {
  test('is unknown without a session, loading until the server has answered, then ready', async () => {
    const { pending, release } = pendingMenu();
    const { get, session } = await testKernel({ signedIn: null, answers: [pending] });
    const seen = statuses(get(MenuTree));
    await session.signIn({ tenantId: '000000', username: 'admin', password: 'x' });
    await settle();
    release(tree);
    await settle();
    expect(seen).toEqual(['unknown', 'loading', 'ready']);
    expect(get(MenuTree).state).toEqual({ status: 'ready', items: tree });
  });

  test('is stale at once after a reload of the page, with the items known before, until the server has answered', async () => {
    await testKernel({ answers: [answer(menuRoutes, tree)] });
    await settle();
    const { pending, release } = pendingMenu();
    const { get } = await testKernel({ signedIn: null, answers: [pending] });
    expect(get(MenuTree).state).toEqual({ status: 'stale', items: tree });
    release([]);
    await settle();
    expect(get(MenuTree).state).toEqual({ status: 'ready', items: [] });
  });

  test('of another user is not shown', async () => {
    await testKernel({ answers: [answer(menuRoutes, tree)] });
    await settle();
    const { pending } = pendingMenu();
    const { get } = await testKernel({ signedIn: tokenReply(2, { user_id: '2' }), answers: [pending] });
    expect(get(MenuTree).state.status).toBe('loading');
  });

  test('that failed to load has a reason and can be reloaded', async () => {
    const { get, transport, toasts } = await testKernel({ answers: [refusal(menuRoutes, 500, '服务器异常')] });
    await settle();
    expect(get(MenuTree).state).toEqual({ status: 'failed', message: '服务器异常' });
    transport.answer(
      script(menuRoutes, () => {
        throw new TransportError('unavailable', { code: 501 });
      }),
    );
    await get(MenuTree).load();
    expect(get(MenuTree).state).toEqual({ status: 'failed', message: '服务暂不可用，请稍后再试' });
    transport.answer(answer(menuRoutes, tree));
    await get(MenuTree).load();
    expect(get(MenuTree).state.status).toBe('ready');
    expect(toasts.shown).toEqual([]);
  });

  test('keeps its items when reloading fails', async () => {
    const { get, transport } = await testKernel({ answers: [answer(menuRoutes, tree)] });
    await settle();
    transport.answer(refusal(menuRoutes, 500, 'no'));
    await get(MenuTree).load();
    expect(get(MenuTree).state).toEqual({ status: 'stale', items: tree, failure: 'no' });
    transport.answer(answer(menuRoutes, []));
    await get(MenuTree).load();
    expect(get(MenuTree).state).toEqual({ status: 'ready', items: [] });
  });

  test('is dropped with the session, here and in storage, and a late answer is ignored', async () => {
    const { pending, release } = pendingMenu();
    const { get, session, transport } = await testKernel({ answers: [answer(menuRoutes, tree), answer(menuButtons, [menuItem('param_add')])] });
    await settle();
    transport.answer(pending);
    void get(MenuTree).load();
    await session.signOut();
    release(tree);
    await settle();
    expect(get(MenuTree).state.status).toBe('unknown');
    expect(sessionStorage.length).toBe(0);
  });

  test('that is requested twice shows the later answer only', async () => {
    const first = pendingMenu();
    const { get, transport } = await testKernel({ answers: [first.pending] });
    transport.answer(answer(menuRoutes, tree));
    await get(MenuTree).load();
    first.release([]);
    await settle();
    expect(get(MenuTree).state).toEqual({ status: 'ready', items: tree });
  });

  test('is loaded with its sections, and without them if they are unavailable', async () => {
    const tops: TopMenu[] = [{ id: '9', code: 'operations', name: '运营', source: '', path: '', sort: 1, menuIds: ['param'] }];
    const { get, transport, toasts } = await testKernel({ answers: [answer(menuRoutes, tree), answer(topMenus, tops)] });
    await settle();
    expect(get(MenuTree).state).toEqual({ status: 'ready', items: tree, topMenus: tops });
    transport.answer(refusal(topMenus, 500, 'no'));
    await get(MenuTree).load();
    expect(get(MenuTree).state).toEqual({ status: 'ready', items: tree });
    expect(toasts.shown).toEqual([]);
  });

  test('keeps its sections while an expired session can be continued', async () => {
    const tops: TopMenu[] = [{ id: '9', code: 'operations', name: '运营', source: '', path: '', sort: 1, menuIds: ['param'] }];
    const { get } = await testKernel({ answers: [answer(menuRoutes, tree), answer(topMenus, tops)] });
    await settle();
    get(Bus).emit(SignedOut, { reason: 'refused' });
    expect(get(MenuTree).state).toEqual({ status: 'stale', items: tree, topMenus: tops });
  });

  test('and permission codes are reloaded once when the user acts in another role', async () => {
    const { get, transport, session } = await testKernel({ answers: [answer(menuRoutes, tree)] });
    await settle();
    transport.answer(
      answer(oauth.token, tokenReply(2, { role_id: '7', role_name: 'auditor' })),
      answer(menuRoutes, []),
      answer(menuButtons, [menuItem('x_add')]),
    );
    await session.actAs({ deptId: '3', roleId: '7' });
    await settle();
    expect(get(MenuTree).state).toEqual({ status: 'ready', items: [] });
    expect(get(Permission).may('x_add')).toBe(true);
    await session.refresh();
    await settle();
    expect(transport.to(menuRoutes)).toHaveLength(2);
  });

  test('without data is an empty menu', async () => {
    const { get } = await testKernel({ answers: [response(menuRoutes, 200, { code: 200, data: null, msg: '暂无承载数据' })] });
    await settle();
    expect(get(MenuTree).state).toEqual({ status: 'ready', items: [] });
  });
});

describe('menu entries with roles', () => {
  const item = (name: string, roles?: string[], children?: object[]) => ({ name, ...(roles ? { meta: { roles } } : {}), ...(children ? { children } : {}) });

  test('are hidden with their descendants from users without any of the roles', () => {
    const items = [
      item('open'),
      item('mine', ['admin', 'user']),
      item('theirs', ['admin'], [item('below')]),
      item('nobody', []),
      item('group', undefined, [item('inner', ['admin'])]),
    ];
    expect(visibleItems(items, ['user'])).toEqual([item('open'), item('mine', ['admin', 'user']), item('group', undefined, [])]);
  });

  test('control the pages of the kernel', async () => {
    const guarded = [menuItem('open'), { ...menuItem('theirs'), meta: { roles: ['admin'] } }];
    const { get } = await testKernel({ answers: [answer(menuRoutes, guarded)] });
    await settle();
    expect(get(MenuTree).state).toEqual({ status: 'ready', items: [menuItem('open')] });
  });
});

describe('menu titles', () => {
  const declared = new Map([
    ['param', menu({ code: 'param', title: ['系统参数', 'System parameters'], path: '/system/param' })],
    ['system', menuGroups.system],
  ]);

  test('are the contract’s in both languages while the name is unchanged', () => {
    expect(menuTitle({ code: 'param', name: '系统参数' }, declared)).toEqual(['系统参数', 'System parameters']);
    expect(menuTitle({ code: 'system', name: '系统管理' }, declared)).toEqual(['系统管理', 'System']);
  });

  test('are the server’s if it has both', () => {
    expect(menuTitle({ code: 'param', name: 'Settings', words: ['参数', 'Settings'] }, declared)).toEqual(['参数', 'Settings']);
  });

  test('are the administrator’s once changed', () => {
    expect(menuTitle({ code: 'param', name: '参数' }, declared)).toEqual(['参数', '参数']);
    expect(menuTitle({ code: 'report', name: '报表' }, declared)).toEqual(['报表', '报表']);
  });
});
