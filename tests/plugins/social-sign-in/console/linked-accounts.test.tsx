import { expect, test } from '@rstest/core';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, createPluginHarness } from '#kit/console';
import { ownSessions } from '#plugins/account/contract';
import { secondFactor } from '#shared/second-factor';
import { noSignInMethods, signInOptions } from '#shared/sign-in-options';
import { socialBindings } from '#shared/social';
import accountPlugin from '../../../../src/plugins/account/console/plugin.ts';
import plugin from '../../../../src/plugins/social-sign-in/console/plugin.ts';

test('the account page lists providers and linked identities, and unlinks one after a question; without the plugin it has no such section', async () => {
  const { user, open, inputs, toasts, disable } = await createPluginHarness(plugin, {
    dependencies: [accountPlugin],
    answers: [
      answer(ownSessions.list, []),
      answer(secondFactor.status, { isEnrolled: false, recoveryCodesLeft: 0, hasPasskey: false, isRequired: false }),
      answer(signInOptions, { ...noSignInMethods, social: ['gitee'], providers: [{ source: 'idp1', name: '公司账号', kind: 'redirect' }] }),
      answer(
        socialBindings.list,
        ['github', 'idp1'].map((source) => ({ source, name: 'octocat', avatar: '', createTime: '2026-11-24 09:00:00' })),
      ),
      answer(socialBindings.unbind, null),
    ],
  });
  await open('/info/index');
  const section = await screen.findByRole('region', { name: '第三方账号' });
  expect(await within(section).findAllByText('已绑定：octocat')).toHaveLength(2);
  await within(section).findByRole('button', { name: '绑定 码云' });
  await user.click(within(section).getByRole('button', { name: '解除绑定 GitHub' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '解除绑定' }));
  await waitFor(() => expect(toasts).toEqual(['success GitHub已解除绑定']));
  expect(inputs(socialBindings.unbind)).toEqual([{ source: 'github' }]);
  await user.click(within(section).getByRole('button', { name: '解除绑定 公司账号' }));
  await screen.findByText('确定解除绑定公司账号？解除后将无法再用其登录。');
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '解除绑定' }));
  await waitFor(() => expect(toasts).toContain('success 公司账号已解除绑定'));
  await disable();
  expect(screen.queryByRole('region', { name: '第三方账号' })).toBeNull();
});
