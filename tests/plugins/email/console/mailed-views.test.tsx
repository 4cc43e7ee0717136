import { expect, test } from '@rstest/core';
import { screen, waitFor } from '@testing-library/react';
import { answer, createPluginHarness, refusal } from '#kit/console';
import { emailTemplates } from '#plugins/email/contract';
import { ownEmail } from '#plugins/email/own-contract';
import { MailedViewsStore } from '../../../../src/plugins/email/console/mailed-views-store.ts';
import plugin from '../../../../src/plugins/email/console/plugin.ts';
import { emailTemplateMenu } from '../../../../src/plugins/email/menus.ts';
import { ScriptedHttp } from '../../../support/scripted-http.ts';

const subscription = { id: '1', list: '/api/list', view: '待审核', weekday: 1, hour: 9, title: '任务列表' } as const;

test('a reply that began before a change does not replace the views after it', async () => {
  let answerEarlier: (reply: object) => void = () => undefined;
  const earlier = new Promise<object>((resolve) => {
    answerEarlier = resolve;
  });
  const replies = [earlier, Promise.resolve({ isOffered: true, views: [subscription] })];
  const store = new MailedViewsStore(
    new ScriptedHttp({
      [ownEmail.views.path]: () => replies.shift(),
      [ownEmail.mailView.path]: () => ({ address: 'a@mail.test', weekday: 1, hour: 9 }),
    }),
  );
  const loading = store.load();
  await store.mail({ list: subscription.list, view: subscription.view });
  answerEarlier({ isOffered: true, views: [] });
  await loading;
  expect(store.state).toMatchObject({ status: 'ready', views: [subscription] });
});

test('the result of a sample is hidden while the next one is sent and if that is refused', async () => {
  const harness = await createPluginHarness(plugin, {
    answers: [
      answer(emailTemplates.list, [{ code: 'email:test', title: '测试邮件', use: 'required' }]),
      answer(emailTemplates.preview, { subject: 'S', paragraphs: [], footer: [] }),
      answer(emailTemplates.send, { isSent: true, address: 'a@mail.test', failure: null, answer: null }),
    ],
  });
  await harness.open(emailTemplateMenu);
  const send = await screen.findByRole('button', { name: '发送样例到我的邮箱' });
  await harness.user.click(send);
  await screen.findByText('已发送到 a@mail.test');
  harness.answer(refusal(emailTemplates.send, 429, '测试过于频繁'));
  await harness.user.click(send);
  await waitFor(() => expect(harness.toasts).toEqual(['error 测试过于频繁']));
  expect(screen.queryByText('已发送到 a@mail.test')).toBeNull();
});
