import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { oauth } from '#shared/auth';
import { tenantInfo } from '#shared/sign-in-options';
import { Root } from '../../src/kernel/boot/Root.tsx';
import type { SignInMethod } from '../../src/kernel/workbench/sign-in/steps/sign-in-method.ts';
import { answer, type ScriptedAnswer } from './scripted-transport.ts';
import { type TestCoreServices, testCoreServices } from './test-kernel.ts';

/** Methods as plugins declare them: with a step, with a provider, and with several providers. */
export const sampleMethods: readonly SignInMethod[] = [
  { id: 'sms', title: ['手机号', 'Phone'], icon: 'phone', Step: () => <p>the step</p> },
  { id: 'sso', title: ['单点登录', 'SSO'], icon: 'key' },
  { id: 'social', Buttons: ({ offered }) => offered.map((name) => <span key={name}>{name}</span>) },
  { id: 'register', title: ['没有账号？申请注册', 'Register'], isRegistration: true, Step: () => null },
];

export const signInUser = userEvent.setup({ pointerEventsCheck: 0 });

/** Opens the sign-in page with these methods of plugins; `the console` is shown after a sign-in. */
export async function openSignInPage(
  signInMethods: readonly SignInMethod[],
  answers: readonly ScriptedAnswer[],
  address = '/login',
): Promise<TestCoreServices> {
  cleanup();
  history.replaceState(null, '', address);
  const noCaptcha = answer(oauth.captcha, { key: '', image: '' });
  const kernel = await testCoreServices({ signInMethods, answers: [noCaptcha, answer(tenantInfo, {}), ...answers], signedIn: null });
  const fetchConsole = async () => () => ({ screen: <p>the console</p>, close: () => undefined });
  render(<Root core={kernel.core} fetchConsole={fetchConsole} />);
  return kernel;
}

export const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: 'input' });
export const press = (name: string | RegExp) => signInUser.click(screen.getByRole('button', { name }));
