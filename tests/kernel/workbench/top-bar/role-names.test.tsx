import { afterEach, expect, test } from '@rstest/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { oauth, type UserFacts, type UserInfo } from '#shared/auth';
import { menuRoutes } from '#shared/menus';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import { Locale } from '../../../../src/kernel/platform/i18n/locale.ts';
import { Session } from '../../../../src/kernel/platform/session/session.ts';
import { answer } from '../../../support/scripted-transport.ts';
import { testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

const endings: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const end of endings.splice(0)) end();
  localStorage.clear();
});

/** Updates the roles of the session as a preview does. */
function updateRoles(session: Session, names: Partial<UserFacts>): void {
  const { roleNameEn: _, ...facts } = session.user as UserInfo;
  session.updateRoles({ ...facts, ...names });
}

async function open(names: object) {
  history.replaceState(null, '', '/wel/index');
  const { core, transport } = await testCoreServices({ answers: [answer(menuRoutes, [])], signedIn: { ...tokenReply(1), ...names } });
  const opened = openConsole(core, []);
  endings.push(() => opened.close());
  render(opened.screen);
  await screen.findByRole('banner');
  const speak = (language: 'zh' | 'en') => core.get(Locale).setLanguage(language);
  return { core, transport, speak };
}

test('the user menu names the roles in the language of the console, and again when it changes', async () => {
  const { speak } = await open({ roleName: '超级管理员,出纳', roleNameEn: 'Administrator,出纳' });
  expect(await screen.findByRole('button', { name: /超级管理员、出纳$/ })).toBeTruthy();
  speak('en');
  fireEvent.click(await screen.findByRole('button', { name: /Administrator, 出纳$/ }));
  expect(await screen.findByText('Administrator, 出纳', { selector: 'p' })).toBeTruthy();
  speak('zh');
  expect(await screen.findByRole('button', { name: /超级管理员、出纳$/ })).toBeTruthy();
});

test('roles without English names have their only one in English too, also after the server has stopped sending others', async () => {
  const { core, transport, speak } = await open({ roleName: '管理员', roleNameEn: 'Tenant administrator' });
  speak('en');
  expect(await screen.findByRole('button', { name: /Tenant administrator$/ })).toBeTruthy();
  transport.answer(answer(oauth.token, tokenReply(2, { roleName: '店长' })));
  await core.get(Session).refresh();
  expect(await screen.findByRole('button', { name: /店长$/ })).toBeTruthy();
  updateRoles(core.get(Session), { roleName: '出纳', roleNameEn: 'Cashier' });
  expect(await screen.findByRole('button', { name: /Cashier$/ })).toBeTruthy();
  updateRoles(core.get(Session), { roleName: '文员' });
  expect(await screen.findByRole('button', { name: /文员$/ })).toBeTruthy();
});
