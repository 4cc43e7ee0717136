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

const noDetails = { failsEachTime: false, strayErrors: 0, needs: [], neededBy: [], pages: [], codes: 0, jobs: [], rounds: 0, checks: 0 };
const rows: PluginRow[] = [
  {
    ...noDetails,
    id: 'task',
    title: ['任务', 'Tasks'],
    state: 'running',
    pages: [['任务列表', 'Tasks']],
    neededBy: [{ id: 'payment', title: ['付款', 'Payments'] }],
  },
  {
    ...noDetails,
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
  { ...noDetails, id: 'access', title: ['权限管理', 'Permissions'], state: 'running', fixed: ['核心插件，不能停用', 'It is a core plugin.'] },
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

/** Shows the screen with a fake plugin host, which records what is disabled and enabled; in tenant 100001 by default. */
async function showPlugins({ states = [stateOf('task'), stateOf('payment')], mayDisable = true, confirms = true, tenant = '100001', roles = 'admin' } = {}) {
  const toggles: string[] = [];
  const host = {
    definitions: [{ id: 'greeter', title: ['问候', 'Greeter'], version: '1.2.0', pages: [{ menu: { title: ['问候', 'Greetings'] } }] }],
    states,
    states$: new BehaviorSubject(states),
    disable: async (id: string) => toggles.push(`-${id}`) > 0 && mayDisable,
    enable: async (id: string) => toggles.push(`+${id}`) > 0,
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
  return { ...page, toggles, switched, rowOf: (name: string) => within(screen.getByText(name, { selector: 'strong' }).closest('li') as HTMLElement) };
}

test('the confirmation lists what else is disabled; the plugin is disabled in this browser and on the server', async () => {
  const { rowOf, press, messages, toggles, inputs } = await showPlugins();
  await press(rowOf('任务').getByRole('switch'));
  expect(messages[0]).toBe(
    'asked: 对本租户立即生效。同时停用：付款。2 个页面从菜单中消失：任务列表、钱包。暂停的定时作业：核对账本。数据全部保留，可随时重新启用。',
  );
  expect(inputs(plugins.setEnabled)).toEqual([{ id: 'task', on: false, place: '100001' }]);
  expect(toggles).toEqual(['-task']);
  expect(messages.at(-1)).toBe('success: 已停用「任务」');
  expect(rowOf('权限管理').getByRole('switch').hasAttribute('disabled')).toBe(true);
});

test('nothing is disabled on the server without a confirmation, or if unsaved changes are kept', async () => {
  const cancelled = await showPlugins({ confirms: false });
  await cancelled.press(cancelled.rowOf('任务').getByRole('switch'));
  expect([cancelled.toggles, cancelled.inputs(plugins.setEnabled)]).toEqual([[], []]);
  cancelled.unmount();
  const unsaved = await showPlugins({ mayDisable: false });
  await unsaved.press(unsaved.rowOf('任务').getByRole('switch'));
  expect([unsaved.toggles, unsaved.inputs(plugins.setEnabled)]).toEqual([['-task'], []]);
});

test('an administrator of the platform disables a plugin for all tenants or for one; for all, the background work that pauses is named', async () => {
  const { rowOf, press, messages, inputs, user, settle, toggles } = await showPlugins({ tenant: '000000', roles: 'administrator' });
  expect(inputs(plugins.list)).toEqual([{ place: '*' }]);
  await press(rowOf('付款').getByRole('switch'));
  expect(messages[0]).toContain('对全部租户立即生效。');
  expect(messages[0]).toContain('2 项后台工作暂停。1 项由该插件执行的检查将停止。');
  await user.click(screen.getByRole('combobox', { name: '适用范围' }));
  await settle();
  await press(screen.getByRole('option', { name: /甲公司/ }));
  expect(inputs(plugins.list).at(-1)).toEqual({ place: '100001' });
  toggles.length = 0;
  await press(rowOf('任务').getByRole('switch'));
  expect(messages.filter((one) => one.startsWith('asked')).at(-1)).toContain('对租户「甲公司」立即生效。');
  expect([inputs(plugins.setEnabled).at(-1), toggles]).toEqual([{ id: 'task', on: false, place: '100001' }, []]);
});

test('a quarantined plugin shows its reason and can be retried; changes on the server reload the list', async () => {
  const cause = { kind: 'error', phase: 'start', text: ['在「start」阶段出错：boom', 'It failed'] } as const;
  const { rowOf, press, messages, toggles, switched, settle, inputs } = await showPlugins({
    states: [stateOf('task', { status: 'quarantined', cause, faults: 2 })],
  });
  expect(rowOf('任务').getByText('在「start」阶段出错：boom')).toBeTruthy();
  expect(rowOf('任务').getByText('本次会话出错 2 次')).toBeTruthy();
  expect(screen.getByText('2 个运行中，0 个已停用')).toBeTruthy();
  await press(rowOf('任务').getByRole('button', { name: '重试' }));
  expect([toggles, messages]).toEqual([['+task'], ['success: 已恢复运行']]);
  switched.next({ off: ['task'] });
  await settle();
  expect(inputs(plugins.list)).toHaveLength(2);
});

test('a plugin with a console half only is listed for administrators of the deployment, and cannot be disabled', async () => {
  const states = [stateOf('task'), stateOf('payment'), stateOf('access'), stateOf('greeter', { title: ['问候插件', 'Greeter'], dependencies: ['task'] })];
  const { rowOf, user, settle, press } = await showPlugins({ tenant: '000000', roles: 'administrator', states });
  const greeter = rowOf('问候插件');
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
  const { rowOf } = await showPlugins();
  expect(rowOf('付款').getByText('近 7 天未捕获错误 3 次，见通用日志')).toBeTruthy();
  expect(rowOf('任务').queryByText(/未捕获错误/)).toBeNull();
});

test('the graph shows the plugins with dependencies, and selecting one shows it in the list', async () => {
  const { press } = await showPlugins();
  await press(screen.getByRole('radio', { name: '依赖图' }));
  const graph = within(screen.getByRole('group', { name: /插件依赖图/ }));
  expect(graph.getAllByRole('button').map((node) => node.getAttribute('aria-label'))).toEqual(['任务', '付款']);
  expect(screen.getByText('另有 1 个插件没有依赖关系')).toBeTruthy();
  await press(graph.getByRole('button', { name: '付款' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  expect(screen.getByText('付款', { selector: 'strong' })).toBeTruthy();
});
