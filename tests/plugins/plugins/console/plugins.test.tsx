import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { BehaviorSubject, Subject } from 'rxjs';
import { type PluginRow, plugins } from '#plugins/plugins/contract';
import type { PluginState } from '../../../../src/kernel/host/plugin/plugin-state.ts';
import { PluginHost } from '../../../../src/kernel/host/plugin-host/plugin-host.ts';
import { Live } from '../../../../src/kernel/platform/live/live.ts';
import { Session } from '../../../../src/kernel/platform/session/session.ts';
import PluginsPage from '../../../../src/plugins/plugins/console/PluginsPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const none = { failsEachTime: false, strayErrors: 0, needs: [], neededBy: [], pages: [], codes: 0, jobs: [], rounds: 0, checks: 0 };
const rows: PluginRow[] = [
  {
    ...none,
    id: 'task',
    title: ['任务', 'Tasks'],
    state: 'running',
    pages: [['任务列表', 'Tasks']],
    neededBy: [{ id: 'payment', title: ['付款', 'Payments'] }],
  },
  {
    ...none,
    id: 'payment',
    title: ['付款', 'Payments'],
    state: 'running',
    strayErrors: 3,
    pages: [['钱包', 'Wallet']],
    jobs: [['核对账本', 'Check the ledger']],
    rounds: 2,
    checks: 1,
    needs: [{ id: 'task', title: ['任务', 'Tasks'] }],
  },
  { ...none, id: 'access', title: ['权限管理', 'Permissions'], state: 'running', fixed: ['核心插件，不能停用', 'It is a core plugin.'] },
];
const stateOf = (id: string, change: Partial<PluginState> = {}): PluginState => ({
  id,
  title: [id, id],
  core: false,
  dependencies: [],
  status: 'running',
  timings: {},
  faults: 0,
  ...change,
});

afterEach(cleanup);

/** Shows the screen in front of a host with the given answers, in tenant 100001 by default. */
async function shown({ states = [stateOf('task'), stateOf('payment')], mayDisable = true, confirms = true, tenant = '100001', roles = 'admin' } = {}) {
  const did: string[] = [];
  const host = {
    definitions: [{ id: 'greeter', title: ['问候', 'Greeter'], version: '1.2.0', pages: [{ menu: { title: ['问候', 'Greetings'] } }] }],
    states,
    states$: new BehaviorSubject(states),
    disable: async (id: string) => did.push(`-${id}`) > 0 && mayDisable,
    enable: async (id: string) => did.push(`+${id}`) > 0,
  };
  const switched = new Subject();
  const services = [
    [PluginHost, host],
    [Live, { stream: () => switched }],
    [Session, { user: { user_id: '1', tenant_id: tenant, role_name: roles } }],
  ] as const;
  const page = await showPage(<PluginsPage />, {
    answers: {
      [plugins.list.path]: () => rows,
      [plugins.setEnabled.path]: () => null,
      [plugins.tenants.path]: () => [{ id: '100001', name: '甲公司' }],
    },
    codes: ['plugin', 'plugin_switch'],
    confirms,
    services,
  });
  return { ...page, did, switched, of: (name: string) => within(screen.getByText(name, { selector: 'strong' }).closest('li') as HTMLElement) };
}

test('dependents of a plugin are listed before it is disabled, in this browser first', async () => {
  const { of, press, messages, did, inputs } = await shown();
  await press(of('任务').getByRole('switch'));
  expect(messages[0]).toBe(
    'asked: 对本租户立即生效。同时停用：付款。2 个页面从菜单中消失：任务列表、钱包。暂停的定时作业：核对账本。数据全部保留，可随时重新启用。',
  );
  expect(inputs(plugins.setEnabled)).toEqual([{ id: 'task', on: false, place: '100001' }]);
  expect(did).toEqual(['-task']);
  expect(messages.at(-1)).toBe('success: 已停用「任务」');
  expect(of('权限管理').getByRole('switch').hasAttribute('disabled')).toBe(true);
});

