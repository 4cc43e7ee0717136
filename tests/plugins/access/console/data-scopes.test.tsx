import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { dataScope } from '#plugins/access/contract';
import DataScopePage from '../../../../src/plugins/access/console/DataScopePage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const audit = { createUser: null, createDept: null, createTime: '2026-01-01 00:00:00', updateUser: null, updateTime: null, status: 1, isDeleted: 0 } as const;
const page = {
  id: '7',
  parentId: '0',
  name: '岗位管理',
  nameEn: null,
  code: 'post',
  alias: 'menu',
  path: '/system/post',
  source: null,
  component: null,
  sort: 1,
  category: 1,
  action: 0,
  isOpen: 1,
  remark: null,
  ...audit,
};
const scope = {
  id: '8',
  menuId: '7',
  scopeName: '本部门',
  resourceCode: 'post_scope',
  scopeType: 3,
  scopeClass: null,
  scopeColumn: null,
  scopeField: '*',
  scopeValue: null,
  remark: null,
  ...audit,
};

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('the scopes of a page are shown and added beside it', async () => {
  const { press, inputs } = await showPage(<DataScopePage />, {
    codes: ['data_scope_setting', 'data_scope', 'data_scope_add'],
    answers: {
      [dataScope.pages.path]: () => [page],
      [dataScope.list.path]: () => ({ records: [scope], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
      [dataScope.submit.path]: () => scope,
      [dataScope.entities.path]: () => [],
    },
  });
  await press(screen.getByRole('button', { name: '权限配置' }));
  const panel = within(await screen.findByRole('dialog', { name: '数据权限：岗位管理' }));
  expect(await panel.findByText('所在机构可见')).toBeTruthy();
  expect(inputs(dataScope.list)[0]).toMatchObject({ menuId: '7' });
  await press(panel.getByRole('button', { name: '新增' }));
  const form = within((await screen.findByRole('button', { name: '保存' })).closest('.crud-dialog') as HTMLElement);
  expect(form.getByLabelText<HTMLInputElement>('权限编号').value).toBe('post_scope');
  expect(form.queryByLabelText('条件')).toBeNull();
});
