import { afterEach, beforeEach, describe, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { authProblems, oauth } from '#shared/auth';
import { secondFactorProblems } from '#shared/second-factor';
import { noSignInMethods, signInOptions, tenantInfo } from '#shared/sign-in-options';
import { answer, inputOf, response, type ScriptedAnswer } from '../../../support/scripted-transport.ts';
import { field, openSignInPage, press, sampleMethods, signInUser } from '../../../support/sign-in-page.tsx';
import { tokenReply } from '../../../support/test-kernel.ts';

const user = signInUser;
const none = noSignInMethods;
const open = (answers: readonly ScriptedAnswer[], of = sampleMethods) => openSignInPage(of, answers);

async function signIn() {
  await waitFor(() => expect(screen.queryByLabelText('验证码')).toBeNull());
  await user.type(field('用户名'), 'admin');
  await user.type(field('密码'), 'secret1');
  await press('登录');
}

beforeEach(() => cleanup());
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('the sign-in methods', () => {
  test('are those of the tenant, and none before they are loaded', async () => {
    const { transport } = await open([answer(signInOptions, { ...none, sms: true, sso: true, social: ['gitee'] })]);
    expect(screen.queryByRole('button', { name: '手机号' })).toBeNull();
    for (const name of ['手机号', '单点登录']) expect(await screen.findByRole('button', { name })).toBeTruthy();
    expect(await screen.findByText('gitee')).toBeTruthy();
    expect(screen.queryByRole('button', { name: '没有账号？申请注册' })).toBeNull();
    expect(inputOf(transport.to(tenantInfo)[0] as never)).toEqual({ domain: location.host });
    expect(inputOf(transport.to(signInOptions)[0] as never)).toEqual({ tenantId: '000000' });
  });

  test('are loaded once for the address of a tenant, which cannot be changed', async () => {
    const known = answer(tenantInfo, { tenantId: '100001', domain: 'a.test', ways: { ...none, tenantMode: true, sms: true } });
    const { transport } = await open([known]);
    await screen.findByRole('button', { name: '手机号' });
    expect(transport.to(signInOptions)).toEqual([]);
    expect(screen.queryByLabelText('租户编号')).toBeNull();
    await signIn();
    await screen.findByText('the console');
    expect(inputOf(transport.to(oauth.token)[0] as never)).toMatchObject({ tenantId: '100001' });
  });

  test('ask for the tenant where no address names it, check it, and remember it', async () => {
    const { transport } = await open([answer(signInOptions, (input) => ({ ...none, tenantMode: true, sms: input.tenantId === '100002' }))]);
    const tenant = await screen.findByLabelText<HTMLInputElement>('租户编号');
    await user.clear(tenant);
    await press('登录');
    expect(screen.getByText('请输入租户编号')).toBeTruthy();
    expect(document.activeElement).toBe(tenant);
    await user.type(tenant, '100002');
    await user.tab();
    await screen.findByRole('button', { name: '手机号' });
    await signIn();
    await screen.findByText('the console');
    expect(transport.to(oauth.token)[0]?.headers).toMatchObject({ 'Tenant-Id': '100002' });
    expect(localStorage.getItem('test-tenant')).toBe('"100002"');
  });
});

describe('the method of a plugin', () => {
  test('is offered only where the server offers it and the deployment has the plugin', async () => {
    await open([answer(signInOptions, { ...none, sms: true, register: true, sso: true })], sampleMethods.slice(0, 1));
    await screen.findByRole('button', { name: '手机号' });
    for (const name of ['单点登录', '没有账号？申请注册']) expect(screen.queryByRole('button', { name })).toBeNull();
  });

  test('takes the place of the password, which stays one click away', async () => {
    await open([answer(signInOptions, { ...none, sms: true, sso: true })]);
    await user.click(await screen.findByRole('button', { name: '手机号' }));
    await screen.findByText('the step');
    expect(screen.queryByRole('button', { name: '手机号' })).toBeNull();
    expect(screen.getByRole('button', { name: '单点登录' })).toBeTruthy();
    await press('账号');
    await screen.findByLabelText('用户名');
  });

  test('that handles returns is needed for one: without it the page begins with the password', async () => {
    const { transport } = await openSignInPage(sampleMethods, [answer(signInOptions, none)], '/oauth/redirect/github?code=c0de&state=abc');
    await screen.findByLabelText('用户名');
    expect(transport.to(oauth.token)).toEqual([]);
    expect(location.pathname + location.search).toBe('/login');
  });
});

describe('a second factor', () => {
  const required = response(oauth.token, 400, { error: 'mfa_required', error_description: '请输入二次验证码', mfa_token: 'm1' });

  test('is sent with its sixth digit', async () => {
    const { transport } = await open([answer(signInOptions, none), required]);
    await signIn();
    const code = await screen.findByLabelText<HTMLInputElement>('动态验证码');
    expect(code.autocomplete).toBe('one-time-code');
    transport.answer(answer(oauth.token, tokenReply()));
    await user.type(code, '123 456');
    await screen.findByText('the console');
    expect(inputOf(transport.to(oauth.token).at(-1) as never)).toMatchObject({ grant_type: 'totp', mfa_token: 'm1', code: '123456' });
  });

  test('that took too long returns to the beginning with a message', async () => {
    const { transport } = await open([answer(signInOptions, none), required]);
    await signIn();
    const [message] = secondFactorProblems.tokenSpent.message;
    transport.answer(response(oauth.token, 400, { error: 'invalid_grant', error_description: message }));
    await user.type(await screen.findByLabelText('动态验证码'), '123456');
    await screen.findByLabelText('用户名');
    expect((await screen.findByText(message)).getAttribute('role')).toBe('status');
  });
});

describe('a captcha', () => {
  test('is cleared at once when a new one is requested, and cannot be answered before that arrives', async () => {
    let release = (): void => undefined;
    let drawn = 0;
    const picture = answer(oauth.captcha, async () => {
      drawn += 1;
      if (drawn > 1) await new Promise<void>((resolve) => (release = resolve));
      return { key: `k${drawn}`, image: 'data:image/svg+xml,<svg/>' };
    });
    const refused = response(oauth.token, 400, { error: 'invalid_grant', error_description: authProblems.wrongCredentials.message[0] });
    const { transport } = await open([answer(signInOptions, none), picture, refused]);
    await screen.findByAltText('验证码图片');
    await user.type(field('用户名'), 'admin');
    await user.type(field('密码'), 'secret1');
    await user.type(field('验证码'), 'abcde{Enter}');
    await waitFor(() => expect(screen.queryByAltText('验证码图片')).toBeNull());
    await user.type(field('验证码'), 'abcde{Enter}');
    expect(screen.getByText('验证码正在更新，请稍候再输入')).toBeTruthy();
    expect(transport.to(oauth.token)).toHaveLength(1);
    release();
    await screen.findByAltText('验证码图片');
  });
});
