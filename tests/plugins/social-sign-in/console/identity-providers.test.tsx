import { afterEach, describe, expect, test } from '@rstest/core';
import { cleanup, screen } from '@testing-library/react';
import { oauth } from '#shared/auth';
import { noSignInMethods as none, type SignInProvider, signInOptions } from '#shared/sign-in-options';
import methods from '../../../../src/plugins/social-sign-in/console/sign-in.ts';
import { answer, inputOf, response } from '../../../support/scripted-transport.ts';
import { field, openSignInPage, press, signInUser as user } from '../../../support/sign-in-page.tsx';

const providers: SignInProvider[] = [
  { source: 'idp1', name: 'Acme', kind: 'redirect' },
  { source: 'idp2', name: '总部目录', kind: 'password' },
  { source: 'idp3', name: '分部目录', kind: 'password' },
];
const ways = answer(signInOptions, { ...none, providers });
afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

describe('the sign-in page', () => {
  test('has a button with the name of each identity provider', async () => {
    await openSignInPage(methods, [ways]);
    for (const { name } of providers) expect(await screen.findByRole('button', { name })).toBeTruthy();
  });

  test('signs in with account and password of a directory', async () => {
    const { transport } = await openSignInPage(methods, [ways]);
    await user.click(await screen.findByRole('button', { name: '总部目录' }));
    await screen.findByText('使用总部目录登录');
    expect(screen.queryByRole('button', { name: '总部目录' })).toBeNull();
    await press('登录');
    expect(screen.getByText('请输入用户名')).toBeTruthy();
    expect(document.activeElement).toBe(field('用户名'));
    await user.type(field('用户名'), 'ada');
    await user.type(field('密码'), 'secret1');
    await press('登录');
    await screen.findByText('the console');
    expect(inputOf(transport.to(oauth.token)[0] as never)).toMatchObject({ grant_type: 'ldap', source: 'idp2', username: 'ada', password: 'secret1' });
  });

  test('shows a refusal, empties the password and keeps the account', async () => {
    await openSignInPage(methods, [ways, response(oauth.token, 400, { error: 'invalid_grant', error_description: '用户名或密码错误' })]);
    await user.click(await screen.findByRole('button', { name: '总部目录' }));
    await user.type(await screen.findByLabelText('用户名'), 'ada');
    await user.type(field('密码'), 'wrong');
    await press('登录');
    await screen.findAllByText('用户名或密码错误');
    expect([field('用户名').value, field('密码').value]).toEqual(['ada', '']);
    expect(document.activeElement).toBe(field('密码'));
  });

  test('begins another directory without what was typed for the first', async () => {
    await openSignInPage(methods, [ways]);
    await user.click(await screen.findByRole('button', { name: '总部目录' }));
    await user.type(await screen.findByLabelText('用户名'), 'ada');
    await press('分部目录');
    await screen.findByText('使用分部目录登录');
    expect(field('用户名').value).toBe('');
    await press('账号');
    await screen.findByLabelText('用户名');
  });

  test('redeems the code of an issuer with the issuer that the return names', async () => {
    const { transport } = await openSignInPage(methods, [ways], '/oauth/redirect/idp1?code=c0de&state=abc&iss=https%3A%2F%2Flogin.test');
    await screen.findByText('the console');
    expect(inputOf(transport.to(oauth.token)[0] as never)).toMatchObject({ grant_type: 'social', source: 'idp1', code: 'c0de', iss: 'https://login.test' });
  });
});
