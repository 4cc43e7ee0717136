import { afterEach, expect, test } from '@rstest/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { definePlugin, page, useAddressText } from '#kernel';
import { explainPage } from '#shared/menu-groups';
import { menuRoutes } from '#shared/menus';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import { answer } from '../../../support/scripted-transport.ts';
import { entryOf, menuItem, testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

const user = userEvent.setup({ pointerEventsCheck: 0 });
const lampMenu = { code: 'lamp', title: ['灯具', 'Lamps'], path: '/base/lamp', under: 'base' } as const;
const explainMenu = { ...explainPage, title: ['权限说明', 'Permission explainer'], under: 'base' } as const;
const lamps = definePlugin({ id: 'lamp', title: ['灯具', 'Lamps'], pages: [page(lampMenu, async () => ({ default: () => <p>lit</p> }))] });
const explainer = definePlugin({
  id: 'explainer',
  title: ['说明', 'Explainer'],
  pages: [page(explainMenu, async () => ({ default: () => <p>asked: {useAddressText('about')[0]}</p> }))],
});

const endings: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const end of endings.splice(0)) end();
});

/** Opens a console at a page that is missing from its user's menu. */
async function openForbidden(...codes: string[]) {
  history.replaceState(null, '', '/base/lamp/index');
  const menu = [menuItem('base', { path: '/base', children: codes.map((code) => menuItem(code, { name: '权限说明', path: explainPage.path })) })];
  const { core } = await testCoreServices({ answers: [answer(menuRoutes, menu)], signedIn: tokenReply() });
  const opened = openConsole(core, [entryOf(lamps), entryOf(explainer)]);
  endings.push(() => opened.close());
  render(opened.screen);
  await screen.findByRole('heading', { name: '没有访问权限', level: 2 });
}

test('a refused page links to the explanation for permitted users', async () => {
  await openForbidden(explainPage.code);
  await user.click(screen.getByRole('button', { name: '查看原因' }));
  await screen.findByText('asked: /base/lamp/index');
  expect(location.pathname).toBe('/authority/explain/index');
});

test('other users only get a link back', async () => {
  await openForbidden();
  expect(screen.queryByRole('button', { name: '查看原因' })).toBeNull();
  expect(screen.getByRole('button', { name: '返回首页' })).toBeTruthy();
});
