import { afterEach, beforeEach, expect, rs, test } from '@rstest/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { dept, post, type UserRow, user } from '#plugins/organization/contract';
import { resetSecondFactor } from '#shared/second-factor';
import { filterBranches } from '../../../../src/plugins/organization/console/DepartmentTree.tsx';
import UserPage from '../../../../src/plugins/organization/console/UserPage.tsx';
import { showPage } from '../../../support/crud-screen.tsx';

const audit = {
  createUser: null,
  createDept: null,
  createTime: '2026-01-01 00:00:00',
  updateUser: null,
  updateTime: null,
  isDeleted: 0,
  version: '1',
} as const;
const zhang: UserRow = {
  id: '7',
  account: 'zhang',
  realName: '张三',
  name: '小张',
  deptId: ['2'],
  postId: null,
  roleId: ['5'],
  phone: null,
  email: null,
  code: null,
  sex: null,
  birthday: null,
  avatar: null,
  userType: 1,
  userExt: null,
  status: 1,
  passwordExpired: false,
  ...audit,
};
const node = (value: string, title: string, parentId = '0') => ({ id: value, parentId, title, value, key: value });
const departments = [{ ...node('1', '总公司'), children: [node('2', '财务部', '1'), node('3', '运营部', '1')] }, node('4', '分公司')];
const roles = [
  { id: '5', name: '会计' },
  { id: '6', name: '出纳' },
];

