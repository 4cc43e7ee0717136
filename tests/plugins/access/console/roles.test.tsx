import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { role } from '#plugins/access/contract';
import { roleMenu } from '#plugins/access/menus';
import { rolePreview } from '#shared/role-preview';
import { extentOf, type GrantBranch, matching, selectableIds, toggled } from '../../../../src/plugins/access/console/grant-selection.ts';
import plugin from '../../../../src/plugins/access/console/plugin.ts';
import RolePage from '../../../../src/plugins/access/console/RolePage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const audit = { createUser: null, createDept: null, createTime: '2026-01-01 00:00:00', updateUser: null, updateTime: null, status: 1, isDeleted: 0 } as const;
const clerk = { id: '5', parentId: '0', roleName: '审核员', roleNameEn: null, roleAlias: 'user', sort: 1, ...audit };
const administrator = { ...clerk, id: '1', roleName: '超级管理员', roleNameEn: 'Administrator', roleAlias: 'administrator' };
const cashier = { ...clerk, id: '7', roleName: '出纳', roleNameEn: 'Cashier' };
const node = (id: string, parentId: string, title: string, category: number, children?: GrantBranch[]): GrantBranch => ({
  id,
  parentId,
  title,
  value: id,
  key: id,
  category,
  ...(children ? { children } : {}),
});
const forest = [
  node('1', '0', '系统管理', 1, [
    node('11', '1', '字典', 1, [node('111', '11', '新增', 2), node('112', '11', '删除', 2)]),
    node('12', '1', '参数', 1, [node('121', '12', '新增', 2)]),
  ]),
];

const open = async ({ rows = [administrator, clerk], ...options }: { rows?: readonly object[]; language?: 'en'; confirms?: boolean } = {}) => {
  const page = await showPage(<RolePage />, {
    ...options,
    codes: ['role', 'role_view', 'role_edit', 'role_delete', 'role_grant', 'role_preview'],
    answers: {
      [role.list.path]: () => rows,
      [role.tree.path]: () => [],
      [role.grantTree.path]: () => ({ menu: forest, dataScope: [node('12', '0', '参数', 1, [node('71', '12', '本部门', 2)])], apiScope: [] }),
      [role.grantedKeys.path]: () => ({ menu: ['1', '11', '111'], dataScope: [], apiScope: [] }),
      [role.grant.path]: () => null,
      [role.copy.path]: (names) => ({ ...clerk, ...names, id: '6' }),
      [role.members.path]: () => ({
        records: [{ id: '9', account: 'li', realName: '李雷', deptName: '总公司' }],
        total: 1,
        totalExact: true,
        size: 50,
        current: 1,
        pages: 1,
      }),
      [role.removeMembers.path]: () => null,
      [role.candidates.path]: () => [{ id: '12', account: 'han', realName: '韩梅梅', deptName: '总公司' }],
      [role.addMembers.path]: () => null,
      [rolePreview.begin.path]: () => ({ roleName: '审核员' }),
    },
  });
  const row = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));
  const choose = async (name: string, what: string) => {
    await page.press(row(name).getByRole('button', { name: what }));
    await page.settle();
  };
  return { ...page, choose };
};

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('the page is registered for the menu entry of roles', async () => {
  expect(plugin.pages?.map(({ menu }) => menu)).toContain(roleMenu);
});

test('a partly selected page is half checked; selecting a button selects its page, clearing a page clears its buttons', () => {
  const chosen = new Set(['1', '11', '111']);
  const [system] = forest as [GrantBranch];
  const [dict, param] = system.children as [GrantBranch, GrantBranch];
  expect([system, dict, param].map((each) => extentOf(each, chosen))).toEqual(['some', 'some', 'none']);
  expect([...toggled(forest, '121', chosen)].sort()).toEqual(['1', '11', '111', '12', '121']);
  expect([...toggled(forest, '111', chosen)].sort()).toEqual(['1', '11']);
  const whole = toggled(forest, '11', chosen);
  expect([...whole].sort()).toEqual(['1', '11', '111', '112']);
  expect([...toggled(forest, '11', whole)]).toEqual([]);
  expect(toggled(forest, '1', chosen)).toEqual(new Set(selectableIds(forest)));
});

test('a click changes no entry that a search does not show', () => {
  const chosen = new Set(['1', '11', '111', '112']);
  const shown = matching(forest, '字典');
  expect(shown.map((branch) => extentOf(branch, chosen))).toEqual(['all']);
  expect([...toggled(forest, '1', chosen, shown)]).toEqual([]);
  const both = new Set([...chosen, '12', '121']);
  expect([...toggled(forest, '1', both, shown)].sort()).toEqual(['1', '12', '121']);
});

