import { expect, test } from '@rstest/core';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, createPluginHarness, pluginContract } from '#kit/console';
import { type InboxEntry, inbox } from '#plugins/inbox/contract';
import inboxPlugin from '../../../../src/plugins/inbox/console/plugin.ts';

const entry: InboxEntry = {
  id: '1',
  kind: 'mail',
  title: '盘点',
  body: '',
  status: 3,
  link: null,
  isRead: false,
  isSample: false,
  createTime: '2026-11-24 09:00:00',
};
const answers = [answer(inbox.unread, { mail: 2, message: 1, notice: 0 }), answer(inbox.list, { entries: [entry], hasMore: false })];

pluginContract(inboxPlugin);

test('the bell in the top bar counts what is unread and opens it; with the plugin it goes from the bar', async () => {
  const harness = await createPluginHarness(inboxPlugin, { answers });
  await harness.open('/wel/index');
  await harness.user.click(await screen.findByRole('button', { name: '通知，3 条未读' }));
  const popover = await screen.findByRole('dialog', { name: '通知' });
  expect(await within(popover).findByRole('button', { name: /盘点.*有异常/ })).toBeTruthy();
  expect(
    within(popover)
      .getAllByRole('tab')
      .map(({ textContent }) => textContent),
  ).toEqual(['邮件2', '消息1', '通知']);
  await harness.user.keyboard('{Escape}');
  await harness.disable();
  await waitFor(() => expect(screen.queryByRole('button', { name: /^通知/ })).toBeNull());
  await harness.enable();
  await screen.findByRole('button', { name: '通知，3 条未读' });
});
