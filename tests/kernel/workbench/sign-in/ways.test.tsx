import { afterEach, beforeEach, describe, expect, test } from '@rstest/core';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { authProblems, oauth } from '#shared/auth';
import { registerGuest } from '#shared/registration';
import { secondFactorProblems } from '#shared/second-factor';
import { type SignInWays, sendSmsCode, signInWays, tenantInfo } from '#shared/sign-in-ways';
import { Root } from '../../../../src/kernel/boot/Root.tsx';
import { answer, inputOf, refusal, response, type ScriptedAnswer } from '../../../support/scripted-transport.ts';
import { testLight, tokenReply } from '../../../support/test-kernel.ts';

const user = userEvent.setup({ pointerEventsCheck: 0 });
const none: SignInWays = { tenantMode: false, sms: false, social: [], sso: false, guests: false, register: false };
const noCaptcha = answer(oauth.captcha, { key: '', image: '' });
const nameless = answer(tenantInfo, {});

async function open(answers: readonly ScriptedAnswer[], address = '/login') {
  history.replaceState(null, '', address);
  const kernel = await testLight({ answers: [noCaptcha, nameless, ...answers], signedIn: null });
  const fetchConsole = async () => () => ({ screen: <p>the console</p>, close: () => undefined });
  render(<Root light={kernel.light} fetchConsole={fetchConsole} />);
  return kernel;
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: 'input' });
const press = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));
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
    const { transport } = await open([answer(signInWays, { ...none, sms: true, sso: true, social: ['gitee'] })]);
    expect(screen.queryByRole('button', { name: '手机号' })).toBeNull();
    for (const name of ['手机号', '单点登录', '码云']) expect(await screen.findByRole('button', { name })).toBeTruthy();
    expect(screen.queryByRole('button', { name: '微信' })).toBeNull();
    expect(inputOf(transport.to(tenantInfo)[0] as never)).toEqual({ domain: location.host });
    expect(inputOf(transport.to(signInWays)[0] as never)).toEqual({ tenantId: '000000' });
  });

  test('are loaded once for the address of a tenant, which cannot be changed', async () => {
    const known = answer(tenantInfo, { tenantId: '100001', domain: 'a.test', ways: { ...none, tenantMode: true, sms: true } });
    const { transport } = await open([known]);
    await screen.findByRole('button', { name: '手机号' });
    expect(transport.to(signInWays)).toEqual([]);
    expect(screen.queryByLabelText('租户编号')).toBeNull();
    await signIn();
    await screen.findByText('the console');
    expect(inputOf(transport.to(oauth.token)[0] as never)).toMatchObject({ tenantId: '100001' });
  });

  test('ask for the tenant where no address names it, check it, and remember it', async () => {
    const { transport } = await open([answer(signInWays, (input) => ({ ...none, tenantMode: true, sms: input.tenantId === '100002' }))]);
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

describe('by phone', () => {
  test('a code is sent, waited for and submitted with its parameters', async () => {
    const { transport } = await open([answer(signInWays, { ...none, sms: true }), answer(sendSmsCode, { id: 'sms-1' })]);
    await user.click(await screen.findByRole('button', { name: '手机号' }));
    await user.type(await screen.findByLabelText('手机号', { selector: 'input' }), '13812345678');
    await press('获取验证码');
    await screen.findByRole('button', { name: /秒后可重新获取/ });
    await waitFor(() => expect(document.activeElement).toBe(field('短信验证码')));
    await press(/秒后可重新获取/);
    expect(transport.to(sendSmsCode).map(inputOf)).toEqual([{ tenantId: '000000', phone: '13812345678' }]);
    expect(field('短信验证码').autocomplete).toBe('one-time-code');
    await user.type(field('短信验证码'), '4711{Enter}');
    await screen.findByText('the console');
    const sent = inputOf(transport.to(oauth.token)[0] as never);
    expect(sent).toMatchObject({ grant_type: 'sms_code', id: 'sms-1', phone: '13812345678', value: '4711' });
  });

  test('a code that cannot be sent yet is reported at the phone', async () => {
    await open([answer(signInWays, { ...none, sms: true }), refusal(sendSmsCode, 429, '发送过于频繁，请在 30 秒后重试')]);
    await user.click(await screen.findByRole('button', { name: '手机号' }));
    await user.type(await screen.findByLabelText('手机号', { selector: 'input' }), '13812345678');
    await press('获取验证码');
    await screen.findByText('发送过于频繁，请在 30 秒后重试');
    expect(field('手机号').getAttribute('aria-invalid')).toBe('true');
  });
});

describe('a second factor', () => {
  const required = response(oauth.token, 400, { error: 'mfa_required', error_description: '请输入二次验证码', mfa_token: 'm1' });

  test('is sent with its sixth digit', async () => {
    const { transport } = await open([answer(signInWays, none), required]);
    await signIn();
    const code = await screen.findByLabelText<HTMLInputElement>('动态验证码');
    expect(code.autocomplete).toBe('one-time-code');
    transport.answer(answer(oauth.token, tokenReply()));
    await user.type(code, '123 456');
    await screen.findByText('the console');
    expect(inputOf(transport.to(oauth.token).at(-1) as never)).toMatchObject({ grant_type: 'totp', mfa_token: 'm1', code: '123456' });
  });

  test('that took too long returns to the beginning with a message', async () => {
    const { transport } = await open([answer(signInWays, none), required]);
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
    const { transport } = await open([answer(signInWays, none), picture, refused]);
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

describe('registration', () => {
  test('is offered to visitors where the tenant allows it, validated field by field, sent with the captcha, and confirmed', async () => {
    const taken = response(oauth.token, 400, { error: 'invalid_grant', error_description: '当前账号已被使用!' });
    const picture = answer(oauth.captcha, { key: 'k1', image: 'data:image/svg+xml,<svg/>' });
    const { transport } = await open([answer(signInWays, { ...none, register: true }), picture, taken]);
    await user.click(await screen.findByRole('button', { name: '没有账号？申请注册' }));
    await screen.findByRole('heading', { name: '申请注册' });
    await user.type(field('手机号（选填）'), '138');
    await press('提交申请');
    for (const words of ['请先输入账号名称', '手机号码长度不为11位', '请输入验证码']) expect(screen.getByText(words)).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field('账号名称')));
    await user.type(field('账号名称'), ' newcomer ');
    await user.type(field('密码'), 'secret-pass-1');
    await user.type(field('确认密码'), 'secret-pass-1');
    await user.type(field('手机号（选填）'), '12345678');
    await user.type(field('验证码'), 'abcde');
    await press('提交申请');
    await screen.findByText('当前账号已被使用!');
    expect(field('验证码').value).toBe('');
    transport.answer(answer(oauth.token, tokenReply('newcomer', { user_id: '', access_token: '', refresh_token: '' })));
    await user.type(field('验证码'), 'abcde');
    await press('提交申请');
    await screen.findByText('注册申请已提交,请耐心等待管理员通过!');
    const request = transport.to(oauth.token).at(-1) as NonNullable<ReturnType<typeof transport.to>[0]>;
    expect(request.headers).toMatchObject({ 'Captcha-Key': 'k1', 'Captcha-Code': 'abcde' });
    expect(inputOf(request)).toMatchObject({ grant_type: 'register', tenantId: '000000', username: 'newcomer', phone: '13812345678' });
    expect(localStorage.getItem('test-session')).toBeNull();
    await press('返回登录');
    await screen.findByLabelText('用户名');
  });

  test('shows the reason of an earlier refusal', async () => {
    const refused = answer(oauth.token, tokenReply('guest', { user_id: '', oauth_id: '7', refresh_token: '', detail: { type: 'github', refused: '不认识' } }));
    await open([answer(signInWays, none), refused], '/oauth/redirect/github?code=c0de&state=abc');
    expect((await screen.findByText('您上次的注册申请未通过：不认识')).getAttribute('role')).toBe('alert');
  });

  const guest = answer(oauth.token, tokenReply('guest', { user_id: '', oauth_id: '7', refresh_token: '' }));
  const address = '/oauth/redirect/github?code=c0de&state=abc';

  test('is requested with the token of the reply, confirmed, and ends at the sign-in page', async () => {
    const { transport } = await open([answer(signInWays, none), guest, refusal(registerGuest, 400, '当前账号已被使用!')], address);
    await user.type(await screen.findByLabelText('账号名称'), 'newcomer');
    await user.type(field('密码'), 'secret-pass-1');
    await user.type(field('确认密码'), 'secret-pass-1');
    await press('提交申请');
    await screen.findByText('当前账号已被使用!');
    transport.answer(answer(registerGuest, null));
    await press('提交申请');
    await screen.findByText('注册申请已提交,请耐心等待管理员通过!');
    const request = transport.to(registerGuest).at(-1) as NonNullable<ReturnType<typeof transport.to>[0]>;
    expect(request.headers).toMatchObject({ 'Things-Auth': 'bearer access-guest' });
    expect(inputOf(request)).toMatchObject({ account: 'newcomer', oauthId: '7', tenantId: '000000' });
    await press('确定');
    await screen.findByLabelText('用户名');
    expect(transport.to(oauth.logout)[0]?.headers).toMatchObject({ 'Things-Auth': 'bearer access-guest' });
    expect(location.pathname).toBe('/login');
  });

  test('shows 提交失败 for a failure without a message', async () => {
    await open([answer(signInWays, none), guest, response(registerGuest, 500, {})], address);
    await user.type(await screen.findByLabelText('账号名称'), 'newcomer');
    await user.type(field('密码'), 'secret-pass-1');
    await user.type(field('确认密码'), 'secret-pass-1');
    await press('提交申请');
    await screen.findByText('提交失败');
  });
});
