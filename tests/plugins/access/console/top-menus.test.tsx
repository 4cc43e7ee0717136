import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { topMenu } from '#plugins/access/contract';
import TopMenuPage from '../../../../src/plugins/access/console/TopMenuPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const audit = { createUser: null, createDept: null, createTime: '2026-01-01 00:00:00', updateUser: null, updateTime: null, status: 1, isDeleted: 0 } as const;
const part = { id: '7', name: '运营', nameEn: null, code: 'operations', source: 'desktop', path: null, sort: 1, ...audit };
const node = (id: string, parentId: string, title: string) => ({ id, parentId, title, value: id, key: id, category: 1 });

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('the pages of a section are selected in a panel and saved', async () => {
  const { press, inputs } = await showPage(<TopMenuPage />, {
    codes: ['topmenu', 'topmenu_setting'],
    answers: {
      [topMenu.list.path]: () => ({ records: [part], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
      [topMenu.grantTree.path]: () => ({ menu: [{ ...node('1', '0', '工作台'), children: [node('2', '1', '账本'), node('3', '1', '公告')] }] }),
      [topMenu.grantedKeys.path]: () => ({ menu: ['1', '2'] }),
      [topMenu.grant.path]: () => null,
    },
  });
  await press(screen.getByRole('button', { name: '菜单配置' }));
  const panel = within(await screen.findByRole('dialog', { name: '菜单配置：运营' }));
  await waitFor(() => expect(panel.getByRole<HTMLInputElement>('checkbox', { name: '账本' }).checked).toBe(true));
  await press(panel.getByRole('checkbox', { name: '公告' }));
  await press(panel.getByRole('button', { name: '保存' }));
  expect(inputs(topMenu.grantedKeys)).toEqual([{ topMenuIds: ['7'] }]);
  expect(inputs(topMenu.grant)).toEqual([{ topMenuIds: ['7'], menuIds: ['1', '2', '3'], base: { menu: ['1', '2'] } }]);
});
