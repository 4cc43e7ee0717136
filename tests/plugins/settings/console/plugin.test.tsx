import { expect, test } from '@rstest/core';
import { clientMenu, paramMenu } from '#plugins/settings/menus';
import ParamPage from '../../../../src/plugins/settings/console/ParamPage.tsx';
import plugin from '../../../../src/plugins/settings/console/plugin.ts';

test('the settings plugin answers to the menu of system parameters with their page', async () => {
  expect(plugin.pages?.map(({ menu }) => menu)).toEqual([paramMenu, clientMenu]);
  expect((await plugin.pages?.[0]?.load())?.default).toBe(ParamPage);
});
