import { describe, expect, test } from '@rstest/core';
import { act, cleanup, render } from '@testing-library/react';
import { menuButtons, menuRoutes } from '#shared/menus';
import { ServicesProvider } from '../../../../src/kernel/base/react/services.tsx';
import type { GrantedPermission } from '../../../../src/kernel/platform/permission/granted-permission.ts';
import { leafCodes } from '../../../../src/kernel/platform/permission/granted-permission.ts';
import { Permission } from '../../../../src/kernel/platform/permission/permission.ts';
import { AdministratorOnly, Can } from '../../../../src/kernel/platform/permission/use-can.tsx';
import { answer, refusal, script } from '../../../support/scripted-transport.ts';
import { menuItem, testKernel, tokenReply } from '../../../support/test-kernel.ts';

const buttons = [menuItem('param', { children: [menuItem('param_add', { category: 2 }), menuItem('param_edit', { category: 2 })] })];
const routes = [menuItem('system', { children: [menuItem('param')] })];
const granting = [answer(menuButtons, buttons), answer(menuRoutes, routes)];
const idle = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('permission', () => {
  test('holds the leaf codes of the buttons and the codes of the pages, in one namespace', async () => {
    const { get } = await testKernel({ answers: granting });
    await idle();
    const permission = get(Permission);
    expect(['param_add', 'param_edit', 'param', 'system', 'param_delete'].map((code) => permission.may(code))).toEqual([true, true, true, true, false]);
  });

  test('a parent without buttons and an empty list of children are leaves, a node without a code has none', () => {
    expect(
      leafCodes([
        menuItem('a'),
        menuItem('b', { children: [] }),
        menuItem('', {}),
        menuItem('c', { children: [menuItem('d', { children: [menuItem('e')] })] }),
      ]),
    ).toEqual(['a', 'b', 'e']);
  });

  test('shows and hides parts of a page as grants change', async () => {
    const { get, container, transport, session } = await testKernel({ answers: granting });
    await idle();
    const { container: screen } = render(
      <ServicesProvider services={container}>
        <Can code="param_add">add</Can>
        <Can code="param_delete">delete</Can>
      </ServicesProvider>,
    );
    expect(screen.textContent).toBe('add');
    transport.answer(answer(menuButtons, [menuItem('param_delete')]));
    await act(() => (get(Permission) as GrantedPermission).load());
    expect(screen.textContent).toBe('delete');
    await act(() => session.signOut());
    expect(screen.textContent).toBe('');
    cleanup();
  });

  for (const [flag, shown] of [
    [0, 'all'],
    [1, ''],
    [2, ''],
  ] as const) {
    test(`with is_admin ${flag} what is marked for administrators is ${shown === '' ? 'not ' : ''}rendered`, async () => {
      const { container } = await testKernel({ signedIn: tokenReply(1, { is_admin: flag }) });
      const { container: screen } = render(
        <ServicesProvider services={container}>
          <AdministratorOnly>all</AdministratorOnly>
        </ServicesProvider>,
      );
      expect(screen.textContent).toBe(shown);
      cleanup();
    });
  }

  test('after a reload the last known codes apply until the server has answered', async () => {
    await testKernel({ answers: granting });
    await idle();
    const { get } = await testKernel({
      signedIn: null,
      answers: [script(menuButtons, () => new Promise(() => undefined)), script(menuRoutes, () => new Promise(() => undefined))],
    });
    expect(get(Permission).may('param_add')).toBe(true);
  });

  test('a failed request removes nothing, a sign-out everything', async () => {
    const { get, transport, session } = await testKernel({ answers: granting });
    await idle();
    transport.answer(refusal(menuButtons, 500, 'no'));
    await (get(Permission) as GrantedPermission).load();
    expect(get(Permission).may('param_add')).toBe(true);
    await session.signOut();
    expect([get(Permission).may('param_add'), get(Permission).may('param')]).toEqual([false, false]);
  });
});
