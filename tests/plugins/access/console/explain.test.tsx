import { afterEach, beforeEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { permissionExplanation } from '#plugins/access/explain-contract';
import { explainMenu } from '#plugins/access/menus';
import type { Explanation, StepVerdict } from '#shared/permission-explanation';
import ExplainPage from '../../../../src/plugins/access/console/ExplainPage.tsx';
import plugin from '../../../../src/plugins/access/console/plugin.ts';
import { showPage } from '../../../support/crud-screen.tsx';
import { Refused } from '../../../support/scripted-http.ts';

const people = [
  { id: '9', account: 'wang', realName: '王芳', deptName: '审核部' },
  { id: '1', account: 'admin', realName: '管理员', deptName: '' },
];
const step = (name: 'role' | 'code', verdict: StepVerdict, sentence: string) => ({ step: name, verdict, sentence: [sentence, sentence] as [string, string] });
const explained = (about: string, isAllowed: boolean): Explanation => ({
  user: { id: '9', account: 'wang', name: '王芳' },
  subject: { kind: 'page', name: ['系统参数', 'System parameters'], about },
  isAllowed,
  steps: [step('role', 'allows', '角色「审核员」有此菜单。'), step('code', isAllowed ? 'allows' : 'refuses', '没有任何角色给予权限码「param」。')],
});

/** Opens the page at an address, in front of a server that refuses system parameters. */
function open(address: string, of: () => unknown = () => explained('param', false)) {
  history.replaceState(null, '', address);
  return showPage(<ExplainPage />, {
    codes: [explainMenu.code],
    answers: {
      [permissionExplanation.explain.path]: of,
      [permissionExplanation.people.path]: ({ text }) => people.filter(({ realName }) => realName.includes(String(text))),
      [permissionExplanation.summary.path]: () => summary,
      [permissionExplanation.entries.path]: () => [],
      [permissionExplanation.calls.path]: () => [{ path: '/api/blade-system/param/list', title: '分页查询' }],
    },
  });
}

const summary = {
  user: { id: '1', account: 'zhang', name: '张三' },
  canSignIn: true,
  isAdministrator: false,
  roles: ['审核员'],
  groups: [{ title: '任务管理', pages: [{ code: 'task_audit', title: '任务审核', roles: ['审核员'], buttons: ['查看', '导出'], rows: '广告主为 晨麦' }] }],
};

beforeEach(() => localStorage.clear());
afterEach(cleanup);

test('the page is registered for the menu entry', () => {
  expect(plugin.pages?.map(({ menu }) => menu)).toContain(explainMenu);
});

test('an address with user and subject is answered at once, step by step', async () => {
  const { inputs } = await open('/authority/explain/index?userId=9&about=param');
  expect(inputs(permissionExplanation.explain)).toEqual([{ about: 'param', userId: '9' }]);
  expect(screen.getByRole('heading', { name: '王芳 不能使用「系统参数」' })).toBeTruthy();
  const steps = screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(steps).toEqual(['角色允许角色「审核员」有此菜单。', '权限码拒绝没有任何角色给予权限码「param」。']);
});

test('without a subject the page summarizes the caller, and a page of the summary is explained on a click', async () => {
  const page = await open('/authority/explain/index');
  expect(page.inputs(permissionExplanation.explain)).toEqual([]);
  expect(page.inputs(permissionExplanation.summary)).toEqual([{ userId: '1' }]);
  for (const text of ['张三 可以使用 1 个页面', '角色：审核员', '查看、导出', '只看：广告主为 晨麦']) expect(screen.getByText(text)).toBeTruthy();
  await page.press(screen.getByRole('button', { name: '说明「任务审核」的权限' }));
  expect(page.inputs(permissionExplanation.explain)).toEqual([{ about: 'task_audit', userId: '1' }]);
  cleanup();
  const again = await open('/authority/explain/index?about=param');
  expect(again.inputs(permissionExplanation.explain)).toEqual([{ about: 'param', userId: '1' }]);
});

test('a row is identified by its id, and other text is not sent', async () => {
  const { inputs, user, settle } = await open('/authority/explain/index?userId=9&about=param');
  const row = screen.getByLabelText('数据编号');
  await user.type(row, '12');
  await user.tab();
  await settle();
  expect(inputs(permissionExplanation.explain).at(-1)).toEqual({ about: 'param', userId: '9', rowId: '12' });
  await user.clear(row);
  await user.type(row, 'x');
  await user.tab();
  await settle();
  expect(inputs(permissionExplanation.explain).at(-1)).toEqual({ about: 'param', userId: '9' });
});

test('calls are found by name, and selected in place of a page', async () => {
  const { inputs, press, user, settle } = await open('/authority/explain/index?userId=9', () => explained('/api/blade-system/param/list', true));
  await press(screen.getByRole('radio', { name: '接口' }));
  fireEvent.click(screen.getByRole('combobox', { name: '接口' }));
  await settle();
  await user.type(screen.getByRole('combobox', { name: '接口' }), 'fycx');
  await expect.poll(() => screen.queryAllByRole('option').map(({ textContent }) => textContent?.split(' ')[0])).toEqual(['分页查询']);
  expect(inputs(permissionExplanation.calls)).toEqual([{}]);
  await press(await screen.findByRole('option', { name: /分页查询/ }));
  expect(inputs(permissionExplanation.explain)).toEqual([{ about: '/api/blade-system/param/list', userId: '9' }]);
  expect(screen.getByRole('heading', { name: '王芳 可以使用「系统参数」' })).toBeTruthy();
});

test('of two searches of a user the last one counts, whichever reply comes last', async () => {
  const { http, user, settle } = await open('/authority/explain/index?userId=9&about=param');
  http.hold();
  await user.type(screen.getByRole('combobox', { name: '用户' }), '芳{Backspace}');
  expect(http.to(permissionExplanation.people.path).slice(1)).toHaveLength(2);
  http.release(1);
  await settle();
  http.release(0);
  await settle();
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['王芳 · wang · 审核部', '管理员 · admin']);
});

test('a failed answer clears the previous one, says so and can be tried again', async () => {
  let isDown = false;
  const { user, settle, press } = await open('/authority/explain/index?userId=9&about=param', () =>
    isDown ? new Refused(500, '服务器异常') : explained('param', false),
  );
  expect(screen.getByRole('heading', { name: /不能使用/ })).toBeTruthy();
  isDown = true;
  await user.type(screen.getByLabelText('数据编号'), '7');
  await user.tab();
  await settle();
  expect(within(document.body).queryByRole('heading', { name: /不能使用/ })).toBeNull();
  const failure = within(screen.getByRole('alert'));
  isDown = false;
  await press(failure.getByRole('button', { name: '重试' }));
  expect(screen.getByRole('heading', { name: /不能使用/ })).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});
