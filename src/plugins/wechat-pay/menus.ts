import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const payChannelMenu = menu({
  code: 'pay_channel',
  title: ['支付配置', 'Payment providers'],
  path: '/task/pay-channel',
  under: menuGroups.paymentSetup,
  icon: 'settings',
  sort: 2,
  buttons: ['add', 'edit', 'delete', 'view', { code: 'pay_channel_enable', title: ['启用', 'Enable'] }],
});
