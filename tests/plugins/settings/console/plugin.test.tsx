import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { client } from '#plugins/settings/client-contract';
import { clientMenu, paramMenu, settingMenu } from '#plugins/settings/menus';
import { type ParameterState, setting } from '#plugins/settings/setting-contract';
import { flagParameter, integerParameter } from '#shared/parameters';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import ClientPage from '../../../../src/plugins/settings/console/ClientPage.tsx';
import ParamPage from '../../../../src/plugins/settings/console/ParamPage.tsx';
import plugin from '../../../../src/plugins/settings/console/plugin.ts';
import SettingPage from '../../../../src/plugins/settings/console/SettingPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

test('the plugin has a page for each of its menus, and that of the system parameters is ParamPage', async () => {
  expect(plugin.pages?.map(({ menu }) => menu)).toEqual([settingMenu, paramMenu, clientMenu]);
  expect((await plugin.pages?.[1]?.load())?.default).toBe(ParamPage);
});

const lease: ParameterState = {
  ...integerParameter({
    key: 'task.leaseMinutes',
    group: ['任务', 'Tasks'],
    title: ['审核占用时长', 'Review hold time'],
    help: ['占用', 'Held'],
    preset: 10,
    minimum: 1,
    maximum: 90,
    unit: ['分钟', 'min'],
  }),
  value: '25',
  isDefault: false,
  changedBy: '王芳',
  changedAt: '2026-01-01 08:00:00',
  own: [],
};
const external: ParameterState = {
  ...flagParameter({ key: 'job.external', group: ['定时作业', 'Jobs'], title: ['外部处理器', 'External'], help: ['可用', 'May'], preset: false }),
  value: 'false',
  isDefault: true,
  changedBy: null,
  changedAt: null,
  own: [],
};
const hours: ParameterState = {
  ...integerParameter({
    key: 'task.auditHours',
    group: ['任务', 'Tasks'],
    title: ['审核时限', 'Hours of an audit'],
    help: ['时限', 'Limit'],
    preset: 24,
    minimum: 1,
    unit: ['小时', 'h'],
    isPerTenant: true,
  }),
  value: '24',
  isDefault: true,
  changedBy: null,
  changedAt: null,
  own: [{ tenantId: 'bakers', tenantName: '面包店', value: '48' }],
};
const atPage = () => (
  <MemoryRouter>
    <SettingPage />
  </MemoryRouter>
);
const answers = { [setting.list.path]: () => [lease, external], [setting.set.path]: () => null, [setting.reset.path]: () => null };
const codes = ['setting', 'setting_edit', 'param'];

test('a setting is found by a word of its title and can be changed; invalid values cannot be saved', async () => {
  const page = await showPage(atPage(), { answers, codes });
  expect(await screen.findByText('25 分钟')).toBeTruthy();
  expect(screen.getByText('王芳 于 2026-01-01 08:00:00 修改')).toBeTruthy();
  await page.user.type(screen.getByLabelText('搜索参数'), '审核');
  expect(screen.queryByText('外部处理器')).toBeNull();
  await page.press(screen.getByRole('button', { name: '修改审核占用时长' }));
  const field = screen.getByLabelText('审核占用时长');
  await page.user.clear(field);
  await page.user.type(field, '91');
  expect(screen.getByRole('alert').textContent).toBe('审核占用时长须为 1 到 90 的整数');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '保存' }).disabled).toBe(true);
  await page.user.clear(field);
  await page.user.type(field, '30');
  await page.press(screen.getByRole('button', { name: '保存' }));
  await page.settle();
  expect(page.inputs(setting.set)).toEqual([{ key: 'task.leaseMinutes', value: '30' }]);
});

test('a setting is reset to its default, and a search without a match says so', async () => {
  const page = await showPage(atPage(), { answers, codes });
  await page.press(await screen.findByRole('button', { name: '修改审核占用时长' }));
  await page.press(screen.getByRole('button', { name: '恢复默认' }));
  await page.settle();
  expect(page.inputs(setting.reset)).toEqual([{ key: 'task.leaseMinutes' }]);
  await page.user.type(screen.getByLabelText('搜索参数'), 'nothing like it');
  expect(screen.getByText('没有符合条件的参数')).toBeTruthy();
});