test('the grants of a role are selected in a panel that shows the changes, and saved', async () => {
  const { choose, press, inputs, messages } = await open();
  await choose('审核员', '权限设置');
  const panel = within(await screen.findByRole('dialog', { name: '权限设置：审核员' }));
  await waitFor(() => expect(panel.getByRole<HTMLInputElement>('checkbox', { name: '字典: 新增' }).checked).toBe(true));
  expect(panel.getByRole<HTMLButtonElement>('button', { name: '保存' }).disabled).toBe(true);
  await press(panel.getByRole('checkbox', { name: '参数: 新增' }));
  await press(panel.getByRole('checkbox', { name: '字典: 新增' }));
  await press(panel.getByRole('checkbox', { name: '参数: 本部门' }));
  expect(panel.getByText('新增 3 项')).toBeTruthy();
  expect(panel.getByText('移除 1 项')).toBeTruthy();
  await press(panel.getByRole('button', { name: '保存' }));
  const base = { menu: ['1', '11', '111'], dataScope: [], apiScope: [] };
  expect(inputs(role.grant)).toEqual([{ roleIds: ['5'], menuIds: ['1', '11', '121', '12'], dataScopeIds: ['71'], apiScopeIds: [], base }]);
  expect(messages).toContain('success: 已保存，立即生效');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the administrator role has everything, and cannot be changed', async () => {
  const { choose, messages } = await open();
  await choose('超级管理员', '权限设置');
  expect(messages).toEqual(['info: 超级管理员拥有全部权限，无需设置']);
});

test('a copied role has a name that says so', async () => {
  const { press, inputs, messages, settle } = await open();
  const row = within(screen.getByRole('row', { name: /审核员/ }));
  const more = row.queryByRole('button', { name: '复制角色' }) ?? row.getByRole('button', { name: /更多/ });
  await press(more);
  if (!inputs(role.copy).length) await press(screen.getByRole('menuitem', { name: '复制角色' }));
  await settle();
  expect(inputs(role.copy)).toEqual([{ id: '5', roleName: '审核员 - 副本' }]);
  expect(messages).toContain('success: 已复制为 审核员 - 副本');
});

test('in English a role has its English name, in the list, the question before it is deleted, its panels and its copy', async () => {
  const { choose, press, inputs, messages, questions, settle } = await open({ rows: [cashier, clerk], language: 'en', confirms: false });
  const more = async (name: string, what: string) => {
    const row = within(screen.getByRole('row', { name: new RegExp(name) }));
    const direct = row.queryByRole('button', { name: what });
    await press(direct ?? row.getByRole('button', { name: /More/ }));
    if (!direct) await press(screen.getByRole('menuitem', { name: what }));
    await settle();
  };
  expect(screen.getByRole('checkbox', { name: /Cashier/ })).toBeTruthy();
  expect(screen.queryByText('出纳')).toBeNull();
  await more('Cashier', 'Delete');
  expect(questions.at(-1)).toContain('Cashier');
  await more('Cashier', 'Duplicate role');
  await more('审核员', 'Duplicate role');
  expect(inputs(role.copy)).toEqual([
    { id: '7', roleName: '出纳 - 副本', roleNameEn: 'Copy of Cashier' },
    { id: '5', roleName: 'Copy of 审核员' },
  ]);
  expect(messages).toContain('success: Duplicated as Copy of Cashier');
  await choose('Cashier', 'Permissions');
  expect(await screen.findByRole('dialog', { name: 'Permissions of Cashier' })).toBeTruthy();
});

test('members are listed, and one is removed after a confirmation', async () => {
  const { press, inputs, messages, settle } = await open();
  const row = within(screen.getByRole('row', { name: /审核员/ }));
  const direct = row.queryByRole('button', { name: '成员' });
  await press(direct ?? row.getByRole('button', { name: /更多/ }));
  if (!direct) await press(screen.getByRole('menuitem', { name: '成员' }));
  await settle();
  const panel = within(await screen.findByRole('dialog', { name: '角色成员：审核员' }));
  await press(await panel.findByRole('button', { name: '移除' }));
  expect(messages).toEqual(['asked: 确定移除成员「李雷」？立即生效。']);
  expect(inputs(role.removeMembers)).toEqual([{ roleId: '5', ids: ['9'] }]);
  expect(panel.getByText('还没有成员，可在上方添加')).toBeTruthy();
});

test('users are found by a part of their name and added to a role together', async () => {
  const { choose, press, inputs, messages, user, settle } = await open();
  await choose('审核员', '成员');
  const panel = within(screen.getByRole('dialog', { name: '角色成员：审核员' }));
  await user.type(await panel.findByRole('combobox'), '韩');
  await waitFor(() => expect(inputs(role.candidates).at(-1)).toEqual({ roleId: '5', text: '韩' }));
  await press(await screen.findByText('梅梅 · han · 总公司'));
  await settle();
  const asked = inputs(role.members).length;
  await press(panel.getByRole('button', { name: '添加' }));
  expect(inputs(role.addMembers)).toEqual([{ roleId: '5', ids: ['12'] }]);
  expect(messages).toEqual(['success: 已添加 1 名成员，立即生效']);
  expect(inputs(role.members).length).toBe(asked + 1);
});

test('the console is previewed as one role from its row, and as several selected ones', async () => {
  const { choose, press, inputs, messages, user } = await open();
  await choose('审核员', '预览');
  expect(inputs(rolePreview.begin)).toEqual([{ roleIds: ['5'] }]);
  expect(messages).toEqual(['now: 审核员']);
  await press(screen.getByRole('button', { name: '以所选角色预览' }));
  expect(messages.at(-1)).toBe('warning: 请选择至少一条数据');
  for (const name of ['审核员', '超级管理员']) await user.click(within(screen.getByRole('row', { name: new RegExp(name) })).getByRole('checkbox'));
  await press(screen.getByRole('button', { name: '以所选角色预览' }));
  expect([...(inputs(rolePreview.begin)[1] as { roleIds: string[] }).roleIds].sort()).toEqual(['1', '5']);
});
