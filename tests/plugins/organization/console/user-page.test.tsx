import { afterEach, beforeEach, expect, rs, test } from '@rstest/core';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { dept, post, type UserRow, user } from '#plugins/organization/contract';
import { resetSecondFactor } from '#shared/second-factor';
import { type AccountState, accountAccess, unlockUsers } from '#shared/sessions';
import { PluginHost } from '../../../../src/kernel/host/plugin-host/plugin-host.ts';
import UserPage, { filterBranches } from '../../../../src/plugins/organization/console/UserPage.tsx';
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

const session = { address: '10.0.0.7', createTime: '2026-11-01 08:00:00', lastUsedAt: '2026-11-27 09:30:00', isCurrent: false };
const signInState: AccountState = {
  lockedUntil: '2026-11-27 10:00:00',
  lastSignIn: { time: '2026-11-27 09:00:00', address: '10.0.0.7', device: 'Chrome · Windows' },
  hasSecondFactor: true,
  sessions: [
    { ...session, id: '31', device: 'Chrome · Windows' },
    { ...session, id: '32', device: 'Safari · iPhone' },
  ],
};

const allCodes = ['user_add', 'user_edit', 'user_role', 'user_reset', 'user_status'];

const openPage = ({ codes = allCodes, answers = {}, ...options }: Partial<Parameters<typeof showPage>[1]> = {}) =>
  showPage(<UserPage />, {
    ...options,
    codes: ['user', ...codes],
    answers: {
      [user.list.path]: () => ({ records: [zhang], total: 1, totalExact: true, size: 10, current: 1, pages: 1 }),
      [user.detail.path]: () => zhang,
      [dept.tree.path]: () => departments,
      [post.select.path]: () => [],
      [user.roles.path]: ({ ids }) => (ids ? roles.filter(({ id }) => String(ids).split(',').includes(id)) : roles),
      [user.grant.path]: () => null,
      [user.mailPasswords.path]: () => null,
      [user.updateStatus.path]: () => null,
      [resetSecondFactor.path]: () => null,
      [accountAccess.state.path]: () => signInState,
      [accountAccess.endSessions.path]: () => ({ count: 1 }),
      [unlockUsers.path]: () => null,
      [user.submit.path]: ({ account, realName }) => ({
        ...zhang,
        id: '9',
        account,
        realName,
        oneTimePassword: { id: '9', account, realName, password: 'once-wang', expiresAt: '2026-12-01 09:00:00' },
      }),
      [user.resetPassword.path]: () => ({
        passwords: [
          { id: '7', account: 'zhang', realName: '张三', password: 'once-zhang', expiresAt: '2026-12-01 09:00:00' },
          { id: '8', account: '=cmd', realName: '李四', password: '=second', expiresAt: '2026-12-01 09:00:00' },
        ],
      }),
      ...answers,
    },
  });

/** Presses an action of the row of Zhang, which may be in its menu. */
const pressRowAction = async (page: Awaited<ReturnType<typeof openPage>>, name: string) => {
  const button = within(screen.getByRole('row', { name: /zhang/ })).queryByRole('button', { name });
  if (button) return page.press(button);
  await page.press(within(screen.getByRole('row', { name: /zhang/ })).getByRole('button', { name: /更多/ }));
  await page.press(await screen.findByRole('menuitem', { name }));
};

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('selecting a department shows the users in it or below, and selecting it again shows all', async () => {
  const page = await openPage();
  const tree = within(await screen.findByRole('navigation', { name: '部门' }));
  await page.press(await tree.findByRole('button', { name: '展开总公司' }));
  await page.press(tree.getByRole('button', { name: '财务部' }));
  await waitFor(() => expect(page.inputs(user.list).at(-1)).toMatchObject({ deptId_equal: '2' }));
  expect(tree.getByRole('button', { name: '财务部' }).getAttribute('aria-pressed')).toBe('true');
  await page.press(tree.getByRole('button', { name: '全部用户' }));
  await waitFor(() => expect(page.inputs(user.list).at(-1)).not.toHaveProperty('deptId_equal'));
});

