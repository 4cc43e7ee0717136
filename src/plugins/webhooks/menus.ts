import { menu } from '#shared/menu-entry';
import { menuGroups } from '#shared/menu-groups';

export const webhookMenu = menu({
  code: 'webhook',
  title: ['Webhook', 'Webhooks'],
  path: '/system/webhook',
  under: menuGroups.system,
  icon: 'link',
  sort: 12,
  buttons: [
    'add',
    'edit',
    'delete',
    'view',
    { code: 'webhook_secret', title: ['轮换密钥', 'Rotate secrets'] },
    { code: 'webhook_test', title: ['发送测试事件', 'Send test events'] },
  ],
});

export const webhookDeliveryMenu = menu({
  code: 'webhook_delivery',
  title: ['Webhook 投递记录', 'Webhook deliveries'],
  path: '/system/webhookdelivery',
  under: menuGroups.system,
  icon: 'history',
  sort: 13,
  buttons: [{ code: 'webhook_delivery_resend', title: ['重新发送', 'Send again'] }],
});
