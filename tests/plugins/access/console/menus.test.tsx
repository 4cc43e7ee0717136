import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
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

const open = () =>
  showPage(<MenuPage />, {
    codes: ['menu', 'menu_add', 'menu_edit', 'menu_view', 'menu_delete'],
    answers: {
      [menus.list.path]: () => [system],
      [menus.lazy.path]: ({ parentId }) => (parentId === '1' ? [{ ...dict, hasChildren: false }] : [{ ...system, hasChildren: true }]),
      [menus.tree.path]: () => [{ id: '1', parentId: '0', title: '系统管理', value: '1', key: '1' }],
      [menus.move.path]: () => null,
    },
  });

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('what is below an entry is read when it is opened', async () => {
  const { press, inputs } = await open();
  await press(screen.getByRole('button', { name: '展开系统管理' }));
  expect(screen.getByRole('row', { name: /系统字典/ })).toBeTruthy();
  expect(inputs(menus.lazy).map((input) => (input as { parentId: string }).parentId)).toContain('1');
});

test('an entry is moved up from its row, and the level is read again', async () => {
  const { press, inputs, settle } = await open();
  const before = inputs(menus.lazy).length;
  const row = within(screen.getByRole('row', { name: /系统管理/ }));
  const direct = row.queryByRole('button', { name: '上移' });
  await press(direct ?? row.getByRole('button', { name: /更多/ }));
  if (!direct) await press(screen.getByRole('menuitem', { name: '上移' }));
  await settle();
  expect(inputs(menus.move)).toEqual([{ id: '1', by: -1 }]);
  expect(inputs(menus.lazy).length).toBeGreaterThan(before);
});