test('a department is found by a part of its name or its pinyin, with its ancestors', async () => {
  expect(filterBranches(departments, '财')).toEqual([{ ...node('1', '总公司'), children: [node('2', '财务部', '1')] }]);
  const page = await openPage();
  await screen.findByRole('button', { name: '总公司' });
  await page.user.type(screen.getByRole('textbox', { name: '搜索部门' }), 'yyb');
  await waitFor(() => expect(screen.queryByRole('button', { name: '运营部' })).toBeTruthy());
  await page.user.clear(screen.getByRole('textbox', { name: '搜索部门' }));
  await page.user.type(screen.getByRole('textbox', { name: '搜索部门' }), '运营');
  expect(screen.getByRole('button', { name: '运营部' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: '分公司' })).toBeNull();
});

test('roles are assigned in a panel that shows the current ones', async () => {
  const page = await openPage();
  await pressRowAction(page, '分配角色');
  const panel = within(await screen.findByRole('dialog', { name: '分配角色：张三' }));
  expect((await panel.findByRole<HTMLInputElement>('checkbox', { name: '会计' })).checked).toBe(true);
  await page.press(panel.getByRole('checkbox', { name: '出纳' }));
  await page.press(panel.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(page.inputs(user.grant)).toEqual([{ userIds: ['7'], roleIds: ['5', '6'], partial: true }]));
  expect(page.messages).toContain('success: 更新成功');
});

const findPasswords = () => screen.findByRole('dialog', { name: '一次性密码' });

test('a reset asks for confirmation, naming the user, and shows the one-time passwords', async () => {
  const page = await openPage();
  await pressRowAction(page, '账号设置');
  const panel = within(await screen.findByRole('dialog', { name: '账号设置：张三' }));
  await page.press(panel.getByRole('button', { name: '重置密码' }));
  const passwordDialog = within(await findPasswords());
  expect(page.messages).toContain('asked: 确定重置 张三 (zhang) 的密码？其所有登录会话将立即结束。');
  expect(page.inputs(user.resetPassword)).toEqual([{ userIds: ['7'], partial: true }]);
  for (const text of ['zhang', '张三', 'once-zhang']) expect(passwordDialog.getByText(text)).toBeTruthy();
  expect(passwordDialog.getByText(/仅显示一次.+2026-12-01 09:00:00 前有效/)).toBeTruthy();
  // None of the accounts has an address.
  expect(passwordDialog.queryByRole('button', { name: '邮件发送密码' })).toBeNull();
});

test('passwords can be e-mailed to the selected users only if the e-mail plugin runs', async () => {
  await openPage();
  expect(screen.queryByRole('button', { name: '邮件发送密码' })).toBeNull();
  cleanup();
  const page = await openPage({ codes: ['user_reset'], services: [[PluginHost, { states: [{ id: 'email', status: 'running' }] }]] });
  await page.press(screen.getByRole('checkbox', { name: '选择zhang' }));
  await page.press(await screen.findByRole('button', { name: '邮件发送密码' }));
  await waitFor(() => expect(page.inputs(user.mailPasswords)).toEqual([{ ids: ['7'], partial: true }]));
  expect(page.messages).toEqual(['asked: 向「zhang」发送新的一次性密码？原密码失效，其登录会话立即结束。', 'success: 密码已通过邮件发送']);
});

