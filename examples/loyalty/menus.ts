import { menu } from '#shared/menu-entry';

export const loyaltyMenu = menu({
  code: 'loyalty',
  title: ['积分', 'Loyalty points'],
  path: '/task/loyalty',
  under: 'task',
  icon: 'trophy',
  sort: 20,
  buttons: [{ code: 'loyalty_settle', title: ['结算积分', 'Settle points'] }],
});
