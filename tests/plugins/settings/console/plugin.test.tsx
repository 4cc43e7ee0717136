import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { param } from '#plugins/settings/contract';
import { clientMenu, paramMenu } from '#plugins/settings/menus';
import ParamPage from '../../../../src/plugins/settings/console/ParamPage.tsx';
import plugin from '../../../../src/plugins/settings/console/plugin.ts';
import { showPage } from '../../../support/crud-screen.tsx';

afterEach(cleanup);

test('the settings plugin answers to the menu of system parameters with their page', async () => {
  expect(plugin.pages?.map(({ menu }) => menu)).toEqual([paramMenu, clientMenu]);
  expect((await plugin.pages?.[0]?.load())?.default).toBe(ParamPage);
});

test('a key the product knows brings its name, unless somebody has entered another, and the control of its value', async () => {
  const { press, settle } = await showPage(<ParamPage />, {
    codes: ['param', 'param_add'],
    answers: { [param.list.path]: () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 }) },
  });
  await press(screen.getAllByRole('button', { name: '新增' })[0] as HTMLElement);
  await screen.findByRole('dialog');
  const enter = async (key: string) => {
    // The control is fetched when it is first shown.
    await waitFor(() => expect(field('参数键名').getAttribute('role')).toBe('combobox'));
    fireEvent.change(field('参数键名'), { target: { value: key } });
    await waitFor(() => expect(field('参数键名').getAttribute('aria-describedby')).toBeTruthy());
    await settle();
  };
  const field = (name: string) => within(screen.getByRole('dialog')).getByLabelText<HTMLInputElement>(name);
  await enter('account.failCount');
  expect(field('参数名称').value).toBe('登录失败锁定次数');
  expect(field('参数键值').tagName).toBe('INPUT');
  await enter('account.initPassword');
  expect(field('参数名称').value).toBe('初始密码');
  expect(field('参数键值').tagName).toBe('TEXTAREA');
  fireEvent.change(field('参数名称'), { target: { value: '自定名称' } });
  await enter('account.registerUser');
  expect(field('参数名称').value).toBe('自定名称');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('radio', { name: '关闭' }));
  expect(within(screen.getByRole('dialog')).getByRole<HTMLInputElement>('radio', { name: '关闭' }).checked).toBe(true);
  // The keys are found by what they are called, too, in a list that says what it is.
  fireEvent.focus(field('参数键名'));
  fireEvent.change(field('参数键名'), { target: { value: '保留天数' } });
  const list = await screen.findByRole('listbox', { name: '参数键名：可选值' });
  expect(within(list).getAllByRole('option')).toHaveLength(4);
  const box = within(screen.getByRole('dialog')).getByRole('combobox', { name: '参数键名', expanded: true });
  expect(box.getAttribute('aria-controls')).toBe(list.id);
});
