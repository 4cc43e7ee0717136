import { afterEach, describe, expect, test } from '@rstest/core';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { pluginContract } from '#kit/console';
import { oauth } from '#shared/auth';
import { noSignInMethods as none, signInOptions } from '#shared/sign-in-options';
import { sendSmsCode } from '../../../../src/plugins/sms-sign-in/code-contract.ts';
import plugin from '../../../../src/plugins/sms-sign-in/console/plugin.ts';
import methods from '../../../../src/plugins/sms-sign-in/console/sign-in.ts';
import { answer, inputOf, refusal, type ScriptedAnswer } from '../../../support/scripted-transport.ts';
import { field, openSignInPage, press, signInUser as user } from '../../../support/sign-in-page.tsx';

pluginContract(plugin);

const open = (answers: readonly ScriptedAnswer[]) => openSignInPage(methods, answers);
afterEach(() => cleanup());

describe('by phone', () => {
  test('a code is sent, waited for and submitted with its parameters', async () => {
    const { transport } = await open([answer(signInOptions, { ...none, sms: true }), answer(sendSmsCode, { id: 'sms-1' })]);
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
    await open([answer(signInOptions, { ...none, sms: true }), refusal(sendSmsCode, 429, '发送过于频繁，请在 30 秒后重试')]);
    await user.click(await screen.findByRole('button', { name: '手机号' }));
    await user.type(await screen.findByLabelText('手机号', { selector: 'input' }), '13812345678');
    await press('获取验证码');
    await screen.findByText('发送过于频繁，请在 30 秒后重试');
    expect(field('手机号').getAttribute('aria-invalid')).toBe('true');
  });
});
