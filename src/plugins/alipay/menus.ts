import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const alipayMenu = menu({
  code: 'alipay_merchant',
  title: ['支付宝配置', 'Alipay merchants'],
  path: '/task/alipay-merchant',
  under: menuGroups.finance,
  icon: 'settings',
  sort: 10,
  buttons: ['add', 'edit', 'delete', 'view', { code: 'alipay_merchant_enable', title: ['启用', 'Enable'] }],
});
