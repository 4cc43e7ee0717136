import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const alipayMenu = menu({
  code: 'alipay_merchant',
  title: ['支付宝商户', 'Alipay merchants'],
  path: '/task/alipay-merchant',
  under: menuGroups.paymentSetup,
  icon: 'settings',
  sort: 3,
  buttons: ['add', 'edit', 'delete', 'view', { code: 'alipay_merchant_enable', title: ['启用', 'Enable'] }],
});
