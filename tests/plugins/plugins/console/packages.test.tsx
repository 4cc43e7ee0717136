import { afterEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { BehaviorSubject, Subject } from 'rxjs';
import { type PluginRow, plugins } from '#plugins/plugins/contract';
import { type InstalledPackage, packages, type UploadedPackage } from '#plugins/plugins/package-contract';
import { PluginHost } from '../../../../src/kernel/host/plugin-host/plugin-host.ts';
import { Live } from '../../../../src/kernel/platform/live/live.ts';
import { Session } from '../../../../src/kernel/platform/session/session.ts';
import PluginsPage from '../../../../src/plugins/plugins/console/PluginsPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

const none = { failsEachTime: false, strayErrors: 0, needs: [], neededBy: [], pages: [], codes: 0, jobs: [], rounds: 0, checks: 0 };
const noDetails = { tables: [], provides: [], uses: [], fields: [], rules: [], calls: 0, callMs: 0 };
const rows: PluginRow[] = [
  {
    ...none,
    id: 'task',
    title: ['任务', 'Tasks'],
    state: 'running',
    codes: 12,
    details: { tables: ['task', 'task_submission'], provides: ['TaskOffers'], uses: [], fields: [], rules: [], startMs: 18, calls: 240, callMs: 7 },
  },
  { ...none, id: 'bell', title: ['钟', 'Bell'], state: 'running', version: '1.1.0', details: { ...noDetails, tables: ['bell'] } },
];
const bell: InstalledPackage = {
  id: 'bell',
  version: '1.1.0',
  description: 'About bells.',
  author: 'Acme',
  changes: ['The bell rings twice.'],
  isContained: false,
  signer: 'acme',
  previousVersion: '1.0.0',
};
const uploaded: UploadedPackage = {
  digest: 'a'.repeat(64),
  id: 'lamp',
  version: '2.0.0',
  name: '@acme/lamp',
  description: 'About lamps.',
  author: 'Acme',
  changes: ['Lamps have a dimmer.'],
  hasConsole: true,
  hasServer: true,
  isContained: false,
  rights: { tables: ['lamp'], otherTables: [], plugins: ['task'], nodeModules: ['node:fs'], services: [], origins: [], inbox: false },
};

interface Given {
  readonly accepted?: 'none' | 'signed' | 'any';
  readonly answers?: Record<string, () => unknown>;
  readonly confirms?: boolean;
  readonly codes?: string[];
}

async function shown({ accepted = 'signed', answers = {}, confirms = true, codes = ['plugin', 'plugin_install'] }: Given = {}) {
  const host = { definitions: [], states: [], states$: new BehaviorSubject([]) };
  const page = await showPage(<PluginsPage />, {
    answers: {
      [plugins.list.path]: () => rows,
      [plugins.tenants.path]: () => [],
      [packages.list.path]: () => ({ accepted, packages: [bell] }),
      [packages.upload.path]: () => uploaded,
      [packages.install.path]: () => null,
      [packages.revert.path]: () => null,
      [packages.remove.path]: () => null,
      [packages.data.path]: () => ({ tables: [{ name: 'bell', rows: 3 }], holders: [] }),
      ...answers,
    },
    codes,
    confirms,
    services: [
      [PluginHost, host],
      [Live, { stream: () => new Subject() }],
      [Session, { user: { user_id: '1', tenant_id: '000000', role_name: 'administrator' } }],
    ],
  });
  return { ...page, bell: within(screen.getByText('钟', { selector: 'strong' }).closest('li') as HTMLElement) };
}

const file = new File(['package'], 'lamp.tgz');

test('a package is installed after its source and the reach of its code are shown', async () => {
  const { user, settle, press, inputs, messages } = await shown();
  await user.upload(screen.getByLabelText('安装插件'), file);
  await settle();
  const dialog = within(screen.getByRole('dialog', { hidden: true }));
  expect(dialog.getByRole('heading', { level: 2, hidden: true }).textContent).toBe('安装「@acme/lamp」2.0.0');
  expect(dialog.getByText('未签名：无法确认来源')).toBeTruthy();
  expect(dialog.getByText('Lamps have a dimmer.')).toBeTruthy();
  const reach = [...document.querySelectorAll('dialog dl div')].map((row) => [...row.children].map((part) => part.textContent));
  expect(reach).toEqual([
    ['创建的数据表', 'lamp'],
    ['改动或引用的其他数据表', '无'],
    ['使用的其他插件', 'task'],
    ['Node.js 模块', 'node:fs'],
    ['内核服务', '无'],
  ]);
  expect(inputs(packages.install)).toEqual([]);
  await press(dialog.getByRole('button', { name: '安装', hidden: true }));
  expect(inputs(packages.install)).toEqual([{ digest: uploaded.digest }]);
  expect(messages).toEqual(['success: 已安装「@acme/lamp」2.0.0']);
  expect(screen.queryByRole('dialog', { hidden: true })).toBeNull();
});

test('a contained package lists its tables and the ports that it is granted, and nothing that it cannot reach', async () => {
  const rights = { ...uploaded.rights, origins: ['https://api.acme.com'], inbox: true };
  const { user, settle } = await shown({ answers: { [packages.upload.path]: () => ({ ...uploaded, isContained: true, rights }) } });
  await user.upload(screen.getByLabelText('安装插件'), file);
  await settle();
  const granted = [...document.querySelectorAll('dialog dl div')].map((row) => [...row.children].map((part) => part.textContent));
  expect(granted).toEqual([
    ['创建的数据表', 'lamp'],
    ['可访问的网络地址', 'https://api.acme.com'],
    ['通知', '向用户收件箱发送通知'],
  ]);
});

test('where no packages are accepted, the button says which settings are missing; without the permission there is none', async () => {
  const { press, messages, unmount } = await shown({ accepted: 'none' });
  await press(screen.getByRole('button', { name: '安装插件' }));
  expect(messages[0]).toContain('PLUGIN_KEYS');
  unmount();
  await shown({ codes: ['plugin'] });
  expect(screen.queryByRole('button', { name: '安装插件' })).toBeNull();
  expect(screen.queryByRole('button', { name: '卸载' })).toBeNull();
});

test('a plugin from a package comes first, and returns to the version before after a question', async () => {
  const { bell: item, press, inputs, messages } = await shown();
  expect([...document.querySelectorAll('li strong')].map(({ textContent }) => textContent)).toEqual(['钟', '任务']);
  expect(item.getByText('插件包 · acme 签名')).toBeTruthy();
  expect(item.getByText('1.1.0 的更新内容')).toBeTruthy();
  expect(item.getByText('The bell rings twice.')).toBeTruthy();
  await press(item.getByRole('button', { name: '恢复到 1.0.0' }));
  expect(messages[0]).toContain('asked: 对全部租户立即生效。');
  expect(inputs(packages.revert)).toEqual([{ id: 'bell' }]);
  expect(messages.at(-1)).toBe('success: 已恢复到 1.0.0');
});

test('uninstalling keeps the tables, unless they are deleted too after they were named', async () => {
  const { bell: item, press, inputs, messages } = await shown();
  await press(item.getByRole('button', { name: '卸载' }));
  const dialog = within(screen.getByRole('dialog', { hidden: true }));
  expect(dialog.getByText('bell：3 行')).toBeTruthy();
  expect(dialog.getByText('数据表保留，重新安装后可继续使用：')).toBeTruthy();
  await press(dialog.getByRole('checkbox', { hidden: true }));
  expect(dialog.getByText('以下数据将永久删除，不能恢复：')).toBeTruthy();
  await press(dialog.getByRole('button', { name: '卸载', hidden: true }));
  expect(inputs(packages.remove)).toEqual([{ id: 'bell', withData: true }]);
  expect(messages.at(-1)).toBe('success: 已卸载「钟」');
});

test('tables to which others refer are not offered for deletion', async () => {
  const data = () => ({ tables: [{ name: 'bell', rows: 3 }], holders: [{ table: 'tower', target: 'bell' }] });
  const { bell: item, press } = await shown({ answers: { [packages.data.path]: data } });
  await press(item.getByRole('button', { name: '卸载' }));
  const dialog = within(screen.getByRole('dialog', { hidden: true }));
  expect(dialog.getByText('tower 引用 bell，因此数据表不能删除')).toBeTruthy();
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { hidden: true }).disabled).toBe(true);
});

test('the details of a plugin name what it brings and what it costs on this server', async () => {
  await shown();
  const details = screen.getByText('任务', { selector: 'strong' }).closest('li')?.querySelector('details');
  expect([...(details?.querySelectorAll('dl div') ?? [])].map((row) => [...row.children].map((part) => part.textContent))).toEqual([
    ['数据表', 'task、task_submission'],
    ['权限码', '12'],
    ['提供的服务', 'TaskOffers'],
    ['启动用时', '18 毫秒'],
    ['本服务器上的调用', '240 次，平均 7 毫秒'],
  ]);
});