test('from the dialog new passwords are e-mailed to accounts with an e-mail address, after a confirmation, and replace the shown ones', async () => {
  const person = (id: string, more: object = {}) => ({
    id,
    account: `a${id}`,
    realName: `人${id}`,
    password: `once-${id}`,
    expiresAt: '2026-12-01 09:00:00',
    ...more,
  });
  const passwords = [person('7', { isMailable: true }), person('8', { isMailable: true }), person('9')];
  const refused = { id: '8', title: '人8', code: 409, message: '人8 没有可用的邮箱' };
  const page = await openPage({
    answers: { [user.resetPassword.path]: () => ({ passwords }), [user.mailPasswords.path]: () => ({ done: 1, total: 2, rows: [refused] }) },
  });
  await pressRowAction(page, '账号设置');
  await page.press(within(await screen.findByRole('dialog', { name: '账号设置：张三' })).getByRole('button', { name: '重置密码' }));
  const passwordDialog = within(await findPasswords());
  await page.press(passwordDialog.getByRole('button', { name: '邮件发送密码' }));
  await waitFor(() => expect(page.inputs(user.mailPasswords)).toEqual([{ ids: ['7', '8'], partial: true }]));
  await waitFor(() => expect(passwordDialog.queryByText('once-7')).toBeNull());
  for (const text of ['once-8', 'once-9', '密码已通过邮件发送（1 人）']) expect(passwordDialog.getByText(text)).toBeTruthy();
  expect(page.messages.slice(-3)).toEqual([
    'asked: 向有邮箱的 2 人发送新的一次性密码？此处为其显示的密码随即失效。',
    'warning: 人8 没有可用的邮箱',
    'success: 密码已通过邮件发送（1 人）',
  ]);
});

test('after an account is created, its one-time password is shown', async () => {
  const page = await openPage();
  await page.press(screen.getByRole('button', { name: '新增' }));
  await screen.findByRole('button', { name: '保存' });
  await page.settle();
  const form = within(document.querySelector('.crud-dialog') as HTMLElement);
  await page.user.type(form.getByLabelText('账号'), 'wang');
  await page.user.type(form.getByLabelText('姓名'), '王五');
  await page.user.type(form.getByLabelText('昵称'), '小王');
  await page.press(screen.getByRole('button', { name: '保存' }));
  expect(page.inputs(user.submit)).toMatchObject([{ account: 'wang', realName: '王五' }]);
  const passwordDialog = within(await findPasswords());
  for (const text of ['wang', '王五', 'once-wang']) expect(passwordDialog.getByText(text)).toBeTruthy();
});

test('a reset of the second factor asks for confirmation, naming the user, and can be cancelled', async () => {
  for (const confirms of [false, true]) {
    const page = await openPage({ codes: ['user_reset', 'user_reset_mfa'], confirms });
    await pressRowAction(page, '账号设置');
    const panel = within(await screen.findByRole('dialog', { name: '账号设置：张三' }));
    await page.press(panel.getByRole('button', { name: '重置二次验证' }));
    expect(page.messages).toContain('asked: 确定关闭 张三 的二次验证？');
    expect(page.inputs(resetSecondFactor)).toEqual(confirms ? [{ userIds: ['7'] }] : []);
    cleanup();
  }
});

test('the account panel shows lock, last sign-in, second factor and sessions, and unlocks the account and ends sessions', async () => {
  const page = await openPage({ codes: ['user_unlock', 'online_kick'] });
  await pressRowAction(page, '账号设置');
  const panel = within(await screen.findByRole('dialog', { name: '账号设置：张三' }));
  for (const text of [/锁定至 2026-11-27 10:00/, '2026-11-27 09:00 · 10.0.0.7 · Chrome · Windows', '已开启', '登录中的设备（2）'])
    expect(panel.getByText(text)).toBeTruthy();
  await page.press(panel.getByRole('button', { name: '解锁' }));
  expect(page.inputs(unlockUsers)).toEqual([{ userIds: ['7'] }]);
  await page.press(await panel.findByRole('button', { name: '下线Safari · iPhone' }));
  await page.press(await panel.findByRole('button', { name: '全部下线' }));
  expect(page.messages).toContain('asked: 确定让 张三 在所有设备上下线？');
  expect(page.inputs(accountAccess.endSessions)).toEqual([{ userId: '7', ids: ['32'] }, { userId: '7' }]);
  expect(panel.queryByRole('button', { name: '重置二次验证' })).toBeNull();
});

