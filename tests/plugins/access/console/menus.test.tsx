import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { menus } from '#plugins/access/contract';
import MenuPage from '../../../../src/plugins/access/console/MenuPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const audit = { createUser: null, createDept: null, createTime: '2026-01-01 00:00:00', updateUser: null, updateTime: null, status: 1, isDeleted: 0 } as const;
const entry = (id: string, parentId: string, name: string, code: string, category: 1 | 2) =>
  ({
    id,
    parentId,
    name,
    nameEn: null,
    code,
    alias: 'menu',
    path: `/${code}`,
    source: null,
    component: null,
    sort: 1,
    category,
    action: 0,
    isOpen: 1,
    remark: null,
    ...audit,
  }) as const;
const system = entry('1', '0', '系统管理', 'system', 1);
const dict = entry('2', '1', '系统字典', 'dict', 1);

const param = entry('3', '1', '系统参数', 'param', 1);

const open = () =>
  showPage(<MenuPage />, {
    codes: ['menu', 'menu_add', 'menu_edit', 'menu_view', 'menu_delete'],
    answers: {
      [menus.list.path]: () => [system],
      [menus.lazy.path]: ({ parentId }) =>
        parentId === '1'
          ? [
              { ...dict, hasChildren: false },
              { ...param, hasChildren: false },
            ]
          : [{ ...system, hasChildren: true }],
      [menus.tree.path]: () => [{ id: '1', parentId: '0', title: '系统管理', value: '1', key: '1' }],
      [menus.order.path]: () => null,
      [menus.detail.path]: () => ({ ...system, action: 2 }),
      [menus.submit.path]: () => system,
    },
  });

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('children of an entry are loaded when it is expanded', async () => {
  const { press, inputs } = await open();
  await press(screen.getByRole('button', { name: '展开系统管理' }));
  expect(screen.getByRole('row', { name: /系统字典/ })).toBeTruthy();
  expect(inputs(menus.lazy).map((input) => (input as { parentId: string }).parentId)).toContain('1');
});

test('siblings of an entry are reordered by dragging or by keyboard, saved together, and reloaded', async () => {
  const { press, inputs, settle } = await open();
  await press(screen.getByRole('button', { name: '展开系统管理' }));
  const row = within(screen.getByRole('row', { name: /系统字典/ }));
  await press(row.getByRole('button', { name: '调整顺序' }));
  await settle();
  const panel = within(screen.getByRole('dialog', { name: '调整顺序' }));
  const names = () => panel.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(names()).toEqual(['系统字典', '系统参数']);
  const [first, second] = panel.getAllByRole('listitem') as [HTMLElement, HTMLElement];
  fireEvent.dragStart(second);
  fireEvent.dragOver(first);
  fireEvent.drop(first);
  await settle();
  expect(names()).toEqual(['系统参数', '系统字典']);
  expect(inputs(menus.order)).toEqual([{ parentId: '1', ids: ['3', '2'] }]);
  expect(panel.getByRole('status').textContent).toBe('系统参数：第 1 位，共 2 项');
  await press(panel.getByRole('button', { name: '上移 系统字典' }));
  expect(inputs(menus.order)[1]).toEqual({ parentId: '1', ids: ['2', '3'] });
  const before = inputs(menus.lazy).length;
  await press(panel.getByRole('button', { name: '关闭' }));
  expect(inputs(menus.lazy).length).toBeGreaterThan(before);
});

test('editing a page keeps the position of its button, which the form does not show', async () => {
  const { press, inputs } = await open();
  await press(within(screen.getByRole('row', { name: /系统管理/ })).getByRole('button', { name: '编辑' }));
  const form = within(await screen.findByRole('dialog'));
  expect(form.queryByText('按钮位置')).toBeNull();
  await press(form.getByRole('button', { name: '保存' }));
  expect(inputs(menus.submit)).toMatchObject([{ id: '1', action: 2, isOpen: 1 }]);
});
