import { afterEach, expect, test } from '@rstest/core';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { oauth } from '#shared/auth';
import { menuRoutes } from '#shared/menus';
import { rolePreview } from '#shared/role-preview';
import { openConsole } from '../../../../src/kernel/boot/console.tsx';
import { TransportError } from '../../../../src/kernel/platform/http/transport-error.ts';
import { RolesChanged } from '../../../../src/kernel/platform/session/session.ts';
import { answer, response } from '../../../support/scripted-transport.ts';
import { testCoreServices, tokenReply } from '../../../support/test-kernel.ts';

// Set up once, because it listens on the document permanently.
const user = userEvent.setup({ pointerEventsCheck: 0 });

const endings: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const end of endings.splice(0)) end();
});

const factsOf = ({ access_token: _access, refresh_token: _refresh, token_type: _type, expires_in: _seconds, ...facts }: ReturnType<typeof tokenReply>) => facts;
const previewed = tokenReply(1, { role_name: 'clerk,auditor', roleName: '专员,审核员', role_id: '7,8', is_admin: 1, is_preview: true });

async function open() {
  history.replaceState(null, '', '/wel/index');
  const kernel = await testCoreServices({ signedIn: previewed });
  const console = openConsole(kernel.core, []);
  endings.push(() => console.close());
  render(console.screen);
  return kernel;
}

test('a preview names its roles, and one click ends it and restores roles, menu and codes', async () => {
  const { transport, session, toasts, listen } = await open();
  const heard: string[] = [];
  listen(RolesChanged, ({ userId }) => heard.push(userId));
  expect((await screen.findByRole('region', { name: '角色预览' })).textContent).toContain('正在以「专员、审核员」预览。');
  transport.answer(answer(rolePreview.end, factsOf(tokenReply())));
  const before = transport.to(menuRoutes).length;
  await user.click(screen.getByRole('button', { name: '结束预览' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: '角色预览' })).toBeNull());
  expect(session.user).toMatchObject({ roles: ['administrator'], is_preview: false, is_admin: 0 });
  expect(heard).toEqual(['1']);
  expect(transport.to(menuRoutes).length).toBe(before + 1);
  expect(toasts.shown).toEqual(['success 预览已结束']);
});

test('a preview that could not be ended continues and stays visible', async () => {
  const { transport, session } = await open();
  transport.answer(response(rolePreview.end, 503, { code: 503, success: false, msg: '服务暂不可用，请稍后再试' }));
  await user.click(await screen.findByRole('button', { name: '结束预览' }));
  await waitFor(() => expect(screen.getByRole('button', { name: '结束预览' }).hasAttribute('disabled')).toBe(false));
  expect(session.user?.is_preview).toBe(true);
});

test('a preview that could not be ended because the server is unreachable shows an error', async () => {
  const { transport, toasts } = await open();
  transport.answer([rolePreview.end.path, () => Promise.reject(new TransportError('unreachable'))]);
  await user.click(await screen.findByRole('button', { name: '结束预览' }));
  await waitFor(() => expect(toasts.shown).toEqual(['error 无法连接服务器，请稍后再试']));
});

test('a refresh reports whether a preview is active', async () => {
  const { transport, session } = await testCoreServices({ signedIn: previewed });
  transport.answer(answer(oauth.token, tokenReply(2)));
  await session.refresh();
  expect(session.user?.is_preview).toBe(false);
});
