import { afterEach, expect, test } from '@rstest/core';
import { cleanup, render, screen } from '@testing-library/react';
import { menuRoutes } from '#shared/menus';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import { answer } from '../../../support/scripted-transport.ts';
import { testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

const endings: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const end of endings.splice(0)) end();
  localStorage.clear();
});

async function open(more: object) {
  history.replaceState(null, '', '/wel/index');
  const { core } = await testCoreServices({ answers: [answer(menuRoutes, [])], signedIn: { ...tokenReply(1), ...more } });
  const opened = openConsole(core, []);
  endings.push(() => opened.close());
  render(opened.screen);
  await screen.findByRole('banner');
}

test('the top bar names the current tenant', async () => {
  await open({ tenant_id: '123456', tenant_name: '星光传媒' });
  expect(screen.getByRole('note', { name: '当前租户：星光传媒' }).textContent).toBe('星光传媒');
});

test('the platform’s own tenant is not named', async () => {
  await open({});
  expect(screen.queryByRole('note')).toBeNull();
});
