import { expect, test } from '@rstest/core';
import { screen, waitFor, within } from '@testing-library/react';
import { contribute, definePlugin } from '#kernel';
import { answer, createPluginHarness, pluginContract, refusal } from '#kit/console';
import { ownSessions } from '#plugins/account/contract';
import { AccountSections } from '#plugins/account/extension';
import { authorization } from '#shared/authorize';
import { secondFactor } from '#shared/second-factor';
import accountPlugin from '../../../../src/plugins/account/console/plugin.ts';

pluginContract(accountPlugin);

const time = '2026-11-24 09:00:00';
const session = { device: 'Chrome 130 · Windows', address: '10.0.0.7', createTime: time, lastUsedAt: time };
const answers = [
  answer(ownSessions.list, [
    { id: '1', ...session, isCurrent: true },
    { id: '2', ...session, device: 'Safari 17 · iOS', isCurrent: false },
  ]),
  answer(ownSessions.end, { count: 1 }),
  answer(secondFactor.status, { isEnrolled: false, recoveryCodesLeft: 0, hasPasskey: false, isRequired: false }),
];
const sectionNames = () => screen.getAllByRole('region').flatMap((region) => (region.matches('[data-section]') ? [region.getAttribute('aria-label')] : []));

test('the user menu and the palette open the page; its sections are those of the plugin and, before the sessions, those of others', async () => {
  const badges = definePlugin({
    id: 'badges',
    title: ['徽章', 'Badges'],
    contributions: [
      contribute(AccountSections, {
        title: ['我的徽章', 'My badges'],
        hint: ['由同事授予。', 'Given by colleagues.'],
        icon: 'tags',
        load: async () => ({ default: () => <p>gold</p> }),
      }),
    ],
  });
  const { user, open, disable, enable } = await createPluginHarness(badges, { answers, dependencies: [accountPlugin] });
  await open('/wel/index');
  await user.click(await screen.findByRole('button', { name: /^账户：/ }));
  await user.click(screen.getByRole('menuitem', { name: '修改密码' }));
  await waitFor(() => expect(location.pathname).toBe('/info/index'));
  await screen.findByRole('button', { name: '保存新密码' });
  expect(sectionNames()).toEqual(['基本信息', '登录密码', '二次验证', '通行密钥', '我的徽章', '登录设备']);
  expect(within(screen.getByRole('region', { name: '我的徽章' })).getByText('由同事授予。')).toBeTruthy();
  await screen.findByText('gold');
  await disable();
  expect(sectionNames()).not.toContain('我的徽章');
  await enable();
  expect(sectionNames()).toContain('我的徽章');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox'), '修改密码');
  expect(await screen.findByRole('option', { name: /修改密码/ })).toBeTruthy();
});

test('the page is at /info/index, whatever the menu, and a session of another device is ended there', async () => {
  const { user, open, inputs, toasts } = await createPluginHarness(accountPlugin, { answers });
  await open('/info');
  await waitFor(() => expect(location.pathname).toBe('/info/index'));
  expect(document.title).toContain('个人信息');
  await user.click(await screen.findByRole('button', { name: '结束 Safari 17 · iOS 的登录' }));
  await waitFor(() => expect(toasts).toEqual(['success 已结束 1 个登录']));
  expect(inputs(ownSessions.end)).toEqual([{ ids: ['2'] }]);
});

test('the second factor is turned on with the password and a code, and its recovery codes stay until they are saved', async () => {
  const {
    user,
    open,
    inputs,
    answer: change,
  } = await createPluginHarness(accountPlugin, {
    answers: [
      ...answers,
      answer(secondFactor.enrol, { secret: 'ABCDEFGH', uri: 'otpauth://totp/Marquee:admin?secret=ABCDEFGH' }),
      answer(secondFactor.confirm, { recoveryCodes: ['aaaaaa-bbbbbb'] }),
    ],
  });
  await open('/info/index');
  await user.click(await screen.findByRole('button', { name: '启用二次验证' }));
  const dialog = await screen.findByRole('dialog', { name: '启用二次验证' });
  await user.type(within(dialog).getByLabelText('当前密码', { selector: 'input' }), 'secret');
  await user.click(within(dialog).getByRole('button', { name: '下一步' }));
  expect(await within(dialog).findByText('ABCD EFGH')).toBeTruthy();
  await user.type(within(dialog).getByLabelText('动态验证码'), '123456');
  await user.click(within(dialog).getByRole('button', { name: '启用' }));
  await within(dialog).findByText('aaaaaa-bbbbbb');
  dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
  change(answer(secondFactor.status, { isEnrolled: true, recoveryCodesLeft: 1, hasPasskey: false, isRequired: false }));
  await user.click(within(dialog).getByRole('button', { name: '我已保存' }));
  await screen.findByText('剩余 1 个恢复码');
  expect([...inputs(secondFactor.enrol), ...inputs(secondFactor.confirm)]).toEqual([{ password: 'secret' }, { code: '123456' }]);
});

test('a code can be sent again after an answer that the console cannot read', async () => {
  const listeners = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', () => undefined);
  const enrolment = { secret: 'ABCDEFGH', uri: 'otpauth://totp/Marquee:admin?secret=ABCDEFGH' };
  const harness = await createPluginHarness(accountPlugin, {
    answers: [...answers, answer(secondFactor.enrol, enrolment), answer(secondFactor.confirm, null as never)],
  });
  const { user } = harness;
  await harness.open('/info/index');
  await user.click(await screen.findByRole('button', { name: '启用二次验证' }));
  const dialog = within(await screen.findByRole('dialog', { name: '启用二次验证' }));
  await user.type(dialog.getByLabelText('当前密码', { selector: 'input' }), 'secret');
  await user.click(dialog.getByRole('button', { name: '下一步' }));
  const send = async () => {
    await user.type(await dialog.findByLabelText('动态验证码'), '123456');
    await user.click(dialog.getByRole('button', { name: '启用' }));
  };
  await send();
  harness.answer(answer(secondFactor.confirm, { recoveryCodes: ['aaaaaa-bbbbbb'] }));
  await send();
  await dialog.findByText('aaaaaa-bbbbbb');
  process.removeAllListeners('unhandledRejection');
  for (const listener of listeners) process.on('unhandledRejection', listener);
});

test('the consent page names the program and its host, and shows why a request is refused', async () => {
  const { open, answer: change } = await createPluginHarness(accountPlugin, {
    answers: [...answers, answer(authorization.ask, { clientId: 'reports', host: 'reports.example.com', isTrusted: false })],
  });
  await open('/oauth/consent?client_id=reports&redirect_uri=https%3A%2F%2Freports.example.com');
  const consent = await screen.findByRole('region', { name: '授权登录' });
  expect(within(consent).getByText(/「reports」请求使用您的账号登录。同意后将返回 reports\.example\.com/)).toBeTruthy();
  change(refusal(authorization.ask, 400, '未知的应用'));
  await open('/oauth/consent?client_id=other&redirect_uri=https%3A%2F%2Fother.example.com');
  expect((await screen.findByRole('alert')).textContent).toContain('未知的应用');
});