test('an account that its identity provider has locked can be unlocked', async () => {
  const state: AccountState = { hasSecondFactor: false, isProviderLocked: true };
  const page = await openPage({ codes: ['user_unlock'], answers: { [accountAccess.state.path]: () => state } });
  await pressRowAction(page, '账号设置');
  const panel = within(await screen.findByRole('dialog', { name: '账号设置：张三' }));
  expect(panel.getByText('已离开身份源，重新在身份源登录前不能登录')).toBeTruthy();
  await page.press(panel.getByRole('button', { name: '解锁' }));
  expect(page.inputs(unlockUsers)).toEqual([{ userIds: ['7'] }]);
});

test('the dialog asks before it is closed, unless the passwords were copied', async () => {
  const page = await openPage();
  await pressRowAction(page, '账号设置');
  await page.press(within(await screen.findByRole('dialog', { name: '账号设置：张三' })).getByRole('button', { name: '重置密码' }));
  const question = '尚未复制、下载或打印。关闭后无法再次查看，只能重置密码。';
  const passwordDialog = within(await findPasswords());
  await page.press(passwordDialog.getByRole('button', { name: '全部复制' }));
  await page.press(passwordDialog.getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(screen.queryByText('once-zhang')).toBeNull());
  expect(page.messages).not.toContain(`asked: ${question}`);
  await page.press(within(screen.getByRole('dialog', { name: '账号设置：张三' })).getByRole('button', { name: '重置密码' }));
  await page.press(within(await findPasswords()).getByRole('button', { name: '关闭' }));
  await waitFor(() => expect(page.messages).toContain(`asked: ${question}`));
});

test('the dialog shows invitation links that have the password in the fragment', async () => {
  const page = await openPage();
  await pressRowAction(page, '账号设置');
  await page.press(within(await screen.findByRole('dialog', { name: '账号设置：张三' })).getByRole('button', { name: '重置密码' }));
  const passwordDialog = within(await findPasswords());
  await page.press(passwordDialog.getByRole('radio', { name: '邀请链接' }));
  const link = new URL(passwordDialog.getAllByText(/#invitation=/)[0]?.textContent ?? '');
  expect(link.pathname + link.search).toBe('/login');
  expect(Object.fromEntries(new URLSearchParams(link.hash.slice(1)))).toMatchObject({ invitation: 'once-zhang', account: 'zhang' });
  expect(passwordDialog.queryByText('once-zhang')).toBeNull();
});

test('the downloaded CSV file has a heading, and none of its cells is a formula', async () => {
  const files: Blob[] = [];
  const { createObjectURL } = URL;
  URL.createObjectURL = (file) => {
    files.push(file as Blob);
    return 'blob:passwords';
  };
  // happy-dom follows a download link instead of saving the file.
  const click = rs.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  try {
    const page = await openPage();
    await pressRowAction(page, '账号设置');
    await page.press(within(await screen.findByRole('dialog', { name: '账号设置：张三' })).getByRole('button', { name: '重置密码' }));
    await page.press(within(await findPasswords()).getByRole('button', { name: '下载 CSV' }));
    expect(await files[0]?.text()).toBe(`\uFEFF"姓名","账号","一次性密码"\r\n"张三","zhang","once-zhang"\r\n"李四","'=cmd","'=second"\r\n`);
  } finally {
    click.mockRestore();
    URL.createObjectURL = createObjectURL;
  }
});

test('a user is disabled only after a confirmation', async () => {
  for (const confirms of [false, true]) {
    const page = await openPage({ confirms });
    await pressRowAction(page, '账号设置');
    const panel = within(await screen.findByRole('dialog', { name: '账号设置：张三' }));
    await page.press(panel.getByRole('button', { name: '停用' }));
    await waitFor(() => expect(page.inputs(user.updateStatus)).toEqual(confirms ? [{ ids: ['7'], status: 2, partial: true }] : []));
    expect(page.messages).toContain('asked: 确定停用「zhang」？停用后将立即退出登录。');
    cleanup();
  }
});

test('users with read access have no buttons that change anything', async () => {
  await openPage({ codes: [] });
  await screen.findByRole('row', { name: /zhang/ });
  for (const name of ['新增', '分配角色', '启用', '停用', '删除']) expect(screen.queryByRole('button', { name })).toBeNull();
});