test('settings are grouped, each with its default, its range and the values of single tenants', async () => {
  await showPage(atPage(), { answers: { ...answers, [setting.list.path]: () => [lease, external, hours] }, codes });
  await screen.findByText('25 分钟');
  const groups = screen.getAllByRole('heading', { level: 2 }).map((heading) => {
    const keys = within(heading.parentElement as HTMLElement).getAllByText(/^[a-z]+\.[a-zA-Z]+$/);
    return [heading.textContent, ...keys.map(({ textContent }) => textContent)];
  });
  expect(groups).toEqual([
    ['任务', 'task.leaseMinutes', 'task.auditHours'],
    ['定时作业', 'job.external'],
  ]);
  const detailsOf = (key: string) => [...(screen.getByText(key).closest('li')?.querySelectorAll('small') ?? [])].map(({ textContent }) => textContent?.trim());
  expect(detailsOf('task.leaseMinutes')).toEqual(['默认 10 分钟 · 可设为 1 到 90', '王芳 于 2026-01-01 08:00:00 修改']);
  expect(detailsOf('job.external')).toEqual(['默认']);
  expect(detailsOf('task.auditHours')).toEqual(['默认 · 不小于 1', '租户「面包店」：48 小时 取消单独设置']);
});

test('a tenant gets its own value, which can be removed there', async () => {
  const page = await showPage(atPage(), { answers: { ...answers, [setting.list.path]: () => [hours, lease] }, codes });
  await page.press(await screen.findByRole('button', { name: '修改审核时限' }));
  await page.user.type(screen.getByLabelText('租户编号（不填为所有租户）'), 'bakers');
  await page.user.clear(screen.getByLabelText('审核时限'));
  await page.user.type(screen.getByLabelText('审核时限'), '72');
  await page.press(screen.getByRole('button', { name: '保存' }));
  await page.settle();
  expect(page.inputs(setting.set)).toEqual([{ key: 'task.auditHours', value: '72', tenantId: 'bakers' }]);
  await page.press(screen.getByRole('button', { name: '取消单独设置' }));
  expect(page.inputs(setting.reset)).toEqual([{ key: 'task.auditHours', tenantId: 'bakers' }]);
  await page.press(screen.getByRole('button', { name: '修改审核占用时长' }));
  expect(screen.queryByLabelText('租户编号（不填为所有租户）')).toBeNull();
});

test('users with read access have no buttons to change settings', async () => {
  await showPage(atPage(), { answers, codes: ['setting'] });
  expect(await screen.findByText('25 分钟')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^修改/ })).toBeNull();
});

test('the editor of a setting marks the tab as unsaved and opens again with its input after a reload', async () => {
  sessionStorage.clear();
  const dirty: boolean[] = [];
  const open = () =>
    showPage(
      <MemoryRouter>
        <SettingPage />
      </MemoryRouter>,
      { answers: { [setting.list.path]: () => [lease] }, codes: ['setting_edit'], pane: { setDirty: (isDirty) => void dirty.push(isDirty) } },
    );
  const { user, settle } = await open();
  await settle();
  await user.click(screen.getByRole('button', { name: '修改审核占用时长' }));
  const input = screen.getByLabelText<HTMLInputElement>('审核占用时长');
  await user.clear(input);
  await user.type(input, '31');
  expect(dirty.at(-1)).toBe(true);
  cleanup();
  const reloaded = await open();
  await reloaded.settle();
  expect(screen.getByLabelText<HTMLInputElement>('审核占用时长').value).toBe('31');
  await reloaded.user.click(screen.getByRole('button', { name: '取消' }));
  cleanup();
  await (await open()).settle();
  expect(screen.queryByLabelText('审核占用时长')).toBeNull();
});

test('a closed editor returns the focus to its button, and Escape within an input method does not close it', async () => {
  sessionStorage.clear();
  const page = await showPage(atPage(), { answers, codes });
  await page.press(await screen.findByRole('button', { name: '修改审核占用时长' }));
  const field = screen.getByLabelText('审核占用时长');
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
  expect(screen.getByLabelText('审核占用时长')).toBeTruthy();
  fireEvent.keyDown(field, { key: 'Escape' });
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '修改审核占用时长' }));
});

test('an editor whose input was restored by hand does not open again after a reload', async () => {
  sessionStorage.clear();
  const page = await showPage(atPage(), { answers, codes });
  await page.press(await screen.findByRole('button', { name: '修改审核占用时长' }));
  const field = screen.getByLabelText('审核占用时长');
  await page.user.type(field, '1');
  await page.user.type(field, '{Backspace}');
  cleanup();
  await showPage(atPage(), { answers, codes });
  expect(await screen.findByText('25 分钟')).toBeTruthy();
  expect(screen.queryByLabelText('审核占用时长')).toBeNull();
});

test('a reset of a client secret that gets no answer is reported', async () => {
  const offline = () => {
    throw new TransportError('offline');
  };
  const records = [{ id: '1', clientId: 'partner', authorizedGrantTypes: [] }];
  const page = await showPage(<ClientPage />, {
    codes: ['client', 'client_secret'],
    answers: { [client.list.path]: () => ({ records, total: 1, totalExact: true, size: 10, current: 1, pages: 1 }), [client.rotate.path]: offline },
  });
  await page.press(await screen.findByRole('button', { name: '重置密钥' }));
  expect(page.messages.at(-1)).toBe('error: 网络已断开，请检查网络连接');
});