test('without a confirmation, or with unsaved changes kept, nothing is disabled', async () => {
  const doubtful = await shown({ confirms: false });
  await doubtful.press(doubtful.of('任务').getByRole('switch'));
  expect([doubtful.did, doubtful.inputs(plugins.setEnabled)]).toEqual([[], []]);
  doubtful.unmount();
  const busy = await shown({ mayDisable: false });
  await busy.press(busy.of('任务').getByRole('switch'));
  expect([busy.did, busy.inputs(plugins.setEnabled)]).toEqual([['-task'], []]);
});

test('the platform’s administrator decides for all, or for one tenant; what rests everywhere is named too', async () => {
  const { of, press, messages, inputs, user, settle, did } = await shown({ tenant: '000000', roles: 'administrator' });
  expect(inputs(plugins.list)).toEqual([{ place: '*' }]);
  await press(of('付款').getByRole('switch'));
  expect(messages[0]).toContain('对全部租户立即生效。');
  expect(messages[0]).toContain('2 项后台工作暂停。1 项由该插件执行的检查将停止。');
  await user.click(screen.getByRole('combobox', { name: '适用范围' }));
  await settle();
  await press(screen.getByRole('option', { name: /甲公司/ }));
  expect(inputs(plugins.list).at(-1)).toEqual({ place: '100001' });
  did.length = 0;
  await press(of('任务').getByRole('switch'));
  expect(messages.filter((one) => one.startsWith('asked')).at(-1)).toContain('对租户「甲公司」立即生效。');
  expect([inputs(plugins.setEnabled).at(-1), did]).toEqual([{ id: 'task', on: false, place: '100001' }, []]);
});

test('a plugin quarantined here shows its reason and can be retried; changes from elsewhere are shown', async () => {
  const cause = { kind: 'error', phase: 'start', text: ['在「start」阶段出错：boom', 'It failed'] } as const;
  const { of, press, messages, did, switched, settle, inputs } = await shown({ states: [stateOf('task', { status: 'quarantined', cause, faults: 2 })] });
  expect(of('任务').getByText('在「start」阶段出错：boom')).toBeTruthy();
  expect(of('任务').getByText('本次会话出错 2 次')).toBeTruthy();
  expect(screen.getByText('2 个运行中，0 个已停用')).toBeTruthy();
  await press(of('任务').getByRole('button', { name: '重试' }));
  expect([did, messages]).toEqual([['+task'], ['success: 已恢复运行']]);
  switched.next({ off: ['task'] });
  await settle();
  expect(inputs(plugins.list)).toHaveLength(2);
});

test('a plugin with a console half only is listed for administrators of the deployment, and cannot be disabled', async () => {
  const states = [stateOf('task'), stateOf('payment'), stateOf('access'), stateOf('greeter', { title: ['问候插件', 'Greeter'], dependencies: ['task'] })];
  const { of, user, settle, press } = await shown({ tenant: '000000', roles: 'administrator', states });
  const greeter = of('问候插件');
  expect(greeter.getByText('greeter 1.2.0')).toBeTruthy();
  expect(greeter.getByText('运行中')).toBeTruthy();
  expect(greeter.getByRole('switch').hasAttribute('disabled')).toBe(true);
  expect(screen.getByText('4 个运行中，0 个已停用')).toBeTruthy();
  await user.click(screen.getByRole('combobox', { name: '适用范围' }));
  await settle();
  await press(screen.getByRole('option', { name: /甲公司/ }));
  expect(screen.queryByText('问候插件', { selector: 'strong' })).toBeNull();
});

test('a plugin with uncaught errors shows their number', async () => {
  const { of } = await shown();
  expect(of('付款').getByText('近 7 天未捕获错误 3 次，见通用日志')).toBeTruthy();
  expect(of('任务').queryByText(/未捕获错误/)).toBeNull();
});

test('the graph shows which plugin depends on which, and leads to one in the list', async () => {
  const { press } = await shown();
  await press(screen.getByRole('radio', { name: '依赖图' }));
  const graph = within(screen.getByRole('group', { name: /插件依赖图/ }));
  expect(graph.getAllByRole('button').map((node) => node.getAttribute('aria-label'))).toEqual(['任务', '付款']);
  expect(screen.getByText('另有 1 个插件没有依赖关系')).toBeTruthy();
  await press(graph.getByRole('button', { name: '付款' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  expect(screen.getByText('付款', { selector: 'strong' })).toBeTruthy();
});
