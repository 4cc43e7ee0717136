import { expect, test } from '@rstest/core';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, createPluginHarness, pageOf, pluginContract, rowOf } from '#kit/console';
import plugin from '../../../../src/plugins/webhooks/console/plugin.ts';
import { Delivery, Endpoint, webhookDelivery, webhookEndpoint } from '../../../../src/plugins/webhooks/contract.ts';
import { webhookDeliveryMenu, webhookMenu } from '../../../../src/plugins/webhooks/menus.ts';

pluginContract(plugin);

const codes = ['webhook_add', 'webhook_edit', 'webhook_test', 'webhook_secret', 'webhook_delivery', 'webhook_delivery_resend'];
const quiet = { delivered: 0, failed: 0, givenUp: 0, lastDelivery: null };
const endpoint = (values: object) => ({ ...rowOf(Endpoint, { url: 'https://hooks.example.com/', events: ['user.created'], ...values }), ...quiet, ...values });
const rows = [
  endpoint({ id: '1', name: '订单系统', delivered: 199, failed: 1, givenUp: 3, lastDelivery: { state: 2, time: '2026-11-30 10:00:00' } }),
  endpoint({ id: '2', name: '旧系统', isEnabled: false, disabledReason: 'gone' }),
];
const list = answer(webhookEndpoint.list, pageOf(...rows));
const openList = async (...answers: ReturnType<typeof answer>[]) => {
  const harness = await createPluginHarness(plugin, { codes, answers: [list, ...answers] });
  await harness.open(webhookMenu);
  await screen.findByText('订单系统');
  return harness;
};
const choose = async ({ user }: Awaited<ReturnType<typeof openList>>, name: string, action: string) => {
  const row = screen.getByText(name).closest('[data-row]') as HTMLElement;
  await user.click(within(row).getByRole('button', { name: action }));
};

const confirm = async ({ user }: Awaited<ReturnType<typeof openList>>, name: string) =>
  user.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));

test('the list tells which endpoints receive events, and why one is disabled', async () => {
  await openList();
  await screen.findByText('99.5% · 送达 199，失败 1');
  screen.getByText('已自动停用：返回 410');
  screen.getByText('尚无投递');
});

test('a test event shows what the server answered', async () => {
  const failed = rowOf(Delivery, { id: '9', state: 3, failure: 'timeout', responseStatus: null });
  const harness = await openList(answer(webhookEndpoint.test, failed));
  await choose(harness, '订单系统', '发送测试事件');
  await waitFor(() => expect(harness.toasts).toEqual(['warning 未送达：10 秒内未响应']));
  expect(harness.inputs(webhookEndpoint.test)).toEqual([{ id: '1' }]);
});

test('all failed deliveries are sent again after a question that names their number', async () => {
  const harness = await openList(answer(webhookEndpoint.resendFailed, { count: 3 }));
  await choose(harness, '订单系统', '重新发送全部失败');
  await screen.findByText('重新发送「订单系统」失败的 3 次投递？');
  await confirm(harness, '重新发送全部失败');
  await waitFor(() => expect(harness.toasts).toEqual(['success 已重新排队 3 次投递']));
});

test('a rotated secret is shown once, with the time until which the former one is valid', async () => {
  const harness = await openList(answer(webhookEndpoint.rotateSecret, { secret: 'whsec_new', formerSecretUntil: '2026-12-01 10:00:00' }));
  await choose(harness, '订单系统', '轮换密钥');
  await confirm(harness, '轮换密钥');
  await screen.findByText('whsec_new');
  screen.getByText('2026-12-01 10:00:00');
});

test('a delivery is sent again from its row', async () => {
  const delivery = rowOf(Delivery, { id: '7', event: 'user.created', state: 3, failure: 'status', responseStatus: 500 });
  const harness = await createPluginHarness(plugin, {
    codes,
    answers: [list, answer(webhookDelivery.list, pageOf(delivery)), answer(webhookDelivery.resend, null)],
  });
  await harness.open(webhookDeliveryMenu);
  const row = (await screen.findByText('user.created')).closest('[data-row]') as HTMLElement;
  await harness.user.click(within(row).getByRole('button', { name: '重新发送' }));
  await waitFor(() => expect(harness.toasts).toEqual(['success 已重新排队 1 次投递']));
  expect(harness.inputs(webhookDelivery.resend)).toEqual([{ ids: ['7'], partial: true }]);
});
