import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, screen, within } from '@testing-library/react';
import { apiScope } from '#plugins/access/contract';
import ApiScopePage from '../../../../src/plugins/access/console/ApiScopePage.tsx';
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
const scope = { id: '8', menuId: '7', scopeName: '岗位删除', resourceCode: 'post_api', scopePath: '/api/*/post/remove', scopeType: 2, remark: null, ...audit };

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('the API scopes of a page are shown beside it', async () => {
  const { press, inputs } = await showPage(<ApiScopePage />, {
    codes: ['api_scope_setting', 'api_scope'],
    answers: {
      [apiScope.pages.path]: () => [page],
      [apiScope.list.path]: () => ({ records: [scope], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
    },
  });
  await press(screen.getByRole('button', { name: '权限配置' }));
  const panel = within(await screen.findByRole('dialog', { name: '接口权限：岗位管理' }));
  expect(await panel.findByText('/api/*/post/remove')).toBeTruthy();
  expect(inputs(apiScope.list)[0]).toMatchObject({ menuId: '7' });
});
