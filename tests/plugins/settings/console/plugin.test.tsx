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

test('a key the product knows brings its name, unless somebody has entered another', async () => {
  const { press, settle } = await showPage(<ParamPage />, {
    codes: ['param', 'param_add'],
    answers: { [param.list.path]: () => ({ records: [], total: 0, totalExact: true, size: 10, current: 1, pages: 0 }) },
  });
  await press(screen.getAllByRole('button', { name: '新增' })[0] as HTMLElement);
  await screen.findByRole('dialog');
  const enter = async (key: string) => {
    // The control is fetched when it is first shown.
    await waitFor(() => {
      fireEvent.change(field('参数键名'), { target: { value: key } });
      expect(field('参数键名').getAttribute('aria-describedby')).toBeTruthy();
    });
    await settle();
  };
  const field = (name: string) => within(screen.getByRole('dialog')).getByLabelText<HTMLInputElement>(name);
  await enter('account.failCount');
  expect(field('参数名称').value).toBe('登录失败锁定次数');
  await enter('account.initPassword');
  expect(field('参数名称').value).toBe('登录失败锁定次数');
});