const open = (codes: readonly string[] = ['user_add', 'user_edit', 'user_role', 'user_reset', 'user_status'], confirms = true) =>
  showPage(<UserPage />, {
    codes: ['user', ...codes],
    confirms,
    answers: {
      [user.list.path]: () => ({ records: [zhang], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
      [user.detail.path]: () => zhang,
      [dept.tree.path]: () => departments,
      [post.select.path]: () => [],
      [user.roles.path]: ({ ids }) => (ids ? roles.filter(({ id }) => String(ids).split(',').includes(id)) : roles),
      [user.grant.path]: () => null,
      [user.updateStatus.path]: () => null,
      [resetSecondFactor.path]: () => null,
      [user.submit.path]: ({ account, realName }) => ({
        ...zhang,
        id: '9',
        account,
        realName,
        oneTimePassword: { id: '9', account, realName, password: 'made-for-wang', expiresAt: '2026-12-01 09:00:00' },
      }),
      [user.resetPassword.path]: () => ({
        passwords: [
          { id: '7', account: 'zhang', realName: '张三', password: 'made-up-once', expiresAt: '2026-12-01 09:00:00' },
          { id: '8', account: '=cmd', realName: '李四', password: '=second', expiresAt: '2026-12-01 09:00:00' },
        ],
      }),
    },
  });

const inMenu = async (page: Awaited<ReturnType<typeof open>>, name: string) => {
  const direct = within(screen.getByRole('row', { name: /zhang/ })).queryByRole('button', { name });
  if (direct) return page.press(direct);
  await page.press(within(screen.getByRole('row', { name: /zhang/ })).getByRole('button', { name: /更多/ }));
  await page.press(await screen.findByRole('menuitem', { name }));
};

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('selecting a department shows the users in it or below, and selecting it again shows all', async () => {
  const page = await open();
  const tree = within(await screen.findByRole('navigation', { name: '部门' }));
  await page.press(await tree.findByRole('button', { name: '展开总公司' }));
  await page.press(tree.getByRole('button', { name: '财务部' }));
  await waitFor(() => expect(page.inputs(user.list).at(-1)).toMatchObject({ deptId_equal: '2' }));
  expect(tree.getByRole('button', { name: '财务部' }).getAttribute('aria-pressed')).toBe('true');
  await page.press(tree.getByRole('button', { name: '全部用户' }));
  await waitFor(() => expect(page.inputs(user.list).at(-1)).not.toHaveProperty('deptId_equal'));
});

test('a department is found by a part of its name, with its ancestors', async () => {
  expect(filterBranches(departments, '财')).toEqual([{ ...node('1', '总公司'), children: [node('2', '财务部', '1')] }]);
  const page = await open();
  await screen.findByRole('button', { name: '总公司' });
  await page.user.type(screen.getByRole('textbox', { name: '搜索部门' }), '运营');
  expect(screen.getByRole('button', { name: '运营部' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: '分公司' })).toBeNull();
});

test('roles are assigned in a panel that shows the current ones', async () => {
  const page = await open();
  await inMenu(page, '分配角色');
  const panel = within(await screen.findByRole('dialog', { name: '分配角色：张三' }));
  expect((await panel.findByRole<HTMLInputElement>('checkbox', { name: '会计' })).checked).toBe(true);
  await page.press(panel.getByRole('checkbox', { name: '出纳' }));
  await page.press(panel.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(page.inputs(user.grant)).toEqual([{ userIds: ['7'], roleIds: ['5', '6'], partial: true }]));
  expect(page.said).toContain('success: 更新成功');
});

const sheet = () => screen.findByRole('dialog', { name: '一次性密码' });

test('a reset asks first, naming the user, and ends with a sheet that is shown once', async () => {
  const page = await open();
  await inMenu(page, '账号设置');
  const panel = within(await screen.findByRole('dialog', { name: '账号设置：张三' }));
  await page.press(panel.getByRole('button', { name: '重置密码' }));
  const told = within(await sheet());
  expect(page.said).toContain('asked: 确定重置 张三 (zhang) 的密码？其所有登录会话将立即结束。');
  expect(page.inputs(user.resetPassword)).toEqual([{ userIds: ['7'], partial: true }]);
  for (const text of ['zhang', '张三', 'made-up-once']) expect(told.getByText(text)).toBeTruthy();
  expect(told.getByText(/仅显示一次.+2026-12-01 09:00:00 前有效/)).toBeTruthy();
});

test('creating an account ends with the sheet with its one-time password', async () => {
  const page = await open();
  await page.press(screen.getByRole('button', { name: '新增' }));
  await screen.findByRole('button', { name: '保存' });
  await page.settle();
  const form = within(document.querySelector('.crud-dialog') as HTMLElement);
  await page.user.type(form.getByLabelText('账号'), 'wang');
  await page.user.type(form.getByLabelText('姓名'), '王五');
  await page.user.type(form.getByLabelText('昵称'), '小王');
  await page.press(screen.getByRole('button', { name: '保存' }));
  expect(page.inputs(user.submit)).toMatchObject([{ account: 'wang', realName: '王五' }]);
  const told = within(await sheet());
  for (const text of ['wang', '王五', 'made-for-wang']) expect(told.getByText(text)).toBeTruthy();
});

test('a reset of the second factor asks first, naming the user, and can be cancelled', async () => {
  for (const confirms of [false, true]) {
    const page = await open(['user_reset', 'user_reset_mfa'], confirms);
    await inMenu(page, '账号设置');
    const panel = within(await screen.findByRole('dialog', { name: '账号设置：张三' }));
    await page.press(panel.getByRole('button', { name: '重置二次验证' }));
    expect(page.said).toContain('asked: 确定关闭 张三 的二次验证？');
    expect(page.inputs(resetSecondFactor)).toEqual(confirms ? [{ userIds: ['7'] }] : []);
    cleanup();
  }
});

test('the sheet asks before it is closed, unless it was copied or downloaded', async () => {
  const page = await open();
  await inMenu(page, '账号设置');
  await page.press(within(await screen.findByRole('dialog', { name: '账号设置：张三' })).getByRole('button', { name: '重置密码' }));
  const asked = '密码尚未复制或下载，关闭后无法再次查看，只能重新重置。';
  const told = within(await sheet());
  await page.press(told.getByRole('button', { name: '全部复制' }));
  await page.press(told.getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(screen.queryByText('made-up-once')).toBeNull());
  expect(page.said).not.toContain(`asked: ${asked}`);
  await page.press(within(screen.getByRole('dialog', { name: '账号设置：张三' })).getByRole('button', { name: '重置密码' }));
  await page.press(within(await sheet()).getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(page.said).toContain(`asked: ${asked}`));
});

test('the sheet is downloaded with a heading, and no cell of it is a formula', async () => {
  const files: Blob[] = [];
  const { createObjectURL } = URL;
  URL.createObjectURL = (file) => {
    files.push(file as Blob);
    return 'blob:sheet';
  };
  // happy-dom follows a download link instead of saving the file.
  const click = rs.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  try {
    const page = await open();
    await inMenu(page, '账号设置');
    await page.press(within(await screen.findByRole('dialog', { name: '账号设置：张三' })).getByRole('button', { name: '重置密码' }));
    await page.press(within(await sheet()).getByRole('button', { name: '下载 CSV' }));
    expect(await files[0]?.text()).toBe(`\uFEFF"账号","姓名","密码"\r\n"zhang","张三","made-up-once"\r\n"'=cmd","李四","'=second"\r\n`);
  } finally {
    click.mockRestore();
    URL.createObjectURL = createObjectURL;
  }
});

test('a user is disabled only after a confirmation', async () => {
  const page = await open();
  await inMenu(page, '账号设置');
  const panel = within(await screen.findByRole('dialog', { name: '账号设置：张三' }));
  await page.press(panel.getByRole('button', { name: '停用' }));
  await waitFor(() => expect(page.inputs(user.updateStatus)).toEqual([{ ids: ['7'], status: 2, partial: true }]));
  expect(page.said).toContain('asked: 确定停用「zhang」？停用后将立即退出登录。');
});

test('users with read access have no buttons', async () => {
  await open([]);
  await screen.findByRole('row', { name: /zhang/ });
  for (const name of ['新增', '分配角色', '账号设置', '启用', '停用', '删除']) expect(screen.queryByRole('button', { name })).toBeNull();
});
