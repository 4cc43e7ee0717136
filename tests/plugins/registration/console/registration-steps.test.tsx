import { afterEach, describe, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { pluginContract } from '#kit/console';
import { oauth } from '#shared/auth';
import { noSignInMethods as none, signInOptions } from '#shared/sign-in-options';
import plugin from '../../../../src/plugins/registration/console/plugin.ts';
import methods from '../../../../src/plugins/registration/console/sign-in.ts';
import { registerGuest } from '../../../../src/plugins/registration/guest-contract.ts';
import providers from '../../../../src/plugins/social-sign-in/console/sign-in.ts';
import { answer, inputOf, refusal, response, type ScriptedAnswer } from '../../../support/scripted-transport.ts';
import { field, openSignInPage, press, signInUser as user } from '../../../support/sign-in-page.tsx';
import { tokenReply } from '../../../support/test-kernel.ts';

pluginContract(plugin);

const open = (answers: readonly ScriptedAnswer[], address?: string) => openSignInPage([...methods, ...providers], answers, address);
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('registration', () => {
  test('is offered to visitors where the tenant allows it, validated field by field, sent with the captcha, and confirmed', async () => {
    const taken = response(oauth.token, 400, { error: 'invalid_grant', error_description: '当前账号已被使用!' });
    const picture = answer(oauth.captcha, { key: 'k1', image: 'data:image/svg+xml,<svg/>' });
    const { transport } = await open([answer(signInOptions, { ...none, register: true }), picture, taken]);
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
    await open([answer(signInOptions, none), refused], '/oauth/redirect/github?code=c0de&state=abc');
    expect((await screen.findByText('您上次的注册申请未通过：不认识')).getAttribute('role')).toBe('alert');
  });

  const guest = answer(oauth.token, tokenReply('guest', { user_id: '', oauth_id: '7', refresh_token: '' }));
  const address = '/oauth/redirect/github?code=c0de&state=abc';

  test('is requested with the token of the reply, confirmed, and ends at the sign-in page', async () => {
    const { transport } = await open([answer(signInOptions, none), guest, refusal(registerGuest, 400, '当前账号已被使用!')], address);
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
    await open([answer(signInOptions, none), guest, response(registerGuest, 500, {})], address);
    await user.type(await screen.findByLabelText('账号名称'), 'newcomer');
    await user.type(field('密码'), 'secret-pass-1');
    await user.type(field('确认密码'), 'secret-pass-1');
    await press('提交申请');
    await screen.findByText('提交失败');
  });
});
