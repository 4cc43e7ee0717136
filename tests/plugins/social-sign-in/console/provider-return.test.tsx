import { afterEach, describe, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { pluginContract } from '#kit/console';
import { oauth } from '#shared/auth';
import { signInMethodProblems } from '#shared/auth-problems';
import { noSignInMethods as none, signInOptions } from '#shared/sign-in-options';
import plugin from '../../../../src/plugins/social-sign-in/console/plugin.ts';
import methods from '../../../../src/plugins/social-sign-in/console/sign-in.ts';
import { answer, inputOf, response } from '../../../support/scripted-transport.ts';
import { openSignInPage, press } from '../../../support/sign-in-page.tsx';
import { tokenReply } from '../../../support/test-kernel.ts';

pluginContract(plugin);

const address = '/oauth/redirect/github?code=c0de&state=abc';
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('the sign-in page', () => {
  test('has a button for single sign-on and for each provider of the tenant', async () => {
    await openSignInPage(methods, [answer(signInOptions, { ...none, sso: true, social: ['gitee'] })]);
    for (const name of ['单点登录', '码云']) expect(await screen.findByRole('button', { name })).toBeTruthy();
    expect(screen.queryByRole('button', { name: '微信' })).toBeNull();
  });

  test('signs in with what the provider sent back', async () => {
    const { transport } = await openSignInPage(methods, [answer(signInOptions, none)], address);
    await screen.findByText('the console');
    expect(inputOf(transport.to(oauth.token)[0] as never)).toMatchObject({ grant_type: 'social', source: 'github', code: 'c0de', state: 'abc' });
  });

  test('shows why the provider’s user cannot sign in, also where no plugin takes registrations', async () => {
    const [message] = signInMethodProblems.notLinked.message;
    await openSignInPage(methods, [answer(signInOptions, none), response(oauth.token, 400, { error: 'invalid_grant', error_description: message })], address);
    expect((await screen.findByText(message)).getAttribute('role')).toBe('alert');
    await press('返回登录');
    await screen.findByLabelText('用户名');
  });

  test('leaves nothing to a second factor that the provider could skip', async () => {
    const { transport } = await openSignInPage(
      methods,
      [answer(signInOptions, none), response(oauth.token, 400, { error: 'mfa_required', error_description: '请输入二次验证码', mfa_token: 'm1' })],
      address,
    );
    await screen.findByLabelText('动态验证码');
    transport.answer(answer(oauth.token, tokenReply()));
    expect(transport.to(oauth.token)).toHaveLength(1);
  });
});
